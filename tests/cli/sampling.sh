#!/usr/bin/env bash
# Samples of the host: in results of files and databases, in plans, and live. usage: sampling.sh PROGRAM [RUNNER]
set -euo pipefail
program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
run() { ${runner:+"$runner"} "$program" "$@"; }

cat >check.py <<'PYTHON'
"""check.py RESULT INTERVAL_S: the samples hang together."""
import json, sys
result = json.load(open(sys.argv[1]))
series, interval_ns = result["host_series"], float(sys.argv[2]) * 1e9
samples = series["samples"]
assert series["interval_ns"] == interval_ns and series["cpus"] >= 1 and 0 < series["cost_ns"] < interval_ns, series
measured = [s for s in samples if not s.get("warmup")]
assert measured, "no sample of the measured part"
assert sum(s["elapsed_ns"] for s in measured) >= result["elapsed_ns"] - interval_ns, "a part is not covered"
for before, after in zip(samples, samples[1:]):
    assert before["end_ns"] + after["elapsed_ns"] == after["end_ns"], "there is a gap"
if result["job"]["warmup"] > 0:
    assert samples[0]["warmup"] and samples[0]["end_ns"] < interval_ns, samples[0]
for sample in samples:
    shares = [share for share in sample["cpu"].values() if share is not None]
    assert abs(sum(shares) - 1) < 1e-4 and min(shares) >= 0, shares
    assert len(sample["cpu_busy_share"]) <= series["cpus"]
    assert all(busy is None or 0 <= busy <= 1 for busy in sample["cpu_busy_share"])
    assert sample["memory_available_bytes"] > 0
    for device in sample["devices"]:
        assert 0 <= device["utilization_share"] <= 1 and device["queue_depth"] >= 0, device
PYTHON
check() { python3 check.py "$@" || fail "samples of $1"; }

run fileio prepare --total-size=1M >/dev/null
run fileio run --total-size=1M --mode=rndrw --warmup=0.6 --time=1.3 --sample=0.4 --json=file.json >out
check file.json 0.4
run fileio run --total-size=1M --mode=rndrd --time=0.2 --sample=60 --json=short.json >out
check short.json 60
run fileio run --total-size=1M --mode=rndrd --time=0.2 --json=none.json >out
grep -q host_series none.json && fail 'samples that nobody asked for'
run fileio run --total-size=1M --mode=rndrd --sample=0.01 >out 2>err && fail 'a sample of 10 ms is taken'
grep -qx 'isobench: --sample=10ms: must be 0 (none) or at least 100ms' err || fail "no clear refusal: $(cat err)"
run fileio cleanup --total-size=1M >/dev/null

run oltp prepare --table-size=100 >/dev/null
run oltp oltp_read_only run --table-size=100 --time=1 --sample=0.3 --json=table.json >out
check table.json 0.3
run oltp cleanup --table-size=100 >/dev/null

printf '[global]\nsample = 0.2\n[one]\nmode = rndrd\ntotal_size = 1M\ntime = 0.5\n' >plan.ini
run run plan.ini --out=results >out || fail "a plan: $(cat out)"
for result in results/*.json; do
  [ "$result" = results/manifest.json ] || check "$result" 0.2
done

# Another program's reader takes the file with its samples.
run reconcile file.json file.json >out || fail "reconcile: $(cat out)"

# Live: the rows of three looks, below one title.
run top --interval=0.2 --count=3 >out || fail 'top'
[ "$(grep -c ' cpu .*%' out)" -eq 3 ] || fail "top has not three looks: $(cat out)"
[ "$(grep -c ' user ' out)" -eq 1 ] || fail "top has not one title: $(cat out)"
for word in --interval=1ms --interval=x --count=x --count --bogus; do
  status=0
  run top "$word" >out 2>err || status=$?
  [ -z "$runner" ] || sed -i '/^wine: /d' err # which says there what it lacks
  if [ "$status" -ne 2 ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ]; then
    fail "top $word: status $status, $(cat err)"
  fi
done
if [ -z "$runner" ]; then
  "$program" top --interval=0.1 >out 2>err &
  child=$!
  for _ in $(seq 200); do
    grep -q ' cpu .*%' out && break
    sleep 0.05
  done
  kill -INT "$child"
  status=0
  wait "$child" || status=$?
  { [ "$status" -eq 130 ] && [ ! -s err ]; } || fail "Ctrl-C ends top with $status: $(cat err)"
fi
[ "$failures" -eq 0 ] || exit 1
echo 'all checks passed'
