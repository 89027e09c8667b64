#!/usr/bin/env bash
# Runs isobench.exe under Wine: every mode on every engine that Windows has, prepared, measured and cleaned up.
# Looks at figures that do not depend on speed. Wine's folder and its server are the caller's: ci/test-windows.sh.
#   tests/wine/fileio.sh isobench.exe
set -euo pipefail
export LC_ALL=C.UTF-8

[ $# -eq 1 ] || {
    echo "Usage: $0 isobench.exe" >&2
    exit 2
}
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

events=200
block_bytes=16384
files='Prüfung der Dateien' # names that are not ASCII must arrive as they are
common=(--dir="$files" --files=2 --total-size=1M --block-size="$block_bytes")
modes=(seqwr seqrewr seqrd rndrd rndwr rndrw)
# engine, depth, OS cache
ways=("sync 1 on" "iocp 1 on" "iocp 32 on" "uv 4 on" "mmap 1 on" "sync 1 off" "iocp 32 off")
failures=0

isobench() {
    wine "$program" "$@" </dev/null
}

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# measure NAME OPTION…: one run; its result goes to NAME.json and is checked together with the others at the end.
measure() {
    local name=$1
    shift
    if ! isobench fileio run "${common[@]}" --events=$events --time=60 --json="$name.json" "$@" >"$name.txt" 2>&1; then
        fail "$name"
        tail -n 5 "$name.txt"
    fi
}

all_ways() {
    local mode way engine depth cache
    for mode in "${modes[@]}"; do
        for way in "${ways[@]}"; do
            read -r engine depth cache <<<"$way"
            measure "$mode.$engine.$depth.$cache.-" \
                --mode="$mode" --engine="$engine" --depth="$depth" --cache="$cache"
        done
    done
    measure "rndwr.sync.1.on.syncs" --mode=rndwr --engine=sync --sync-every=50 --sync-kind=fdatasync
    measure "rndwr.iocp.8.on.syncs" --mode=rndwr --engine=iocp --depth=8 --sync-every=50
    measure "rndwr.mmap.1.on.syncs" --mode=rndwr --engine=mmap --sync-every=50
}

# What Windows cannot do is said, and nothing is measured.
refuses() {
    local words=$1
    shift
    if isobench fileio run "${common[@]}" --mode=rndrd --events=1 "$@" >refused.txt 2>&1; then
        fail "'$*' was not refused"
    elif ! grep -q -- "$words" refused.txt; then
        fail "'$*' was refused without the word '$words':"
        cat refused.txt
    fi
}

# Blocks carry what they are, on every engine; damage is found, named and ends with status 1.
verifies() {
    local way engine depth status=0
    isobench fileio prepare --verify "${common[@]}" >verify.txt 2>&1 || fail "prepare --verify"
    for way in "sync 1" "iocp 8" "uv 4" "mmap 1"; do
        read -r engine depth <<<"$way"
        isobench fileio run --verify "${common[@]}" --events=$events --time=60 --mode=rndrw --threads=2 --sync-every=20 \
            --engine="$engine" --depth="$depth" >verify.txt 2>&1 || fail "run --verify --engine=$engine"
        grep -q '^verify .* blocks checked, 0 wrong' verify.txt || fail "--engine=$engine does not say what it checked"
        isobench fileio check "${common[@]}" >verify.txt 2>&1 || fail "check after --engine=$engine"
    done
    printf x | dd of="$files/test_file.1" bs=1 seek=40000 conv=notrunc 2>/dev/null
    isobench fileio check "${common[@]}" >verify.txt 2>&1 || status=$?
    [ "$status" -eq 1 ] && grep -q '^torn .*test_file.1, offset 32768' verify.txt || fail "check does not find damage"
    isobench fileio cleanup "${common[@]}" >cleanup.txt 2>&1 || fail "cleanup after verify"
    [ -z "$(ls -A "$files")" ] || fail "cleanup after verify left $(ls "$files")"
}

mkdir "$files"
isobench fileio prepare "${common[@]}" >prepare.txt 2>&1 || {
    cat prepare.txt
    fail "prepare"
}
[ "$(stat -c %s "$files"/test_file.[01] | sort -u)" = 524288 ] || fail "prepare made other files than 2 of 512 KiB: $(ls -l "$files")"
all_ways
refuses Linux --engine=uring
refuses cache=off --drop-cache=on
isobench fileio cleanup "${common[@]}" >cleanup.txt 2>&1 || fail "cleanup"
[ -z "$(ls -A "$files")" ] || fail "cleanup left $(ls "$files")"
verifies
python3 "$here/check_results.py" "$events" "$block_bytes" ./*.json || failures=$((failures + 1))
exit $((failures > 0))
