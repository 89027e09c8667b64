#!/usr/bin/env bash
# A plan and the report of its results by the Windows program under Wine, with names that are not ASCII, and beside results
# of Linux where a program for it is given. usage: report.sh ISOBENCH.EXE [LINUX_PROGRAM]
set -uo pipefail

program=$(realpath "$1")
linux=${2:+$(realpath "$2")}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# page WHAT PAGE WANTED…
page() {
    local what=$1
    shift
    python3 "$here/../report/check_page.py" "$@" >checked || fail "$what: $(cat checked)"
}

cat >small.ini <<'PLAN'
[global]
total_size = 1M
cache = off
time = 0.2
report_interval = 0.1
repeat = 3

[read ä]
mode = rndrd
threads = 1, 2
PLAN

mkdir 'the volume é'
wine "$program" run small --dir='the volume é' --out='results/wine box/1-é' --tag=host='wine box' --openmetrics=plan.prom >out 2>err ||
    fail "a plan: $(cat err)"
grep -q '6 runs (6 to do), about ' out || fail "what it announces: $(head -n 1 out)"
[ "$(grep -c '; warnings: .*os-cache' out)" -eq 6 ] || fail "Wine has no cache=off, and the runs do not say so: $(cat out)"
[ -z "$(ls 'the volume é')" ] || fail "left behind: $(ls 'the volume é')"
grep -q '^isobench_plan_runs{state="done"} 6' plan.prom || fail 'the metrics of the plan'
grep -qF 'name="read_ä.threads=2",repetition="3"' plan.prom || fail 'the metrics of its last run'
wine "$program" run small --out='results/wine box/1-é' --resume >out 2>err || fail "resuming: $(cat err)"
grep -q '6 runs (0 to do)' out || fail "resuming: $(head -n 1 out)"
[ -z "$linux" ] || "$linux" run small --dir='the volume é' --out=results/linux/1-x --tag=host=tux >out 2>err ||
    fail "the plan on Linux: $(cat err)"

echo '{}' >results/nöt.json
wine "$program" report results -o 'page ü.html' >out 2>err || fail "the report: $(cat err)"
page 'the report' 'page ü.html' 'wine box' 'read_ä.threads=1' 'Wine' 'os-cache' '1 file is no result and left out: nöt.json' \
    'Hosts and volumes' ${linux:+tux 'Ratios are to A'}
wine "$program" report results --csv >rows.csv 2>err || fail "CSV: $(cat err)"
[ "$(tr -d '\r' <rows.csv | grep -cE '^"read_ä.threads=[12]","wine box",rate_per_s,3,')" -eq 2 ] || fail "CSV: $(cat rows.csv)"
wine "$program" report results --markdown 2>/dev/null | grep -qE '^\| read.*ä\.threads=1 \|' || fail 'Markdown'
if [ -n "$linux" ]; then # what both say of the same folders is the same, but for the ends of lines and of separators
    "$linux" report results --csv >linux.csv || fail 'CSV on Linux'
    tr -d '\r' <rows.csv | diff - linux.csv || fail 'the two programs make different tables of the same results'
fi
wine "$program" report nowhere -o x.html >out 2>err
status=$?
[ "$status" -eq 1 ] && grep -q '^isobench: nowhere: there is no such' err && [ ! -e x.html ] || fail "no such folder: $status: $(cat err)"

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
