#!/usr/bin/env bash
# A run that is killed at any moment leaves every block that was acknowledged as durable, or check says which it lost.
# usage: crash.sh PROGRAM
set -uo pipefail
program=$(realpath "$1")
scratch=$(mktemp -d)
child=
trap '[ -z "$child" ] || kill -9 "$child" 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
die() { echo "FAILED: $*"; cat out err 2>/dev/null; exit 1; }

set_options=(--files=2 --total-size=4M --block-size=16K)
"$program" fileio prepare --verify "${set_options[@]}" >out 2>err || die 'prepare --verify'

# kill_one OPTION…: a run in the background, killed once its ledger has moved, and the check after it
kill_one() {
  cp test_file.isobench.ledger before.ledger
  "$program" fileio run --verify "${set_options[@]}" --time=30 "$@" >out 2>err &
  child=$!
  for _ in $(seq 200); do
    # 200 bytes: the number of runs in the header changes at the start; what is behind it when something is acknowledged
    cmp -s -i 4096 before.ledger test_file.isobench.ledger || break
    kill -0 "$child" 2>/dev/null || die "run $* ended by itself"
    sleep 0.02
  done
  cmp -s -i 4096 before.ledger test_file.isobench.ledger && die "run $*: nothing was acknowledged"
  sleep "0.0$((RANDOM % 10))"
  kill -9 "$child"
  wait "$child" 2>/dev/null
  child=
  "$program" fileio check "${set_options[@]}" --json=check.json >out 2>err || die "run $*, killed: something is wrong"
  grep -q '^good' out || die "run $*: the check says nothing"
}

kill_one --mode=rndwr --sync-every=20
kill_one --mode=rndrw --threads=3 --sync-each-write
kill_one --mode=rndrw --engine=uv --threads=2 --depth=4 --sync-every=50 --sync-kind=fdatasync
kill_one --mode=seqrewr --through=data --merge-blocks=4
kill_one --mode=rndwr --engine=mmap --sync-every=20
kill_one --mode=rndwr --cache=off --block-size=16K --through=full

# a run goes on from what the killed ones left
"$program" fileio run --verify "${set_options[@]}" --mode=rndrw --threads=2 --time=0.3 >out 2>err || die 'run afterwards'
grep -q '^verify .* 0 wrong' out || die 'the run afterwards does not say what it checked'

# a block that is damaged by hand is found, with file and offset, by check and by a run
damage() { printf '%s' damaged | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
for place in 0:0:0 1:81930:81920 1:2097144:2080768; do
  IFS=: read -r file at offset <<<"$place"
  cp "test_file.$file" saved
  damage "test_file.$file" "$at"
  "$program" fileio check "${set_options[@]}" --json=check.json >out 2>err && die "damage at $place was not found"
  [ $? -eq 1 ] || die 'the status of a check that found something is not 1'
  grep -q "test_file.$file, offset $offset: expected generation" out || die "damage at $place is not named"
  grep -q '1 of 256 blocks are wrong' err || die "damage at $place: not one block"
  grep -q '"wrong": 1' check.json || die 'the JSON does not count it'
  "$program" fileio run --verify "${set_options[@]}" --mode=seqrd --passes=1 --time=0 --json=run.json >out 2>err &&
    die "damage at $place: the run is good"
  grep -q "test_file.$file, offset $offset" out || die "damage at $place: the run does not name it"
  grep -q '256 blocks checked, 1 wrong' out || die 'the run does not count it'
  grep -q '"wrong": 1' run.json || die 'the JSON of the run does not count it'
  cp saved "test_file.$file"
done
"$program" fileio check "${set_options[@]}" >out 2>err || die 'the repaired set is not good'

# an older file put back in place of a newer one
cp test_file.0 old
"$program" fileio run --verify "${set_options[@]}" --mode=seqrewr --passes=1 --time=0 >out 2>err || die 'rewrite'
cp old test_file.0
"$program" fileio check "${set_options[@]}" >out 2>err && die 'an old file was not found'
grep -q '^stale  *128 ' out || die 'an old file is not 128 stale blocks'
"$program" fileio check "${set_options[@]}" --json=- >out 2>err && die 'an old file was not found for JSON'
python3 -c 'import json; r = json.load(open("out")); assert r["verdicts"]["stale"] == r["wrong"] == 128 and len(r["findings"]) == 16' ||
  die 'JSON on stdout'

# what another tool left is told apart
"$program" fileio cleanup "${set_options[@]}" >/dev/null
[ -z "$(find . -name 'test_file*')" ] || die 'cleanup left something'
"$program" sysbench fileio --file-num=2 --file-total-size=1M prepare >out 2>err || die 'sysbench prepare'
"$program" sysbench fileio --file-num=2 --file-total-size=1M --file-test-mode=rndrd --validate run >out 2>err &&
  die 'sysbench run --validate without prepare --validate is good'
grep -q 'prepare --validate' err || die 'it does not say how to prepare'
"$program" sysbench fileio --file-num=2 cleanup >/dev/null
"$program" sysbench fileio --file-num=2 --file-total-size=1M --validate prepare >out 2>err || die 'sysbench --validate prepare'
"$program" sysbench fileio --file-num=2 --file-total-size=1M --file-test-mode=rndrw --validate --time=0.2 run >out 2>err ||
  die 'sysbench --validate run'
grep -q '^Validation checks: on.$' out && grep -q '^Using checksums validation.$' out || die 'sysbench does not say it'
damage test_file.1 1000
"$program" sysbench fileio --file-num=2 --file-total-size=1M --file-test-mode=seqrd --validate --time=0.3 run >out 2>err &&
  die 'sysbench --validate run does not see damage'
grep -q 'test_file.1, offset 0' err || die 'sysbench --validate does not name it'
exit 0
