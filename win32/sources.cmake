# The platform contract on Windows: the twins of posix/ under the same names, and what they share.
target_sources(iso_platform PRIVATE
  ${CMAKE_SOURCE_DIR}/win32/affinity.c
  ${CMAKE_SOURCE_DIR}/win32/clock.c
  ${CMAKE_SOURCE_DIR}/win32/device.c
  ${CMAKE_SOURCE_DIR}/win32/error.c
  ${CMAKE_SOURCE_DIR}/win32/file.c
  ${CMAKE_SOURCE_DIR}/win32/file_facts.c
  ${CMAKE_SOURCE_DIR}/win32/host.c
  ${CMAKE_SOURCE_DIR}/win32/host_counters.c
  ${CMAKE_SOURCE_DIR}/win32/host_cpu.c
  ${CMAKE_SOURCE_DIR}/win32/host_cpus.c
  ${CMAKE_SOURCE_DIR}/win32/host_target.c
  ${CMAKE_SOURCE_DIR}/win32/identity.c
  ${CMAKE_SOURCE_DIR}/win32/lock.c
  ${CMAKE_SOURCE_DIR}/win32/mapped.c
  ${CMAKE_SOURCE_DIR}/win32/memory.c
  ${CMAKE_SOURCE_DIR}/win32/process.c
  ${CMAKE_SOURCE_DIR}/win32/queue_engines.c
  ${CMAKE_SOURCE_DIR}/win32/queue_iocp.c
  ${CMAKE_SOURCE_DIR}/win32/secret.c
  ${CMAKE_SOURCE_DIR}/win32/smbios.c
  ${CMAKE_SOURCE_DIR}/win32/wide.c)
# Windows 8 is the oldest whose sector sizes we ask for; everything newer is looked up while running.
target_compile_definitions(iso_platform PRIVATE _WIN32_WINNT=0x0602 WIN32_LEAN_AND_MEAN NOMINMAX)
target_link_libraries(iso_platform PRIVATE advapi32 iphlpapi pdh psapi shell32 winmm)
