#!/usr/bin/env bash
# The report of made-up results with known figures, in which every name is markup that must come out as text; of results
# without a manifest, of other tools' output; and what it refuses. usage: report.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
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
    "$program" report "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "report $*: status $status, not $expected"
    [ "$(wc -l <err)" -eq 1 ] || fail "report $*: $(wc -l <err) lines on stderr, not 1"
    grep -qF -- "$words" err || fail "report $*: says \"$(head -n 1 err)\", not \"$words\""
}

# page WHAT PAGE WANTED…
page() {
    local what=$1
    shift
    python3 "$here/check_page.py" "$@" >checked || fail "$what: $(cat checked)"
}

"$program" fileio prepare --total-size=1M >/dev/null && "$program" fileio run --total-size=1M --mode=rndrd --time=0.1 \
    --json=pattern.json >/dev/null || fail 'a result to begin with'
python3 "$here/make_sets.py" pattern.json || fail 'made-up results'

"$program" report linux windows -o page.html >out 2>err || fail "report: $(cat err)"
[ ! -s out ] || fail "report prints on stdout: $(head -n 3 out)"
# shellcheck disable=SC2016 # the page's own words
page 'the page' page.html '<script>alert(1)</script>linux' '<script>alert(1)</script>windows' 'img src=//evil.example' \
    'volume=x"' '×2.00 rate' '×0.50 99th percentile of latency' 'better in 3 jobs' 'NTFS on x"' 'waited x"' 'More at a time' \
    'host: CPUs busy' "host: requests in the device's queue" 'host: MiB written, not yet on the device' \
    'Which setting makes the difference' 'target: x"' '18 times' 'depth 16' 'No heat map of A:' 'B: latencies over time' 'isobench fileio run'
grep -q 'Set B: latencies over the run&#39;s time; nine of ten lie between 131 µs and 164 µs' page.html || fail 'a heat map in words'
grep -q 'host: network' page.html && fail 'a panel of what never was'
[ "$(grep -c 'class="job" id="job-' page.html)" -eq 3 ] || fail 'not one section for each job'
python3 - <<'PYTHON' || fail 'the order of the jobs'
import re
page = open("page.html", encoding="utf-8").read()
assert re.findall(r'<h3>read .*?depth=(\d+)</h3>', page.split("Job by job")[1]) == ["1", "4", "16"], page[:300]
PYTHON

# Every run's command line makes that run again.
python3 - "$program" <<'PYTHON' || fail 'the command lines'
import html, json, re, shlex, subprocess, sys
page = open("page.html", encoding="utf-8").read()
lines = re.findall(r"^isobench fileio run .*$", re.sub(r"<[^>]*>", "\n", page), re.M)
assert len(lines) == 18 and len(set(lines)) == 18, lines
wanted = json.load(open("windows/read4.r2.json", encoding="utf-8"))["job"]
found = [line for line in lines if f"--seed={wanted['seed']}" in line and "--depth=4" in line]
assert len(found) == 1, found
words = shlex.split(html.unescape(found[0]))
subprocess.run([sys.argv[1]] + words[1:] + ["--time=0.05", "--json=again.json"], check=True, stdout=subprocess.DEVNULL)
made = json.load(open("again.json", encoding="utf-8"))["job"]
assert {key for key in wanted if wanted[key] != made[key]} == {"time"}, [(k, wanted[k], made[k]) for k in wanted if wanted[k] != made[k]]
PYTHON

"$program" report linux windows --baseline=windows -o other.html || fail 'another baseline'
page 'another baseline' other.html '×0.50 rate' '×2.00 99th percentile of latency' 'worse in 3 jobs' 'Ratios are to B'
"$program" report windows -o - >one.html || fail 'one set on stdout'
page 'one set' one.html 'Findings' 'Hosts and volumes'
grep -q 'baseline' one.html && fail 'one set has a baseline'
mkdir plain && cp linux/read1.r*.json plain
"$program" report plain windows -o plain.html --title='Two <hosts>' || fail 'a folder without a manifest'
page 'a folder without a manifest' plain.html 'Two <hosts>' 'plain' '×2.00 rate' 'not run'
"$program" report "$here"/../reconcile/fixtures/*.txt -o tools.html || fail 'what other tools printed'
page 'what other tools printed' tools.html 'laptop-sqlio-sysbench.txt' 'timer-overflow'
"$program" report windows/effects.json -o effects.html || fail 'an attribution alone'
page 'an attribution alone' effects.html 'remainder'

# What lies in a folder and cannot be read is told, and so is what the plan did not come to.
cp -r linux broken && head -c 3000 linux/read4.r1.json >broken/read4.r1.json && echo '{"a": 1}' >broken/notes.json
sed -i 's/"state": "done"/"state": "failed"/g' broken/manifest.json
"$program" report linux broken -o broken.html || fail 'a folder with a broken result'
page 'a folder with a broken result' broken.html 'unreadable' 'read4.r1.json' 'missing-runs' '9 failed'
page 'a file that is no result' broken.html '1 file is no result and left out: notes.json'
grep '<li class' -A 3 broken.html | grep -q notes.json && fail 'a file that is no result is a finding'
cp -r linux changed && sed -i 's/"block_size": 16384/"block_size": 8192/' changed/read4.*.json
"$program" report linux changed -o changed.html || fail 'two tests of one name'
page 'two tests of one name' changed.html 'other-test' 'block_size 16K and 8K' 'not run'

# The tree that scripts/isobench-suite leaves: each volume is a set, called by the tags; links that lead around are not
# followed, and what is no result, or cannot be read, is told.
mkdir -p tree/lab tree/cloud tree/.git 'tree/ä <b>"/empty' && cp -r linux tree/lab/1-data && cp -r linux tree/lab/2-data &&
    cp -r windows 'tree/cloud/1-C &' && cp linux/read1.r1.json tree/.git
ln -s .. tree/lab/loop && ln -s /nowhere tree/lab/dangling && ln -s . tree/cloud/self
sed -i 's/"tags": {/&"host": "<lab>", /' tree/lab/*/manifest.json
sed -i 's/"tags": {/&"host": "cloud box", /' tree/cloud/*/manifest.json
echo '{"a": 1}' >'tree/n<otes.json' && echo '[]' >'tree/cloud/1-C &/ö.json'
"$program" report tree -o tree.html >out 2>err || fail "a tree: $(cat err)"
page 'a tree' tree.html '3 sets of results' 'cloud box' '<lab>, 1-data' '<lab>, 2-data' 'tree/cloud/1-C &' \
    '2 files are no result and left out: n<otes.json, ö.json' '×0.50 rate'
"$program" report tree --baseline=tree/lab -o tree.html || fail 'a baseline in a tree'
page 'a baseline in a tree' tree.html '×2.00 rate' 'Ratios are to B'
"$program" report tree/lab tree/cloud -o other.html || fail 'two trees'
page 'two trees' other.html '3 sets of results' '×2.00 rate' 'Ratios are to A'
mkdir tree/half && cp linux/manifest.json tree/half
"$program" report tree -o tree.html || fail 'a tree with a folder without results'
page 'a folder of a tree without results' tree.html 'no-results' 'tree/half has the manifest of a plan' '3 sets of results'
refuses 1 'tree/half: no result is in it' tree/half -o x.html
mkdir -p deep/1/2/3/4 && cp linux/read1.r1.json deep/1/2/3/4
refuses 1 'deep: no result is in it, nor in the folders below it' deep -o x.html
"$program" report deep/1 -o other.html || fail 'three folders down'
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 . && chmod 000 tree/lab/2-data && chmod 000 'tree/cloud/1-C &/read1.r1.json'
if ! ${as_user[@]+"${as_user[@]}"} ls tree/lab/2-data >/dev/null 2>&1; then
    ${as_user[@]+"${as_user[@]}"} "$program" report tree -o - >locked.html 2>err || fail "what cannot be read: $(cat err)"
    page 'what cannot be read' locked.html 'unreadable' 'tree/lab/2-data' 'Permission denied' 'read1.r1.json' '2 sets of results'
fi
chmod 755 tree/lab/2-data

# A page that cannot be written whole leaves the one that was there.
cp page.html kept.html
(
    ulimit -f 8
    "$program" report linux windows -o kept.html >out 2>err
    [ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]
) || fail "a page that does not fit: $(cat err)"
cmp -s page.html kept.html && [ -z "$(find . -maxdepth 1 -name 'kept.html?*')" ] || fail "a half page: $(ls)"

# ×2 and the rest as text
"$program" report linux windows --markdown >out || fail 'markdown'
python3 - <<'PYTHON' || fail 'Markdown'
lines = open("out", encoding="utf-8").read().split("\n")
assert lines[0].startswith("| job | | A: \\<script\\>alert(1)\\</script\\>linux |"), lines[0]
cells = [line for line in lines if "depth=16" in line and "| rate |" in line]
assert len(cells) == 1 and cells[0].endswith("| 8\u202f000 IO/s | 16\u202f000 IO/s (×2.00 \\*) |"), cells
assert not any("<" in line.replace("\\<", "") for line in lines)
PYTHON
"$program" report linux windows --csv >out.csv || fail 'csv'
python3 - <<'PYTHON' || fail 'CSV'
import csv
rows = list(csv.DictReader(open("out.csv", encoding="utf-8")))
found = [r for r in rows if r["job"].endswith("depth=4") and r["figure"] == "rate_per_s"]
assert [r["mean"] for r in found] == ["3000", "6000"] and [r["runs"] for r in found] == ["3", "3"]
assert found[1]["set"] == "<script>alert(1)</script>windows" and abs(float(found[1]["ratio"]) - 2) < 1e-4
assert found[1]["significant"] == "yes" and found[0]["significant"] == "no"
PYTHON
"$program" report linux windows --csv -o both.html >out.csv || fail 'both'
cmp -s both.html page.html || fail 'the page is another one beside a table'

mkdir empty
refuses 2 'name one or more' -o x.html
refuses 2 'says where the page goes' linux
refuses 2 'its value is missing' linux -o
refuses 2 'one of the two' linux --csv --markdown
refuses 2 '--baseline=none' linux --baseline=none -o x.html
refuses 2 '--jsn' linux --jsn -o x.html
refuses 1 'empty: no result is in it' linux empty -o x.html
refuses 1 'missing: there is no such' linux missing -o x.html
refuses 1 'nowhere/x.html' linux -o nowhere/x.html
mkdir -p noted && echo '{"plan": 3}' >noted/manifest.json
refuses 1 'manifest.json' noted -o x.html
mapfile -t many < <(yes linux | head -n 27)
refuses 2 'at most 26' "${many[@]}" -o x.html
[ ! -e x.html ] || fail 'a page was left by a call that failed'

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
