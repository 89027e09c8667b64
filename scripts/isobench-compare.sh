#!/usr/bin/env bash
# Puts folders of results side by side. scripts/isobench-compare.ps1 does the same on Windows.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/isobench-compare.sh FOLDER... [OPTION]...
Takes what scripts/isobench-suite left on one host or on several (a results folder, one host's in it, one volume's) and
lays each volume's results side by side: OUT/FIGURE.txt, .md, .csv and .json (docs/compare.md) for each figure, and
report.html where this isobench makes reports. The first volume is what the others are held against.

  --out=DIR      where the tables go: a new or empty folder (default: comparison)
  --figure=KEY   figure to compare; may be given several times (default: rate_per_s and p99_ns)
  --baseline=DIR another volume's folder to hold the others against
  --program=FILE the isobench to run (default: the release build's, else the one in PATH)
  --dry-run      print the commands and run nothing
  --help         this text

Exit status: 0 done, 130 Ctrl-C, else that of the command that failed, which is the last one.
TEXT
}

folders=()
sets=()
out=comparison
figures=()
baseline=
program=
dry_run=no

set_option() {
    [ -n "$2" ] || die_usage "$1 needs a value"
    case $1 in
    --out) out=$2 ;;
    --figure) figures+=("$2") ;;
    --baseline) baseline=$2 ;;
    --program) program=$2 ;;
    esac
}

parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --out=* | --figure=* | --baseline=* | --program=*) set_option "${1%%=*}" "${1#*=}" ;;
        --out | --figure | --baseline | --program)
            [ $# -ge 2 ] || die_usage "$1 needs a value"
            set_option "$1" "$2"
            shift
            ;;
        --dry-run) dry_run=yes ;;
        --help | -h)
            usage
            exit 0
            ;;
        -*) die_usage "unknown option $1" ;;
        *) folders+=("${1%/}") ;;
        esac
        shift
    done
}

# Adds the folders of results in FOLDER: itself, or those of its volumes, or those of its hosts' volumes.
add_sets() {
    local manifest found=no LC_ALL=C
    for manifest in "$1"/manifest.json "$1"/*/manifest.json "$1"/*/*/manifest.json; do
        [ -f "$manifest" ] || continue
        sets+=("${manifest%/manifest.json}")
        found=yes
    done
    [ "$found" = yes ] || die_usage "$1: no results of scripts/isobench-suite are in it (no manifest.json)"
}

check_options() {
    local folder
    [ ${#folders[@]} -gt 0 ] || die_usage "name one or more folders of results"
    for folder in "${folders[@]}"; do
        [ -d "$folder" ] || die_usage "$folder is not a directory"
        add_sets "$folder"
    done
    [ ${#sets[@]} -gt 1 ] || die_usage "${sets[0]}: one set of results has nothing to be compared with"
    [ ${#figures[@]} -gt 0 ] || figures=(rate_per_s p99_ns)
    [ -z "$baseline" ] || sets+=("--baseline=${baseline%/}")
    if [ -z "$program" ]; then
        program=$root/build/release/bin/isobench
        [ -x "$program" ] || program=isobench
    fi
    [ -z "$(ls -A "$out" 2>/dev/null)" ] || die_usage "--out: $out is not empty, and nothing in it is written over"
}

# run_into FILE WORD...: isobench WORD..., with what it prints in FILE, which is not there if that failed.
run_into() {
    local file=$1 status=0
    shift
    if [ "$dry_run" = yes ]; then
        echo "isobench $* >$file"
        return
    fi
    "$program" "$@" >"$file" || status=$?
    [ "$status" -eq 0 ] || rm -f "$file"
    return "$status"
}

compare_figure() {
    local words
    words=(compare "${sets[@]}" "--figure=$1")
    run_into "$out/$1.txt" "${words[@]}" "--json=$out/$1.json"
    run_into "$out/$1.md" "${words[@]}" --markdown
    run_into "$out/$1.csv" "${words[@]}" --csv
    [ "$dry_run" = yes ] || cat "$out/$1.txt"
}

# Older builds have no command report.
make_report() {
    local words
    words=(report "${sets[@]}" -o "$out/report.html")
    if [ "$dry_run" = yes ]; then
        echo "isobench ${words[*]}"
    elif "$program" help | grep 'isobench report ' >/dev/null; then
        "$program" "${words[@]}"
        say "$out/report.html"
    else
        say "no report.html: $program has no command report"
    fi
}

parse_options "$@"
check_options
[ "$dry_run" = yes ] || mkdir -p "$out"
for figure in "${figures[@]}"; do
    [ "$dry_run" = yes ] || say "$figure"
    compare_figure "$figure"
done
make_report
