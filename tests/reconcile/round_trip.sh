#!/usr/bin/env bash
# Every layout that isobench prints is read back to the figures and settings of the run that it printed.
# usage: round_trip.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
scratch=$(mktemp -d)
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
    if ! "$program" "$@" "--json=$name.json" >"$name.txt" 2>err; then
        fail "$name: $(cat err)"
        return
    fi
    "$program" reconcile "$name.json" "$name.txt" --json="$name.reconciled" >"$name.out" 2>err
    [ $? -le 1 ] || fail "$name: $(cat err)"
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
files=(--file-num=1 --file-total-size=4M)
layout sysbench-10 $same sysbench fileio "${files[@]}" --file-test-mode=rndrw --time=1 --report-interval=1 run
layout sysbench-10-direct $same sysbench fileio "${files[@]}" --file-test-mode=seqrd --threads=2 --time=1 \
    --file-extra-flags=direct run
layout sysbench-04 $same sysbench --test=fileio "${files[@]}" --file-test-mode=rndrd --max-time=1 --max-requests=0 run
layout sysbench-04-events $same sysbench --test=fileio "${files[@]}" --file-test-mode=rndrd --max-requests=2000 run
layout sysbench-11 $same sysbench --sysbench-version=1.1 fileio "${files[@]}" --file-test-mode=rndwr --time=1 run
layout sqlio $same sqlio -kR -s1 -frandom -b16 -o4 -BY -LS test_file.0
layout sqlio-writes $same sqlio -kW -s1 -fsequential -b64 -BY test_file.0
layout seeker $same seeker test_file.0 1
layout diskspd $same diskspd -b16K -f4M -d1 -W0 -o4 -t2 -r -L -w30 test_file.0
layout diskspd-sequential $same diskspd -b64K -f4M -d1 -W0 -o1 test_file.0
layout fio-json $same fio --name=x --filename=test_file.0 --rw=randread --bs=16k --size=4M --runtime=1 --time_based=1 \
    --output-format=json
layout fio unknown fio --name=x --filename=test_file.0 --rw=randread --bs=16k --size=4M --runtime=1 --time_based=1

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
