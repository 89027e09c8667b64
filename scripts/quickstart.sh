#!/usr/bin/env bash
# From a fresh checkout to a first result. scripts/quickstart.ps1 does the same on Windows.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/quickstart.sh [OPTION]…
Installs what is missing, builds isobench and runs a short file IO suite: about half a minute, 256 MiB of test files.

  --dir=DIR      measure the volume that DIR is on; DIR must exist (default: the build folder)
  --out=DIR      leave the results there as JSON (default: build/quickstart)
  --seconds=N    length of each of the five jobs (default: 4)
  --help         this text

Test files go into a new folder of their own, which is removed at the end. Running it again is safe.
TEXT
}

target_dir=$root/build
out_dir=$root/build/quickstart
seconds=4
scratch=

# need_value OPTION COUNT: is there a word after an option written with a blank?
need_value() {
    [ "$2" -ge 2 ] || die_usage "$1 needs a value"
}

parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --dir=* | --out=* | --seconds=*) set_option "${1%%=*}" "${1#*=}" ;;
        --dir | --out | --seconds)
            need_value "$1" $#
            set_option "$1" "$2"
            shift
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) die_usage "unknown option $1" ;;
        esac
        shift
    done
}

set_option() {
    [ -n "$2" ] || die_usage "$1 needs a value"
    case $1 in
    --dir)
        [ -d "$2" ] || die_usage "--dir: $2 is not a directory"
        target_dir=$2
        ;;
    --out) out_dir=$2 ;;
    --seconds)
        [[ $2 =~ ^[0-9]{1,5}$ && $2 =~ [1-9] ]] || die_usage "--seconds must be a whole number from 1 to 99999, not $2"
        seconds=$((10#$2))
        ;;
    esac
}

remove_scratch() {
    if [ -n "$scratch" ]; then
        rm -rf -- "$scratch"
    fi
}

isobench_fileio() {
    "$root/build/release/bin/isobench" fileio "$@" --dir="$scratch" --files=4 --total-size=256M
}

# job NAME TITLE OPTION…: runs it, prints the result, leaves NAME.json.
job() {
    local name=$1 title=$2
    shift 2
    printf '\n'
    say "$title"
    if ! isobench_fileio run "$@" --time="$seconds" --json="$out_dir/$name.json"; then
        failed_jobs+=("$name")
    fi
}

isobench_oltp() {
    "$root/build/release/bin/isobench" oltp "$@" --db-file="$scratch/quickstart.sqlite" --table-size=20000
}

# On SQLite, which is a part of the program: no server is needed.
run_database() {
    printf '\n'
    say "a table of 20000 rows in SQLite, and transactions of 20 statements, each durable"
    if ! isobench_oltp prepare ||
        ! isobench_oltp oltp_read_write run --time="$seconds" --json="$out_dir/oltp-sqlite.json"; then
        failed_jobs+=(oltp-sqlite)
    fi
}

run_suite() {
    say "preparing 256 MiB of test files in $scratch"
    isobench_fileio prepare
    job seqrewr "sequential rewrite in blocks of 1 MiB, made durable at the end" \
        --mode=seqrewr --block-size=1M --sync-at-end=on
    job rndrd-cache-on "random read of 16 KiB, OS cache on: mostly the speed of memory" \
        --mode=rndrd --block-size=16K --cache=on
    job rndrd-cache-off "random read of 16 KiB, OS cache off, 8 at a time: the device" \
        --mode=rndrd --block-size=16K --cache=off --depth=8
    job rndwr-sync "random write of 16 KiB, each made durable before the next: what a database log waits for" \
        --mode=rndwr --block-size=16K --sync-each-write=on
    job rndrw "random mix of 16 KiB, 70 % reads, OS cache off, 2 threads" \
        --mode=rndrw --read-percent=70 --block-size=16K --cache=off --threads=2
    printf '\n'
    say "removing the test files"
    isobench_fileio cleanup
    run_database
}

parse_options "$@"
need_packages "${build_packages[@]}"
# A compiler that is newer than ours may warn of something new: no reason not to measure.
configure_options=(-DISO_WERROR=OFF)
say "building (preset release)"
build_preset release isobench

mkdir -p "$out_dir" "$target_dir"
out_dir=$(cd "$out_dir" && pwd)
trap remove_scratch EXIT
trap 'exit 130' INT TERM
scratch=$(mktemp -d "$target_dir/isobench-quickstart.XXXXXX")
failed_jobs=()
run_suite
say "results as JSON: $out_dir"
[ ${#failed_jobs[@]} -eq 0 ] || die "failed: ${failed_jobs[*]}; the reasons stand above"
