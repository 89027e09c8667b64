#!/usr/bin/env bash
# Sets of results side by side: made-up results with known figures, in every form of the table. usage: compare.sh PROGRAM [RUNNER]
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
    "$program" compare "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "compare $*: status $status, not $expected"
    [ "$(wc -l <err)" -eq 1 ] || fail "compare $*: $(wc -l <err) lines on stderr, not 1"
    grep -qF -- "$words" err || fail "compare $*: says \"$(head -n 1 err)\", not \"$words\""
}

# A real result is the pattern; counts are put in.
"$program" fileio prepare --total-size=1M >/dev/null && "$program" fileio run --total-size=1M --mode=rndrd --time=0.1 \
    --json=pattern.json >/dev/null || fail 'a result to begin with'
python3 - <<'PYTHON' || fail 'made-up results'
import copy, json, os
pattern = json.load(open("pattern.json"))

def result(rate, threads):
    made = copy.deepcopy(pattern)
    made["job"]["threads"] = threads
    made["threads"] = [copy.deepcopy(made["threads"][0]) for _ in range(threads)]
    made["load_ns"] = 1000000000
    read = made["classes"]["read"]
    read["count"] = rate
    read["histogram"] = [[1000, rate]]
    made["events"]["count"] = rate
    return made

sets = {"old": {1: [100, 101, 99], 8: [400, 404, 396]}, "new": {1: [200, 202, 198], 8: [400, 401, 399]},
        "other": {1: [50]}}
for name, jobs in sets.items():
    os.makedirs(name)
    for threads, rates in jobs.items():
        runs = [result(rate, threads) for rate in rates]
        document = runs[0] if len(runs) == 1 else {"schema": 1, "together": False, "runs": runs, "spread": []}
        json.dump(document, open(f"{name}/t{threads}.json", "w"))
json.dump({"plan": "quick"}, open("old/manifest.json", "w"))
PYTHON

"$program" compare old new other >out 2>err || fail "compare: $(cat err)"
grep -Eq '^rndrd 16K, threads 1 +100 +200 \(x2\.000 \*\) +50 \(x0\.500\)$' out || fail "one thread: $(cat out)"
grep -Eq '^rndrd 16K, threads 8 +400 +400 \(x1\.000\) +-$' out || fail "eight threads: $(cat out)"
grep -Eq '^geometric mean \(range\) +1 +x1\.414 \(x1\.000 to x2\.000\) +x0\.500 \(x0\.500 to x0\.500\)$' out ||
    fail "the geometric mean: $(cat out)"
[ "$(head -n 1 out)" = 'IO/s; in brackets the ratio to old (*: beyond noise, three runs or more)' ] ||
    fail "the title: $(head -n 1 out)"
mkdir -p results/of-a-very-long-name
cp -r old new results/of-a-very-long-name
"$program" compare results/of-a-very-long-name/old results/of-a-very-long-name/new --figure p99_ns >out || fail 'options with blanks'
grep -Eq '^ +ts/of-a-very-long-name/old +ts/of-a-very-long-name/new$' out || fail "long names: $(cat out)"
"$program" compare old new --baseline=new >out || fail 'another baseline'
grep -Eq '^rndrd 16K, threads 1 +100 \(x0\.500 \*\) +200$' out || fail "another baseline: $(cat out)"
"$program" compare old new other --markdown >out || fail 'markdown'
grep -qF '| rndrd 16K, threads 1 | 100 | 200 (x2.000 *) | 50 (x0.500) |' out || fail "markdown: $(cat out)"
"$program" compare old new other --csv >out.csv || fail 'csv'
"$program" compare old new other --json=- >out.json || fail 'json'
python3 - <<'PYTHON' || fail 'CSV or JSON'
import csv, json
rows = list(csv.DictReader(open("out.csv")))
assert len(rows) == 6, rows
new = [row for row in rows if row["set"] == "new" and row["job"].endswith("1")][0]
assert new["runs"] == "3" and float(new["rate_per_s"]) == 200 and float(new["ratio"]) == 2 and new["significant"] == "yes"
assert float(new["ratio_low"]) < 2 < float(new["ratio_high"])
document = json.load(open("out.json"))
assert document["baseline"] == "old" and document["figure"] == "rate_per_s"
assert [total["jobs"] for total in document["totals"]] == [2, 2, 1]
assert abs(document["totals"][1]["geometric_mean"] - 2 ** 0.5) < 1e-3
assert document["totals"][1]["best_job"].endswith("threads 1")
assert document["rows"][1]["sets"][2]["mean"] is None
PYTHON
"$program" compare old/t1.json new/t1.json --figure=mean_ns >out || fail 'files and another figure'
grep -q '^latency mean, ms' out || fail "another figure: $(cat out)"

# Another engine is another job, but where each system's own is meant; every row says in what it differs, whatever kind of
# job stands first.
python3 - <<'PYTHON' || fail 'results of engines'
import copy, json, os
pattern = json.load(open("old/t1.json"))["runs"][0]
for name, engine, depth in (("engines/a", "sync", 1), ("engines/b", "mmap", 1), ("engines/c", "uring", 4), ("windows/c", "iocp", 4),
                            ("windows/d", "iocp", 8)):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    made = copy.deepcopy(pattern)
    made["job"].update(engine=engine, depth=depth)
    json.dump(made, open(name + ".json", "w"))
PYTHON
"$program" oltp prepare --table-size=10 >/dev/null && "$program" oltp oltp_point_select run --table-size=10 --time=0.1 \
    --json=engines/0.json >/dev/null || fail 'a database'
"$program" compare engines windows >out || fail 'engines'
for row in 'oltp_point_select +[0-9.]+ +-' 'rndrd 16K, engine sync, depth 1 +100 +-' 'rndrd 16K, engine mmap, depth 1 +100 +-' \
    'rndrd 16K, engine asynchronous, depth 4 +100 +100 \(x1.000\)' 'rndrd 16K, engine asynchronous, depth 8 +- +100'; do
    grep -Eq "^$row\$" out || fail "engines: no row $row in $(cat out)"
done

mkdir empty
refuses 2 'name one or more'
refuses 2 '--figure=speed' old --figure=speed
refuses 2 '--baseline=none' old --baseline=none
refuses 2 '--jsn' old --jsn
refuses 1 'empty: no result is in it' old empty
refuses 1 'missing' old missing
refuses 1 'pattern' old pattern
printf '{' >broken.json
refuses 1 'broken.json' old broken.json

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
