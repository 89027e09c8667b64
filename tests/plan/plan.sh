#!/usr/bin/env bash
# A plan from its file to a folder of results: what is run, what is left, and going on after a cut. usage: plan.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
plans=$(cd "$(dirname "$0")/../../plans" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

refuses() {
    local expected=$1 words=$2 status
    shift 2
    "$program" run "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "run $*: status $status, not $expected"
    [ "$(wc -l <err)" -eq 1 ] || fail "run $*: $(wc -l <err) lines on stderr, not 1"
    grep -qF -- "$words" err || fail "run $*: says \"$(head -n 1 err)\", not \"$words\""
}

cat >small.ini <<'PLAN'
[global]
total_size = 1M
time = 0.1
repeat = 2
interleave = yes

[read]
mode = rndrd
threads = 1, 2

[large]
mode = seqrd
total_size = 2M
PLAN

# ---- every plan that ships is one that can run ----
for plan in "$plans"/*.ini; do
    "$program" run "$plan" --dry-run >out 2>err || fail "$plan: $(cat err)"
    grep -q '^isobench ' out || fail "$plan: no command line"
done
"$program" run small.ini --dry-run >out || fail 'a dry run'
[ "$(grep -c '^isobench fileio run ' out)" -eq 6 ] || fail "a dry run of 6: $(cat out)"
[ "$(find . -name '*.json' | wc -l)" -eq 0 ] || fail 'a dry run wrote something'

# ---- the whole ----
mkdir volume
"$program" run small.ini --out=results --dir=volume --tag=volume=gp3 --tag=note='a b' >out 2>err ||
    fail "a plan: $(cat err)"
grep -qE '^small.ini: 3 jobs, 6 runs \(6 to do\), about [0-9.]+ (m?s) with' out || fail "what it announces: $(head -n 1 out)"
[ -z "$(ls volume)" ] || fail "left behind: $(ls volume)"
[ "$(grep -c '; warnings: .*os-cache' out)" -eq 6 ] || fail "what the runs warn of: $(cat out)"
grep -q '^\[6/6\] .*; about [0-9]* ms left' out || fail "the time that is left: $(cat out)"
python3 - <<'PYTHON' || fail 'the results'
import glob, json, os
manifest = json.load(open("results/manifest.json"))
assert manifest["tags"] == {"volume": "gp3", "note": "a b"}, manifest["tags"]
assert manifest["plan_text"] == open("small.ini").read()
assert manifest["host"]["cpu_count"] > 0
assert len(manifest["runs"]) == 6 and all(run["state"] == "done" for run in manifest["runs"])
for run in manifest["runs"]:
    result = json.load(open("results/" + run["file"]))
    assert result["status"] == "complete" and result["job"]["dir"] == "volume"
    assert result["job"]["total_size"] == (2 if run["job"] == "large" else 1) * 2 ** 20
assert len(glob.glob("results/*.json")) == 7
first, rest = manifest["runs"][:3], manifest["runs"][3:]
assert {run["repetition"] for run in first} == {1} and {run["repetition"] for run in rest} == {2}
PYTHON
"$program" compare results >out || fail 'the results are no set for compare'

# ---- going on ----
refuses 2 'it holds results already' small.ini --out=results --dir=volume
rm results/large.r2.json
cp -p results/large.r1.json kept
"$program" run small.ini --out=results --dir=volume --resume >out 2>err || fail "resuming: $(cat err)"
grep -q '6 runs (1 to do), about [0-9]* ms with the making of files' out || fail "resuming: $(head -n 1 out)"
[ -f results/large.r2.json ] || fail 'resuming left the run out'
cmp -s kept results/large.r1.json || fail 'resuming ran again what was done'

# ---- some of the jobs now, the others later: the folder knows of all ----
"$program" run small.ini --out=parts --dir=volume --only='read.*' >out 2>err || fail "some jobs: $(cat err)"
grep -q '4 runs (4 to do)' out || fail "some jobs: $(head -n 1 out)"
[ "$(grep -c '"repetition"' parts/manifest.json)" -eq 4 ] || fail 'the manifest of some jobs'
"$program" run small.ini --out=parts --dir=volume --only=large --resume >out 2>err || fail "the other jobs: $(cat err)"
grep -q '6 runs (2 to do)' out || fail "the other jobs: $(head -n 1 out)"
[ "$(grep -c '"state": "done"' parts/manifest.json)" -eq 6 ] || fail "the manifest of all jobs: $(cat parts/manifest.json)"
printf '; changed\n' >>small.ini
refuses 2 'of another plan' small.ini --out=results --dir=volume --resume
printf '{' >results/manifest.json
refuses 1 'manifest.json' small.ini --out=results --dir=volume --resume

# ---- Ctrl-C in the middle ----
sed 's/time = 0.1/time = 30/' small.ini >long.ini
"$program" run long.ini --out=cut --dir=volume >out 2>err &
runner=$!
for _ in $(seq 100); do
    [ "$(ls volume | wc -l)" -ge 1 ] && grep -q '^\[1/6\]' out && break
    sleep 0.1
done
sleep 0.5
kill -INT "$runner"
wait "$runner"
status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C: status $status: $(cat err)"
[ -z "$(ls volume)" ] || fail "left behind by Ctrl-C: $(ls volume)"
grep -q -- '--resume' err || fail "Ctrl-C: $(cat err)"

# ---- no room for the results: the figures are shown, and no half of a file is left ----
(
    sed 's/total_size = 1M/total_size = 4K\nblock_size = 4K/' small.ini >tiny.ini
    ulimit -f 4 # KiB; a result has more than 8
    "$program" run tiny.ini --out=full --dir=volume --only='read.threads=1' >out 2>err
    [ $? -eq 1 ] || fail 'no room for a result is no failure'
    [ "$(grep -c ' IO/s' out)" -eq 2 ] || fail "no room for a result: $(cat out)"
    [ "$(grep -c '^isobench: read.threads=1: .*full/read.threads=1.r[12].json' err)" -eq 2 ] || fail "no room: $(cat err)"
    [ "$(find full -type f -not -name manifest.json | wc -l)" -eq 0 ] || fail "left by a full volume: $(ls full)"
    exit "$failures"
) || failures=$((failures + 1))

# ---- one run that fails ends no others ----
cat >bad.ini <<'PLAN'
[global]
mode = rndrd
total_size = 1M
time = 0.1

[absent]
target = no-such-file

[present]
threads = 1
PLAN
"$program" run bad.ini --out=bad >out 2>err
status=$?
[ "$status" -eq 1 ] || fail "a run that fails: status $status"
grep -q '^isobench: absent: .*no-such-file' err || fail "a run that fails: $(cat err)"
[ -f bad/present.r1.json ] && [ ! -f bad/absent.r1.json ] || fail "a run that fails: $(ls bad)"

# ---- Ctrl-C that comes back as an error (here of the making of tables) ends all runs, not this one alone ----
cat >failing.ini <<'PLAN'
[global]
mode = rndrd
total_size = 1M
time = 30

[a-database]
workload = oltp_point_select
db_file = volume/locked.sqlite
table_size = 50000000

[never]
threads = 1
PLAN
"$program" run failing.ini --out=failing >out 2>err &
runner=$!
for _ in $(seq 300); do # until rows are written: before, nobody listens for a Ctrl-C that the shell has told to be ignored
    [ -n "$(find volume -name locked.sqlite-wal -size +1000)" ] && break
    sleep 0.1
done
kill -INT "$runner"
wait "$runner"
status=$?
[ "$status" -eq 130 ] || fail "Ctrl-C in the making of tables: status $status: $(cat err)"
! grep -q never out || fail "Ctrl-C in the making of tables went on: $(cat out)"
[ "$(wc -l <err)" -eq 1 ] || fail "Ctrl-C in the making of tables: $(cat err)"
rm -f volume/*

# ---- a run that is cut by shutdown_grace is no Ctrl-C: one read takes longer than time and grace together ----
cat >forced.ini <<'PLAN'
[global]
mode = seqrd
total_size = 256M

[cut]
block_size = 256M
time = 0.002
shutdown_grace = 0.001

[rest]
block_size = 1M
time = 0.1
PLAN
"$program" run forced.ini --out=forced --dir=volume >out 2>err
status=$?
[ "$status" -eq 3 ] || fail "shutdown_grace: status $status: $(cat err)"
grep -q '^isobench: cut: shutdown_grace' err || fail "shutdown_grace: $(cat err)"
grep -q '"forced"' forced/cut.r1.json || fail 'shutdown_grace: the result does not say so'
"$program" run forced.ini --out=forced --dir=volume --resume >out 2>err || fail "behind a forced run: $(cat err)"
python3 - <<'PYTHON' || fail 'the states of runs that were forced and resumed'
import json
states = {run["job"]: run["state"] for run in json.load(open("forced/manifest.json"))["runs"]}
assert states == {"cut": "forced", "rest": "done"}, states
PYTHON
[ -z "$(ls volume)" ] || fail "left behind by a forced run: $(ls volume)"

# ---- what cannot be ----
refuses 2 'name a plan'
refuses 2 '--out=DIR' small.ini
refuses 1 'missing.ini' missing.ini --out=x
refuses 2 '--only=none' small.ini --out=x --only=none
refuses 2 '--dir=nowhere: is no directory' small.ini --out=x --dir=nowhere
refuses 2 '--tag=x' small.ini --out=x --tag=x
refuses 2 '--otu' small.ini --otu=x
refuses 2 '--out=: its value is missing' small.ini --out
"$program" run small --out x --only 'read.threads=1' --dry-run >out || fail 'options with blanks, and a plan without .ini'
grep -c '^isobench fileio run' out | grep -qx 2 || fail "not the runs of one job: $(cat out)"
printf '[a]\nmode = rndrd\nthreads = many\n' >wrong.ini
refuses 2 'wrong.ini:3: threads=many' wrong.ini --out=x
[ ! -e x ] || fail 'a plan that is wrong made a folder'

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
