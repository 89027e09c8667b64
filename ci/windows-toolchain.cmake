# Cross-builds for 64-bit Windows with mingw-w64. The libraries are those of ci/windows-libraries.sh: in the folder
# that ISO_WINDOWS_LIBRARIES (variable or environment) names, or where the script puts them by default.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

if(NOT ISO_WINDOWS_LIBRARIES)
  if(DEFINED ENV{ISO_WINDOWS_LIBRARIES})
    set(ISO_WINDOWS_LIBRARIES "$ENV{ISO_WINDOWS_LIBRARIES}")
  else()
    set(ISO_WINDOWS_LIBRARIES "${CMAKE_CURRENT_LIST_DIR}/../.cache/windows/current")
  endif()
endif()
set(ISO_WINDOWS_LIBRARIES "${ISO_WINDOWS_LIBRARIES}" CACHE PATH "Libraries for Windows that ci/windows-libraries.sh made")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ISO_WINDOWS_LIBRARIES)

# Nothing of the building machine may slip in: headers, libraries and packages come from these two folders alone.
set(CMAKE_FIND_ROOT_PATH "${ISO_WINDOWS_LIBRARIES}" /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# One file to copy to a Windows machine: no DLL of the compiler beside it.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -static-libgcc")

find_program(ISO_WINE wine)
if(ISO_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/under-wine.sh")
endif()
