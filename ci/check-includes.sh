#!/usr/bin/env bash
# Keeps the house in order: who may include whom, and no operating system outside platform/, posix/ and win32/.
# docs/architecture.md explains the rules. Prints file:line: what is wrong; exit status 1 if anything is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck disable=SC2016 # $0 is awk's
find platform posix win32 src tests -name '*.[ch]' -print0 | sort -z | xargs -0 awk '
BEGIN {
    allowed["platform"] = "platform"
    allowed["posix"] = "posix platform"
    allowed["win32"] = "win32 platform"
    allowed["core"] = "core platform"
    allowed["run"] = "run core platform"
    allowed["fileio"] = "fileio run core platform"
    allowed["db"] = "db core platform"
    allowed["checksum"] = "checksum db core platform"
    allowed["load"] = "load db core platform"
    allowed["oltp"] = "oltp db run core platform"
    allowed["dialects"] = "dialects core platform"
    allowed["reconcile"] = "reconcile core platform"
    allowed["plan"] = "plan core platform"
    allowed["report"] = "report plan reconcile core platform"
    allowed["cli"] = "cli report plan reconcile dialects oltp checksum load db fileio run core platform"
    allowed["tests"] = "tests cli report plan reconcile dialects oltp checksum load db fileio run core platform"
    # The inner parts of posix/ and win32/ that take made-up files and bytes are tested from there.
    allowed["tests/platform"] = "tests platform posix win32"
    near_system = " platform posix win32 tests/platform "
    system_names = "_WIN32|_WIN64|WIN32|__linux__|__APPLE__|__unix__|__FreeBSD__|__CYGWIN__|__MINGW32__|__MINGW64__|_MSC_VER"
    system_headers = "^(windows|winsock2?|ws2tcpip|winioctl|io|direct|process|unistd|fcntl|pthread|dirent|poll|uv|" \
                     "liburing)[.]h$|^(sys|linux|mach)/"
}

function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    broken = 1
}

# src/core/job.c is in room core, platform/file.c in platform, tests/core/test_job.c in tests.
function room_of(path, parts) {
    split(path, parts, "/")
    if (parts[1] == "tests" && parts[2] == "platform")
        return "tests/platform"
    return parts[1] == "src" ? parts[2] : parts[1]
}

function check_own_include(name, target) {
    if (name !~ "/")
        complain("\"" name "\": write it with its room, as in \"core/job.h\"")
    target = name
    sub("/.*", "", target)
    if (name ~ "/" && index(" " allowed[room] " ", " " target " ") == 0)
        complain("room " room " may not include " name " (it may: " allowed[room] ")")
}

FNR == 1 {
    room = room_of(FILENAME)
    is_near_system = index(near_system, " " room " ") > 0
    has_conditionals = is_near_system && room !~ /^tests/
    if (!(room in allowed))
        complain("room " room " is unknown: say in ci/check-includes.sh what it may include")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    check_own_include(quoted[2])
}

!is_near_system && /^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, angled, "[<>]")
    if (angled[2] ~ system_headers)
        complain("<" angled[2] "> belongs behind the contract in platform/")
}

!has_conditionals && /^[ \t]*#[ \t]*(el)?if/ && $0 ~ "(^|[^A-Za-z0-9_])(" system_names ")([^A-Za-z0-9_]|$)" {
    complain("operating-system conditional outside platform/, posix/ and win32/")
}

END { exit broken }
'
