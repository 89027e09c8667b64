#!/usr/bin/env bash
# Jobs at the same time in one process, and one document of them all. usage: together.sh SEVERAL_JOBS PROGRAM
set -uo pipefail
several=$(realpath "$1")
program=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}
# run STATUS ARGUMENT…
run() {
  local expected=$1 status
  shift
  "$several" "$@" >out 2>err </dev/null
  status=$?
  [ "$status" -eq "$expected" ] || fail "several_jobs $*: status $status, not $expected: $(cat err)"
}
json() { # json FILE 'python, with r'
  python3 -c "
import json
r = json.load(open('$1'))
$2" || fail "$1: not $2"
}
set_of=(--total-size=1M --block-size=4K --mode=rndrd)
"$program" fileio prepare --total-size=1M >/dev/null || { echo 'FAILED: prepare'; exit 1; }
"$program" fileio prepare --total-size=1M --file-name=other >/dev/null || fail prepare

# ---- each its own time, one beginning
run 0 --json=a.json \
  short fileio run "${set_of[@]}" --time=0.4 --report-interval=0.1 --engine=sync / \
  long fileio run "${set_of[@]}" --time=0.8 --report-interval=0.1 --threads=2 --engine=sync / \
  other fileio run "${set_of[@]}" --time=0.4 --warmup=0.2 --file-name=other --engine=uv --depth=4
[ -s err ] && fail "says on stderr: $(cat err)"
json a.json "
assert r['together'] is True and r['schema'] == 1
runs = r['runs']
assert [x['job_number'] for x in runs] == [1, 2, 3]
assert [x['job_name'] for x in runs] == ['short', 'long', 'other']
begins = [x['started_ns'] - (0 if i < 2 else 200000000) for i, x in enumerate(runs)]
ends = [b + x['load_ns'] for b, x in zip(begins, runs)]
assert max(begins) < min(ends), 'they overlap'
assert begins[0] == begins[1], begins
assert all(x['load_ns'] >= x['job']['time'] * 1e9 for x in runs)
assert runs[0]['load_ns'] < runs[1]['load_ns']
for x in runs:
    assert x['status'] == 'complete'
    assert x['classes']['read']['count'] == sum(t['read']['count'] for t in x['threads']) > 0
    assert x['classes']['read']['bytes'] == sum(t['read']['bytes'] for t in x['threads'])
    assert x['classes']['read']['latency_ns']['sum'] == sum(t['read']['latency_sum_ns'] for t in x['threads'])
    assert x['classes']['read']['count'] == sum(i['read']['count'] for i in x['series'])
    for c in x['cpus']:
        assert 0 <= c['user_ns'] + c['system_ns'] + c['idle_ns'] <= x['elapsed_ns'], c
assert len({x['job']['seed'] for x in runs}) == 3
assert all(s['job_number'] in (1, 2, 3) for s in r['spread'])"
grep -q '^runs done: sync sync uv$' out || fail "not told of all three: $(cat out)"
[ "$(tail -1 out)" = 'all done' ] || fail "not told of the end: $(tail -1 out)"
# whole lines, whoever they are of
sed -n 's/^ *\([0-9.]* s\).*IOPS.*/\1/p' out | grep -q . || grep -q IOPS out || fail "no interval lines: $(cat out)"

# ---- jobs of one set write to it too; even one that makes it anew
run 0 a fileio run --total-size=1M --mode=rndwr --events=200 --time=0 / b fileio run --total-size=1M --mode=rndrw --events=200 --time=0
run 0 a fileio run --total-size=1M --mode=seqwr --passes=1 --time=0 / b fileio run --total-size=1M --mode=seqwr --passes=1 --time=0
[ "$("$program" fileio run --total-size=1M --mode=seqrd --passes=1 --time=0 --json=- | python3 -c 'import json, sys; print(json.load(sys.stdin)["total"]["bytes"])')" = 1048576 ] ||
  fail 'the set is not whole after two jobs wrote it'
ls ./*.lock 2>/dev/null && fail 'a lock is left'

# ---- but who verifies has it alone
"$program" fileio prepare --total-size=1M --file-name=sure --verify >/dev/null || fail prepare
run 1 a fileio run --total-size=1M --mode=rndrd --file-name=sure --time=20 / b fileio run --total-size=1M --mode=rndrw --file-name=sure --verify --time=20
grep -q '^isobench: job 2 (b): --verify: another job' err || fail "says: $(cat err)"

# ---- one cannot begin: none does, and the reason is said once
run 1 --json=none.json good fileio run "${set_of[@]}" --time=20 / bad fileio run "${set_of[@]}" --file-name=absent --time=20 / \
  third fileio run "${set_of[@]}" --time=20
[ "$(wc -l <err)" -eq 2 ] || fail "not two lines: $(cat err)"
grep -q '^isobench: job 2 (bad): .*absent.0 is not there' err || fail "says: $(cat err)"
grep -q '^isobench: that ended the other jobs' err || fail "says: $(cat err)"
[ -e none.json ] && fail 'a document without figures'
grep -q 'runs done' out && fail 'told of runs that were not'

# ---- groups
run 0 --json=g.json --waits=3 a fileio run "${set_of[@]}" --time=0.2 / b fileio run "${set_of[@]}" --time=0.4 / \
  c fileio run "${set_of[@]}" --time=0.2
json g.json "
begins = [x['started_ns'] for x in r['runs']]
ends = [x['started_ns'] + x['load_ns'] for x in r['runs']]
assert begins[1] < ends[0] and begins[2] >= max(ends[:2]) - 20000000, (begins, ends)"
[ "$(grep -c '^runs done' out)" -eq 2 ] || fail "not two groups: $(cat out)"

# ---- one after the other
run 0 --in-turn --json=t.json a fileio run "${set_of[@]}" --time=0 --events=50 --repeat=2 / b fileio run "${set_of[@]}" --time=0 --events=60
json t.json "
assert r['together'] is False
assert [(x['job_number'], x['events']['count']) for x in r['runs']] == [(1, 50), (1, 50), (2, 60)]
assert {s['job_number'] for s in r['spread']} == {1, 2}"
run 1 a fileio run "${set_of[@]}" --time=0 --events=50 --repeat=2 / b fileio run "${set_of[@]}" --time=0 --events=60
grep -q -- '--repeat' err || fail "says: $(cat err)"

# ---- what is not there is made before, and what is there stays
printf 'kept' >mine
run 0 --lay-out a fileio run --total-size=64K --mode=rndrd --file-name=new --time=0 --events=20 / \
  b fileio run --total-size=128K --mode=rndwr --target=mine --overwrite-target=mine --time=0 --events=20 / \
  c fileio run --total-size=64K --mode=seqwr --file-name=anew --passes=1 --time=0
[ "$(stat -c %s new.0 mine anew.0 | tr '\n' ' ')" = '65536 131072 65536 ' ] || fail "sizes: $(ls -l new.0 mine anew.0)"
printf 'kept' >mine
run 0 --lay-out a fileio run --total-size=64K --mode=rndrd --target=mine --overwrite-target=mine --time=0 --events=20
[ "$(head -c 4 mine)" = kept ] || fail 'a target that was filled up lost what it held'
[ "$(tail -c 65000 mine | tr -d '\0' | wc -c)" -gt 60000 ] || fail 'a target was filled with zeros'
printf 'kept' >foreign.0
run 1 --lay-out a fileio run --total-size=64K --mode=rndrd --file-name=foreign --time=0 --events=20 / b fileio run "${set_of[@]}" --time=20
grep -q '^isobench: job 1 (a): .*foreign.0 exists and isobench did not make it' err || fail "says: $(cat err)"
[ "$(cat foreign.0)" = kept ] || fail 'a foreign file was changed'
printf 'kept' >unnamed
run 1 --lay-out a fileio run --total-size=64K --mode=rndrd --target=unnamed --time=0 --events=20
[ "$(cat unnamed)" = kept ] || fail 'a target that nobody named for writing was written to'

# ---- JSON alone
run 0 --json=- a fileio run "${set_of[@]}" --time=0 --events=50 / b fileio run "${set_of[@]}" --time=0 --events=60
json out "assert len(r['runs']) == 2"

# ---- Ctrl-C ends all
"$several" --json=i.json a fileio run "${set_of[@]}" --time=30 --report-interval=0.1 / b fileio run "${set_of[@]}" --time=40 / \
  c fileio run "${set_of[@]}" --time=30 --warmup=25 >out 2>err &
child=$!
for _ in $(seq 200); do # until it is under way
  grep -qs IOPS out && break
  sleep 0.05
done
kill -INT "$child"
wait "$child"
status=$?
[ "$status" -eq 1 ] || fail "Ctrl-C: status $status: $(cat err)" # of c nothing was measured
grep -q '^isobench: job 3 (c): ended in the warm-up' err || fail "Ctrl-C: says: $(cat err)"
json i.json "assert [x['status'] for x in r['runs']] == ['partial', 'partial']
assert [x['job_number'] for x in r['runs']] == [1, 2]"
"$several" a fileio run "${set_of[@]}" --time=30 --report-interval=0.1 / b fileio run "${set_of[@]}" --time=40 >out 2>err &
child=$!
for _ in $(seq 200); do
  grep -qs IOPS out && break
  sleep 0.05
done
kill -INT "$child"
wait "$child"
status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C: status $status: $(cat err)"

[ "$failures" -eq 0 ] && echo 'all checks passed'
exit $((failures > 0))
