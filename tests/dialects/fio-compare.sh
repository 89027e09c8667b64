#!/usr/bin/env bash
# The same job file through the real fio and ours: the layout with its figures masked, the keys of the JSON, and how much
# was done. usage: fio-compare.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
command -v fio >/dev/null || { echo 'fio is not installed'; exit 77; }
fio --version | grep -q '^fio-3\.' || { echo 'fio is not version 3'; exit 77; }
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir theirs ours
failures=0

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

cat >job.fio <<'JOB'
[global]
size=1m
runtime=2100ms
time_based
[one]
rw=randread
bs=16k
description=reads
[two]
stonewall
rw=randwrite
fsync=64
numjobs=2
group_reporting
percentile_list=50:99.9
[three]
stonewall
rw=randrw
ioengine=psync
iodepth=4
lat_percentiles=1
JOB

# What both say, without figures and units; how many rows the percentiles and buckets take depends on the figures.
mask() {
  sed -e '/^Disk stats/,$d' -e '/^  lat (/d' -e 's/, ctx=.*//' -e 's/pid=.*/pid=/' -e 's/([num]sec)/(U)/' \
    -e 's/[0-9][0-9.]*[KMGT]iB/NB/g' -e 's/[0-9][0-9.]*[kMGT]*B/NB/g' -e 's/[0-9][0-9.]*[kM]\{0,1\}/N/g' \
    -e 's/(  [KM]iB/(  B/' \
    -e 's/= *N/=N/g' -e 's/\[ *N\]/[N]/g' -e 's/  *Nth/ Nth/g' |
    awk '/^     \|/ { rows = rows substr($0, 7); next }
         { if (rows != "") { gsub(/,/, "", rows); print "     |" rows; rows = "" } print }' |
    sed -e '$!b' -e '/^$/d'
}

(cd theirs && fio ../job.fio) >theirs.out 2>theirs.err || fail "fio: $(cat theirs.err)"
(cd ours && "$program" fio ../job.fio) >ours.out 2>ours.err || fail "ours: $(cat ours.err)"
mask <theirs.out >theirs.masked
mask <ours.out >ours.masked
[ "$(wc -l <ours.masked)" -gt 60 ] || fail "the report is short: $(cat ours.out)"
diff theirs.masked ours.masked >layout.diff || fail "the layouts differ: $(cat layout.diff)"

# ---- JSON: every key is fio's, of the same kind; those that are missing are known
(cd theirs && fio --output-format=json ../job.fio) >theirs.json || fail 'fio --output-format=json'
(cd ours && "$program" fio --output-format=json ../job.fio) >ours.json 2>ours.err || fail "json: $(cat ours.err)"
python3 - <<'PY' || fail 'the JSON differs'
import json, sys
text = open('theirs.json').read() # fio puts its notes before it
theirs, ours = json.loads(text[text.index('{'):]), json.load(open('ours.json'))
known = {'slat_ns', 'trim', 'ctx', 'majf', 'minf', 'iodepth_level', 'iodepth_submit', 'iodepth_complete', 'disk_util'}
wrong = []
def compare(path, a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        missing = set(a) - set(b) - known
        extra = set(b) - set(a) - {'isobench'}
        if path.endswith('job options') or path.endswith('global options'):
            missing = extra = set() # a flag without a value is left out by fio
        if path.endswith('sync/lat_ns') or path.endswith('_ns'): # percentiles only where there are samples
            missing -= {'percentile'}; extra -= {'percentile'}
        wrong.extend(f'{path}: {key} is missing' for key in sorted(missing))
        wrong.extend(f'{path}: {key} is not of fio' for key in sorted(extra))
        for key in set(a) & set(b):
            compare(f'{path}/{key}', a[key], b[key])
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            wrong.append(f'{path}: {len(a)} and {len(b)} of them')
        for i, (x, y) in enumerate(zip(a, b)):
            compare(f'{path}[{i}]', x, y)
    elif type(a) is not type(b):
        wrong.append(f'{path}: {a!r} and {b!r}')
compare('', theirs, ours)
for a, b in zip(theirs['jobs'], ours['jobs']):
    for key in 'jobname', 'groupid', 'error':
        if a[key] != b[key]:
            wrong.append(f"{key}: {a[key]} and {b[key]}")
    for side in 'read', 'write':
        if (a[side]['total_ios'] > 0) != (b[side]['total_ios'] > 0):
            wrong.append(f"{a['jobname']}: {side}s")
        tally = b[side]
        if tally['total_ios'] and abs(tally['iops'] * tally['runtime'] / 1000 - tally['total_ios']) > 0.01 * tally['total_ios'] + 2:
            wrong.append(f"{a['jobname']}: {side} iops and total_ios")
        if tally['lat_ns']['N'] != tally['total_ios']:
            wrong.append(f"{a['jobname']}: {side} N")
print('\n'.join(wrong))
sys.exit(bool(wrong))
PY

# ---- the same amount of work
while read -r line; do
  # shellcheck disable=SC2086 # words
  (cd theirs && rm -f c.* && fio --name=c $line) | sed -n 's/.*issued rwts: total=\([0-9,]*\) .*/\1/p' >theirs.count
  # shellcheck disable=SC2086
  (cd ours && "$program" fio --name=c $line 2>/dev/null) | sed -n 's/.*issued rwts: total=\([0-9,]*\) .*/\1/p' >ours.count
  { [ -s theirs.count ] && cmp -s theirs.count ours.count; } || fail "$line: fio did $(cat theirs.count), ours $(cat ours.count)"
done <<'LINES'
--size=512k --rw=read
--size=512k --rw=randread --bs=8k --loops=2
--size=512k --rw=randread --norandommap
--size=500k --rw=write --fsync=16
--size=512k --rw=randwrite --io_size=100k
--size=512k --io_size=1m --rw=randread
--size=512k --rw=read --number_ios=10
--size=512k --rw=read --nrfiles=3
--size=512k --rw=read --bs=5000
--size=512k --rw=read --bs=4KiB
--size=512k --rw=randread --numjobs=2 --group_reporting
--size=256k --rw=read --numjobs=2 --filename=c.shared --group_reporting
--size=512k --rw=randread --random_distribution=zipf:1.1 --norandommap
--size=256k --rw=write --filename=c.w --offset=64k
--filesize=256k --nrfiles=2 --rw=read
LINES

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
