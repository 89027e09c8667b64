#!/usr/bin/env bash
# Runs what ci/build-windows.sh made under Wine: the unit tests, then the program itself on files.
# What Wine cannot show: speed, real devices, and what happens below the file system's calls.
#   ISOBENCH_WINEPREFIX  Wine's folder, about 700 MB (default: build/wine)
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
cd "$root"

export WINEPREFIX=${ISOBENCH_WINEPREFIX:-$root/build/wine}
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='
program=build/windows-cross/bin/isobench.exe

need_packages wine wine64 python3 python3-prometheus-client curl mariadb-server openssl
[ -f "$program" ] || die "$program is not there; run ci/build-windows.sh first"

# The server of this folder alone. A test that started it would hand it ctest's pipe, and ctest would wait for both.
start_server() {
    mkdir -p "$WINEPREFIX"
    wineserver -p >/dev/null 2>&1 </dev/null
    trap 'wineserver -k >/dev/null 2>&1 || true' EXIT
}

# Wine says Windows 7 by itself. The mark is written last, so that a folder left half made is made again.
make_prefix() {
    if [ ! -f "$WINEPREFIX/isobench-windows-10" ]; then
        run_logged build/logs/wine.log wineboot -i
        run_logged build/logs/wine.log wine winecfg -v win10
        touch "$WINEPREFIX/isobench-windows-10"
    else
        run_logged build/logs/wine.log wineboot
    fi
}

say "Wine"
start_server
make_prefix
failures=0
say "unit tests under Wine"
ctest --preset windows-cross </dev/null || failures=1
say "isobench.exe under Wine"
./tests/wine/fileio.sh "$program" </dev/null || failures=1
say "the command line under Wine"
./tests/cli/cli.sh "$program" wine </dev/null || failures=1
say "samples of the host and metrics under Wine"
./tests/cli/sampling.sh "$program" wine </dev/null || failures=1
python3 tests/cli/openmetrics.py "$program" wine </dev/null || failures=1
say "the storage tools under Wine"
./tests/dialects/tools.sh "$program" wine </dev/null || failures=1
./tests/dialects/fio.sh "$program" wine </dev/null || failures=1
./tests/dialects/diskspd.sh "$program" wine </dev/null || failures=1
./tests/dialects/iozone.sh "$program" wine </dev/null || failures=1
say "reading and comparing results under Wine"
for name in reconcile attribute compare; do
    "./tests/reconcile/$name.sh" "$program" wine </dev/null || failures=1
done
say "a plan and its report under Wine"
linux=build/release/bin/isobench
[ -x "$linux" ] || linux=
./tests/wine/report.sh "$program" ${linux:+"$linux"} </dev/null || failures=1
say "databases under Wine"
./tests/wine/database.sh "$program" </dev/null || failures=1
exit "$failures"
