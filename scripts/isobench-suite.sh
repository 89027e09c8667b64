#!/usr/bin/env bash
# Runs a plan over several directories or volumes. scripts/isobench-suite.ps1 does the same on Windows.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/isobench-suite.sh PLAN [OPTION]...
Runs PLAN (docs/plans.md; .ini may be left out) on each volume, one after the other, and leaves a folder of results for
each: OUT/TAG/VOLUME, with manifest.json and one JSON per run. VOLUME is the number of the directory and its last name.

  --dir=DIR      measure the volume that DIR is on; may be given several times (default: .)
  --out=DIR      where the results go (default: results)
  --tag=TAG      name of this host in the results' tree: letters, digits, . _ - (default: the host's name)
  --program=FILE the isobench to run (default: the release build's, else the one in PATH)
  --resume       go on with what a former call left undone
  --dry-run      print the commands and run nothing
  --help         this text

Exit status: 0 done, 130 Ctrl-C, else that of the first volume that failed (the others are run all the same).
TEXT
}

plan=
dirs=()
out=results
tag=
program=
resume=no
dry_run=no

set_option() {
    [ -n "$2" ] || die_usage "$1 needs a value"
    case $1 in
    --dir) dirs+=("$2") ;;
    --out) out=$2 ;;
    --tag) tag=$2 ;;
    --program) program=$2 ;;
    esac
}

parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --dir=* | --out=* | --tag=* | --program=*) set_option "${1%%=*}" "${1#*=}" ;;
        --dir | --out | --tag | --program)
            [ $# -ge 2 ] || die_usage "$1 needs a value"
            set_option "$1" "$2"
            shift
            ;;
        --resume) resume=yes ;;
        --dry-run) dry_run=yes ;;
        --help | -h)
            usage
            exit 0
            ;;
        -*) die_usage "unknown option $1" ;;
        *)
            [ -z "$plan" ] || die_usage "$1: one plan is enough"
            plan=$1
            ;;
        esac
        shift
    done
}

check_options() {
    local i
    [ -n "$plan" ] || die_usage "name a plan"
    [ -f "$plan" ] || plan=$plan.ini
    [ -f "$plan" ] || die_usage "${plan%.ini}: no such plan"
    [ ${#dirs[@]} -gt 0 ] || dirs=(.)
    for i in "${!dirs[@]}"; do
        [ -d "${dirs[i]}" ] || die_usage "--dir: ${dirs[i]} is not a directory"
        [ "${dirs[i]}" = / ] || dirs[i]=${dirs[i]%/}
    done
    [ -n "$tag" ] || tag=$(uname -n)
    [[ $tag =~ ^[A-Za-z0-9_-][A-Za-z0-9._-]*$ ]] || die_usage "--tag must be letters, digits, . _ -, not $tag"
    if [ -z "$program" ]; then
        program=$root/build/release/bin/isobench
        [ -x "$program" ] || program=isobench
    fi
}

# The last name of a directory, as far as it can be a folder's: "2-data".
volume_of() {
    local name
    name=$(CDPATH='' cd -- "$2" && pwd)
    name=${name##*/}
    name=${name:-root}
    printf '%s-%s' "$1" "${name//[^A-Za-z0-9_-]/_}"
}

# One volume: its number, its directory.
run_volume() {
    local volume words
    volume=$(volume_of "$1" "$2")
    words=(run "$plan" "--out=$out/$tag/$volume" "--dir=$2" "--tag=host=$tag" "--tag=volume=$volume")
    [ "$resume" = no ] || words+=(--resume)
    if [ "$dry_run" = yes ]; then
        echo "isobench ${words[*]}"
        return
    fi
    mkdir -p "$out/$tag"
    say "$2: results in $out/$tag/$volume"
    "$program" "${words[@]}"
}

parse_options "$@"
check_options
first_status=0
for i in "${!dirs[@]}"; do
    status=0
    run_volume $((i + 1)) "${dirs[i]}" || status=$?
    [ "$status" -ne 130 ] || exit 130
    [ "$first_status" -ne 0 ] || first_status=$status
done
exit "$first_status"
