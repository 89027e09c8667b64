#!/usr/bin/env bash
# Ctrl-C ends a run cleanly: status 130, the figures until then, marked partial. usage: interrupt.sh PROGRAM
set -uo pipefail
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
die() { echo "FAILED: $*"; exit 1; }

"$program" fileio prepare --total-size=1M >/dev/null || die prepare
"$program" fileio run --total-size=1M --mode=rndrd --threads=2 --time=0 --events=1000000000 --report-interval=0.1 \
  --json=partial.json >out 2>err &
child=$!
for _ in $(seq 200); do # until it is under way
  grep -qs IOPS out && break
  sleep 0.05
done
kill -INT "$child"
wait "$child"
status=$?
[ "$status" -eq 130 ] || die "status $status: $(cat err)"
[ ! -s err ] || die "stderr: $(cat err)"
grep -q '^PARTIAL' out || die "not marked partial: $(cat out)"
python3 -c "
import json
r = json.load(open('partial.json'))
assert r['status'] == 'partial', r['status']
assert r['job']['events'] == 1000000000
assert sum(i['read']['count'] for i in r['series']) == r['classes']['read']['count'] > 0
" || die 'the JSON does not agree'

# prepare undoes what it began
"$program" fileio prepare --file-name=big --total-size=8G >out 2>err &
child=$!
for _ in $(seq 400); do # until it writes: before that (its lock is older), a signal to a job in the background is lost
  [ -s big.0 ] && break
  sleep 0.05
done
kill -INT "$child"
wait "$child"
status=$?
[ "$status" -eq 130 ] || die "an interrupted prepare ends with status $status: $(cat err)"
[ -z "$(ls big* 2>/dev/null)" ] || die "an interrupted prepare left $(ls big*)"
echo 'all checks passed'
