#!/usr/bin/env bash
# Runs one test program under Wine: ctest's emulator of the Windows build. Wine starts programs of its own on the side
# (explorer, services), which keep the output open for as long as they live. Whoever reads a pipe until its end would
# wait for them, so the output goes to a file first.
# usage: under-wine.sh PROGRAM.exe [ARGUMENT]…
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
wine "$@" >"$output" 2>&1 || status=$?
cat "$output"
exit "$status"
