#!/usr/bin/env bash
# What a cached read of 4 KiB costs the program itself, in instructions: the slope between two run lengths, so that the
# start and the report count for nothing. It does not drift with the machine. usage: instructions.sh PROGRAM
set -euo pipefail
most=165 # the aim is 160; compilers differ by a few
program=$(realpath "$1")
command -v valgrind >/dev/null || { echo 'SKIP: valgrind is not installed'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$program" fileio prepare --total-size=16M >/dev/null

instructions() { # of a run of $1 reads
  valgrind --tool=callgrind --callgrind-out-file=out "$program" fileio run --total-size=16M --block-size=4K --mode=rndrd \
    --engine=sync --time=0 --events="$1" --report-interval=1000 2>&1 >/dev/null | awk '/Collected/ {print $4}'
}
few=$(instructions 20000)
many=$(instructions 120000)
each=$(((many - few) / 100000))
echo "$each instructions per read, at most $most"
[ "$each" -le "$most" ]
