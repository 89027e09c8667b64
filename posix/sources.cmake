# The contract of platform/ on Linux and other POSIX systems. liburing decides between two files of the same shape.
set(ISO_POSIX ${CMAKE_SOURCE_DIR}/posix)
target_sources(iso_platform PRIVATE
  ${ISO_POSIX}/affinity.c ${ISO_POSIX}/block.c ${ISO_POSIX}/clock.c ${ISO_POSIX}/device.c ${ISO_POSIX}/error.c ${ISO_POSIX}/file.c ${ISO_POSIX}/file_facts.c
  ${ISO_POSIX}/host.c ${ISO_POSIX}/host_counters.c ${ISO_POSIX}/host_cpus.c ${ISO_POSIX}/host_target.c ${ISO_POSIX}/identity.c ${ISO_POSIX}/lock.c ${ISO_POSIX}/mapped.c ${ISO_POSIX}/memory.c ${ISO_POSIX}/process.c
  ${ISO_POSIX}/queue_engines.c ${ISO_POSIX}/secret.c ${ISO_POSIX}/small_file.c)
target_compile_definitions(iso_platform PRIVATE _FILE_OFFSET_BITS=64)
if(PkgConfig_FOUND)
  pkg_check_modules(iso_uring IMPORTED_TARGET liburing>=2.1)
endif()
if(iso_uring_FOUND)
  target_sources(iso_platform PRIVATE ${ISO_POSIX}/queue_uring.c)
  target_link_libraries(iso_platform PRIVATE PkgConfig::iso_uring)
else()
  target_sources(iso_platform PRIVATE ${ISO_POSIX}/queue_uring_absent.c)
endif()
