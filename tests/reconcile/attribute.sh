#!/usr/bin/env bash
# From one tool's settings to another's, measured here: what it prints and keeps, that it goes on where it was stopped,
# and that it leaves nothing behind. usage: attribute.sh PROGRAM [RUNNER]
set -uo pipefail

# shellcheck source=tests/runner.sh
. "$(dirname "${BASH_SOURCE[0]}")/../runner.sh"

scratch=$(mktemp -d)
program=$(runner_program "$1" "${2:-}" "$scratch")
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
    "$program" attribute "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "attribute $*: status $status, not $expected"
    [ "$(wc -l <err)" -eq 1 ] || fail "attribute $*: $(wc -l <err) lines on stderr, not 1"
    grep -qF -- "$words" err || fail "attribute $*: says \"$(head -n 1 err)\", not \"$words\""
}

printf 'testfile.dat 1 0x0 2\n' >param.txt
from='sqlio -kR -s300 -frandom -b16 -BY -Fparam.txt'
to='sysbench --test=fileio --file-num=4 --file-total-size=2M --file-test-mode=rndrd --max-time=300 run'

# ---- a walk ----
"$program" attribute --from="$from" --to="$to" --budget=2s --rounds=2 --state=state --json=one.json --plot=one.svg \
    >out 2>err || fail "a walk: $(cat err)"
for words in 'files: 1 → 4' 'fill: extended → written' 'product of the effects' 'B over A, by itself' remainder; do
    grep -qF "$words" out || fail "does not say $words: $(cat out)"
done
[ ! -s err ] || fail "stderr: $(cat err)"
python3 - <<'PYTHON' || fail 'the JSON or the picture'
import json, math
import xml.etree.ElementTree as xml
document = json.load(open("one.json"))
assert document["method"] == "path" and document["rounds"] == 2
names = [effect["step"].split(":")[0] for effect in document["effects"]]
assert sorted(names) == ["files", "fill"], names
assert len(document["runs"]) == 5, len(document["runs"])
rates = {(tuple(run["steps"]), run["direct"]): run["rate_per_s"] for run in document["runs"]}
log_mean = lambda key: sum(map(math.log, rates[key])) / 2
first = math.exp(log_mean(((0,), False)) - log_mean(((), False)))
assert abs(first / document["effects"][0]["value"] - 1) < 1e-6
direct = math.exp(log_mean(((0, 1), True)) - log_mean(((), True)))
assert abs(direct / document["direct"]["value"] - 1) < 1e-6
product = math.prod(effect["value"] for effect in document["effects"])
assert abs(product / document["product"]["value"] - 1) < 1e-6
assert abs(direct / product / document["remainder"]["value"] - 1) < 1e-6
texts = "".join(xml.parse("one.svg").getroot().itertext())
assert "files: 1 → 4" in texts and "A" in texts, texts
PYTHON
left=$(find . -name 'isobench_attribute*' -o -name '*.isobench*' | head -n 1)
[ -z "$left" ] || fail "left behind: $left"

# ---- what was measured is not measured again ----
[ "$(wc -l <state)" -eq 11 ] || fail "the state has $(wc -l <state) lines, not 11"
grep -v '^[0-4] ' state >shorter && sed -n 2,3p state >>shorter && mv shorter state
cp state before
"$program" attribute --from="$from" --to="$to" --budget=2s --rounds=2 --state=state --json=two.json >out 2>err ||
    fail "going on: $(cat err)"
while read -r line; do
    grep -qxF -- "$line" state || fail "measured again: $line"
done <before
[ "$(wc -l <state)" -eq 11 ] || fail 'going on left the state short'
refuses 2 'of another attribution' --from="$from" --to="$to" --budget=3s --rounds=2 --state=state
printf 'rubbish\n' >>state
refuses 1 'state:12' --from="$from" --to="$to" --budget=2s --rounds=2 --state=state

# ---- the other method, and other ways to name a job ----
"$program" fileio run --total-size=2M --mode=rndrd --time=3 --show-job >job.json || fail 'a job'
"$program" attribute --from=job.json --to='isobench fileio run --total-size=2M --mode=rndrd --time=3 --threads=2 --files=2' \
    --budget=2s --rounds=2 --method=shapley >out 2>err || fail "shapley: $(cat err)"
grep -q 'threads: 1 → 2' out || fail 'shapley does not name its steps'

# ---- what cannot be ----
refuses 2 'name the two' --from="$from"
refuses 2 'the same job' --from="$from" --to="$from"
refuses 2 '--rounds=1' --from="$from" --to="$to" --rounds=1
refuses 2 '--budget' --from="$from" --to="$to" --budget=0.1s
refuses 2 '--budget=x' --from="$from" --to="$to" --budget=x
refuses 2 '--method=best' --from="$from" --to="$to" --method=best
refuses 2 'neither a file nor a command line' --from=nothing --to="$to"
refuses 2 'no option has that name' --form=x --to="$to"
refuses 2 'it runs nothing' --from='sysbench fileio --file-test-mode=rndrd cleanup' --to="$to"
refuses 1 'no/such/dir' --from="$from" --to="$to" --dir=no/such/dir --budget=2s --rounds=2

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
