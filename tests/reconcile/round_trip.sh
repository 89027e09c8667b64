#!/usr/bin/env bash
# Every layout that isobench prints is read back to the figures and settings of the run that it printed.
# usage: round_trip.sh PROGRAM [RUNNER]
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

# layout NAME VERDICT ARG…: runs the tool, and holds its print against the JSON of the same run.
layout() {
    local name=$1 verdict=$2
    shift 2
    if ! "$program" "$@" "--json=$name.json" >"$name.txt" 2>"$name.err"; then
        fail "$name: $(cat "$name.err")"
        return
    fi
    "$program" reconcile "$name.json" "$name.txt" --json="$name.reconciled" >"$name.out" 2>"$name.err"
    [ $? -le 1 ] || fail "$name: $(cat "$name.err")"
    python3 - "$name" "$verdict" <<'PYTHON' || fail "$name: $(cat "$name.out")"
import json, sys
name, verdict = sys.argv[1:]
document = json.load(open(name + ".reconciled"))
assert len(document["sides"]) == 2, [side["tool"] for side in document["sides"]]
pair = document["pairs"][0]
assert pair["verdict"] == verdict, pair["text"]
assert pair["differences"] == [], pair["differences"]
# as exact as its digits: a mean latency has two or three of them, and may be 0.00
for key, low, high in (("rate_per_s", 0.97, 1.03), ("bytes_per_s", 0.97, 1.03)):
    if key in pair["ratios"]:
        assert low < pair["ratios"][key]["value"] < high, (key, pair["ratios"][key])
assert "rate_per_s" in pair["ratios"], pair["ratios"]
PYTHON
}

"$program" fileio prepare --total-size=4M >/dev/null || fail 'the file'
same='same-within-spread'
# It takes its 30 seconds, and the others meanwhile theirs.
(
    layout seeker $same seeker test_file.0 1
    exit "$failures"
) &
seeker=$!
files=(--file-num=1 --file-total-size=4M)
# sysbench's rate is over the time with the syncs at the end, isobench's without.
layout sysbench-10 $same sysbench fileio "${files[@]}" --file-test-mode=rndrw --time=1 --file-fsync-end=off \
    --report-interval=1 run
layout sysbench-10-direct $same sysbench fileio "${files[@]}" --file-test-mode=seqrd --threads=2 --time=1 \
    --file-extra-flags=direct run
layout sysbench-04 $same sysbench --test=fileio "${files[@]}" --file-test-mode=rndrd --max-time=1 --max-requests=0 run
layout sysbench-04-events $same sysbench --test=fileio "${files[@]}" --file-test-mode=rndrd --max-requests=2000 run
layout sysbench-11 $same sysbench --sysbench-version=1.1 fileio "${files[@]}" --file-test-mode=rndwr --time=1 \
    --file-fsync-end=off run
layout sqlio $same sqlio -kR -s1 -frandom -b16 -o4 -BY -LS test_file.0
layout sqlio-writes $same sqlio -kW -s1 -fsequential -b64 -BY test_file.0
layout sqlio-through $same sqlio -kW -s1 -frandom -b16 -BN -LS test_file.0
layout sqlio-file-cache $same sqlio -kW -s1 -frandom -b16 -BS test_file.0
layout diskspd-through $same diskspd -b16K -f4M -d1 -W0 -o1 -r -w100 -Sh test_file.0
layout diskspd-xml-through $same diskspd -Rxml -b16K -f4M -d1 -W0 -o1 -r -w50 -Sh test_file.0
layout diskspd $same diskspd -b16K -f4M -d1 -W0 -o4 -t2 -r -L -w30 test_file.0
layout diskspd-runs $same diskspd -b16K -f4M -d1 -W0 -o2 -t2 -rs30 -r8K -w50 test_file.0
layout diskspd-sequential $same diskspd -b64K -f4M -d1 -W0 -o1 test_file.0
layout diskspd-xml $same diskspd -Rxml -b16K -f4M -d1 -W0 -o4 -t2 -r -L -D -w30 test_file.0
layout diskspd-xml-runs $same diskspd -Rxml -b16K -f4M -d1 -W0 -o2 -F2 -rs30 -r8K -w50 -g2000i test_file.0
layout diskspd-xml-sequential $same diskspd -Rxml -b8K -B64K -f4M -d1 -W0 -o1 -t2 -s16K -T1M -Sw -Zr test_file.0
layout fio-json $same fio --name=x --filename=test_file.0 --rw=randread --bs=16k --size=4M --runtime=1 --time_based=1 \
    --output-format=json
layout fio unknown fio --name=x --filename=test_file.0 --rw=randread --bs=16k --size=4M --runtime=1 --time_based=1
layout hdparm unknown hdparm -t test_file.0 # its report does not tell how long the file is
wait "$seeker" || failures=$((failures + 1))

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
