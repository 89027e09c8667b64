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
grep -q '^small.ini: 3 jobs, 6 runs (6 to do)' out || fail "what it announces: $(head -n 1 out)"
[ -z "$(ls volume)" ] || fail "left behind: $(ls volume)"
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
grep -q '6 runs (1 to do)' out || fail "resuming: $(head -n 1 out)"
[ -f results/large.r2.json ] || fail 'resuming left the run out'
cmp -s kept results/large.r1.json || fail 'resuming ran again what was done'
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
grep -q 'no-such-file' err || fail "a run that fails: $(cat err)"
[ -f bad/present.r1.json ] && [ ! -f bad/absent.r1.json ] || fail "a run that fails: $(ls bad)"

# ---- what cannot be ----
refuses 2 'name a plan'
refuses 2 '--out=DIR' small.ini
refuses 1 'missing.ini' missing.ini --out=x
refuses 2 '--only=none' small.ini --out=x --only=none
refuses 2 '--tag=x' small.ini --out=x --tag=x
refuses 2 '--otu' small.ini --otu=x
printf '[a]\nmode = rndrd\nthreads = many\n' >wrong.ini
refuses 2 'wrong.ini:3: threads=many' wrong.ini --out=x
[ ! -e x ] || fail 'a plan that is wrong made a folder'

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
