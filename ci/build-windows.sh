#!/usr/bin/env bash
# Builds isobench for 64-bit Windows with mingw-w64: build/windows-cross/bin/isobench.exe, one file without DLLs of its
# own, and its tests. ci/test-windows.sh runs them.
#   ISOBENCH_CACHE  where the libraries for Windows are kept (default: .cache in the source tree)
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
cd "$root"

libraries=${ISOBENCH_CACHE:-$root/.cache}/windows/current
build=build/windows-cross

# DLLs that are part of every Windows that the program runs on.
system_dlls='advapi32|bcrypt|crypt32|dbghelp|iphlpapi|kernel32|msvcrt|ntdll|ole32|pdh|psapi|secur32|shell32|user32|userenv'
system_dlls+='|shlwapi|winmm|ws2_32|ucrtbase|api-ms-win-[a-z0-9-]*'

# Wine brings DLLs of its own that Windows has not (zlib1.dll): that it runs there does not show that it is complete.
check_imports() {
    local program=$1 foreign
    foreign=$(x86_64-w64-mingw32-objdump -p "$program" | sed -n 's/^[[:space:]]*DLL Name: //p' |
        grep -Eiv "^($system_dlls)\.dll$" || true)
    [ -z "$foreign" ] || die "$program needs DLLs that Windows does not have: $foreign"
}

need_packages gcc-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64 libz-mingw-w64-dev cmake ninja-build
say "libraries for Windows"
run_logged build/logs/windows-libraries.log ./ci/windows-libraries.sh
say "isobench for Windows"
run_logged build/logs/configure-windows-cross.log \
    cmake --preset windows-cross -DISO_WINDOWS_LIBRARIES="$libraries"
run_logged build/logs/build-windows-cross.log cmake --build "$build" --parallel "$(cpu_count)"
for program in "$build"/bin/*.exe; do
    check_imports "$program"
done
say "$build/bin/isobench.exe"
