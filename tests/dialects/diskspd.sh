#!/usr/bin/env bash
# diskspd on real files: its text and XML reports, several targets at the same time, files that are made, and what is
# refused.
# usage: diskspd.sh PROGRAM [RUNNER], where RUNNER (wine) starts it.
set -uo pipefail

program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
mkdir called
cp "$program" "called/diskspd${program##*isobench}" # the same when the program has the tool's name
diskspd=called/diskspd${program##*isobench}

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

tool() {
  $runner "$diskspd" "$@" >out 2>all </dev/null
  local status=$?
  grep -v '^wine: ' all >err # what Wine says of itself
  return "$status"
}

accepts() {
  tool "$@" || fail "$*: status $?: $(cat err)"
  grep -v '^isobench: warning: ' err && fail "$*: says on stderr: $(cat err)"
}

# refuses 'part of the message' ARGUMENT…: one line on stderr, none on stdout, and status 1
refuses() {
  local message=$1 status=0
  shift
  tool "$@" || status=$?
  [ "$status" -eq 1 ] || fail "$*: status $status"
  [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(wc -l <err) lines on stderr: $(cat err)"
  [ ! -s out ] || fail "$*: prints $(cat out)"
  grep -qF -- "$message" err || fail "$*: says \"$(cat err)\", not \"$message\""
}

prints() {
  grep -qE -- "$1" out || fail "no line like \"$1\" in: $(cat out)"
}

prints_no() {
  grep -qE -- "$1" out && fail "a line like \"$1\" in: $(cat out)"
}

# The lines of the layout in this order, as they were added to `wanted`; rows of CPUs are taken out of both.
lines() {
  local number=0 line
  grep -vE '^ +[0-9]+\| +[0-9.]+%' out >rows
  while IFS= read -r line; do
    number=$((number + 1))
    sed -n "${number}p" rows | grep -qE -- "^$line\$" ||
      fail "line $number is not \"$line\" but \"$(sed -n "${number}p" rows)\""
  done <wanted
  [ "$(wc -l <rows)" -eq "$number" ] || fail "$number lines expected: $(cat rows)"
}

size_is() {
  [ "$(wc -c <"$1")" -eq "$2" ] || fail "$1 has $(wc -c <"$1") bytes, not $2"
}

figure='[0-9]+\.[0-9]+'

# table NAME BORDER TAIL LINES…: a table of the layout
table() {
  printf '%s\n' '' "$1 IO" "thread \|       bytes     \|     I/Os     \|    MiB/s   \|  I/O per s $2\|  file" "-+" \
    "${@:3}"
}

row=" \| +[0-9]+ \| +[0-9]+ \| +$figure \| +$figure"

# ---- text: all that a report can have
accepts -b4K -c1M -d1 -W0 -t2 -o4 -r -w50 -L -D -z3 new.dat
{
  printf '%s\n' '' 'Command Line: diskspd -b4K -c1M -d1 -W0 -t2 -o4 -r -w50 -L -D -z3 new\.dat' '' 'Input parameters:' ''
  printf '\t%s\n' 'timespan:   1' '-------------' 'duration: 1s' 'warm up time: 0s' 'cool down time: 0s' \
    'affinity disabled' 'measuring latency' 'gathering IOPS at intervals of 1000ms' 'random seed: 3' "path: 'new\\.dat'"
  printf '\t\t%s\n' 'think time: 0ms' 'burst size: 0' 'using software cache' \
    'using hardware write cache, writethrough off' 'performing mix test \(read/write ratio: 50/50\)' 'block size: 4KiB' \
    'using random I/O \(alignment: 4KiB\)' 'number of outstanding I/O operations per thread: 4' 'threads per file: 2' \
    'using (I/O Completion Ports|io_uring|a pool of threads)' 'IO priority: normal'
  printf '%s\n' '' 'System information:' ''
  printf '\t%s\n' 'computer name: .+' 'start time: 20[0-9]{2}/[01][0-9]/[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9] UTC'
  printf '%s\n' '' '' 'Results for timespan 1:' '\*{79}' '' $'actual test time:\t'"$figure"s $'thread count:\t\t2' \
    $'proc count:\t\t[0-9]+' '' 'CPU \|  Usage \|  User  \|  Kernel \|  Idle' '-{43}' '-{43}' 'avg\.\|.*'
  for name in Total Read Write; do
    table "$name" '\|  AvgLat  \| IopsStdDev \| LatStdDev ' \
      "     0$row \| +$figure \|        N/A \| +$figure \| new\\.dat \(1MiB\)" \
      "     1$row \| +$figure \|        N/A \| +$figure \| new\\.dat \(1MiB\)" "-{114}" \
      "total:   +[0-9]+ \| +[0-9]+ \| +$figure \| +$figure \| +$figure \| +$figure \| +$figure"
  done
  printf '%s\n' '' '' '' 'total:' '  %-ile \|  Read \(ms\) \| Write \(ms\) \| Total \(ms\)' '-{46}'
  for name in '    min' '   25th' '   50th' '   75th' '   90th' '   95th' '   99th' '3-nines' '4-nines' '5-nines' \
    '6-nines' '7-nines' '8-nines' '9-nines' '    max'; do
    printf '%s\n' "$name \| +[0-9]+\.[0-9]{3} \| +[0-9]+\.[0-9]{3} \| +[0-9]+\.[0-9]{3}"
  done
} >wanted
lines
size_is new.dat 1048576

# The sums of the tables agree: total = read + write, and the threads' rows add up.
awk '/^(Total|Read|Write) IO$/ { section = $1 }
  /^ +[0-9]+ \|/ { split($0, cell, "|"); rows[section] += cell[3] }
  /^total: / { split($0, cell, "|"); total[section] = cell[2] + 0 }
  END { exit !(total["Total"] > 0 && total["Total"] == total["Read"] + total["Write"] &&
               rows["Total"] == total["Total"] && rows["Read"] == total["Read"] && rows["Write"] == total["Write"]) }' \
  out || fail "the sums do not agree: $(cat out)"

# ---- what -c made is written: nothing warns of bytes that no device was asked for
accepts -b4K -c256K -d1 -W0 -o1 filled.dat
grep -q 'unwritten' err && fail "the file of -c was not written: $(cat err)"
[ "$(tr -d '\0' <filled.dat | wc -c)" -gt 260000 ] || fail 'the file of -c is empty'
prints_no 'AvgLat|IopsStdDev|%-ile'

# ---- what is there stays: reading writes nothing, -w100 writes no further than it may
printf 'to be kept' >kept.dat
head -c 1048566 /dev/zero >>kept.dat
cp kept.dat before.dat
accepts -b4K -d1 -W0 -r kept.dat
cmp -s kept.dat before.dat || fail 'a read test changed its file'
accepts -b4K -B512K -d1 -W0 -w100 -s kept.dat
cmp -s -n 524288 kept.dat before.dat || fail 'something was written before -B'
cmp -s kept.dat before.dat && fail 'nothing was written behind -B'
size_is kept.dat 1048576

# ---- several targets run at the same time, each with threads of its own
cp before.dat second.dat
accepts -b8K -d1 -W0 -t2 -o2 -r -L -D kept.dat second.dat
prints '^thread count:.*4$'
prints "^     0$row .* kept\.dat \(1MiB\)$"
prints "^     2$row .* second\.dat \(1MiB\)$"
prints "^     3$row .* second\.dat \(1MiB\)$"
prints '^kept\.dat$'
prints '^second\.dat$'
prints '^total:$'
grep '^actual test time:' out | grep -qE '0\.9|1\.' || fail "two targets did not run at the same time: $(cat out)"

# ---- XML: one document, read by a parser of its own
accepts -b4K -d1 -W0 -t2 -o2 -r -w50 -L -D100 -a0 -Rxml kept.dat second.dat
python3 - out <<'PYTHON' || fail "the XML is not right: $(head -c 3000 out)"
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "Results", root.tag
span = root.find("TimeSpan")
profile = root.find("Profile/TimeSpans/TimeSpan")
assert [path.text for path in profile.findall("Targets/Target/Path")] == ["kept.dat", "second.dat"]
assert profile.find("Affinity/AffinityGroupAssignment").attrib == {"Group": "0", "Processor": "0"}
assert float(span.find("TestTimeSeconds").text) > 0.5
assert span.find("ThreadCount").text == "4"
threads = span.findall("Thread")
assert [thread.find("Id").text for thread in threads] == ["0", "1", "2", "3"]
for thread in threads:
    value = {element.tag: element.text for element in thread.find("Target")}
    assert int(value["IOCount"]) == int(value["ReadCount"]) + int(value["WriteCount"]) > 0
    assert int(value["BytesCount"]) == int(value["IOCount"]) * 4096
    assert int(value["FileSize"]) == 1048576
    assert float(value["AverageLatencyMilliseconds"]) > 0
levels = [bucket for bucket in span.findall("Latency/Bucket")]
assert len(levels) == 108 and levels[0].find("Percentile").text == "0" and levels[-1].find("Percentile").text == "100"
assert levels[-2].find("Percentile").text == "99.9999999"
for name in ("ReadMilliseconds", "WriteMilliseconds", "TotalMilliseconds"):
    column = [float(bucket.find(name).text) for bucket in levels]
    assert column == sorted(column), name
buckets = span.findall("Iops/Bucket")
assert len(buckets) >= 5, len(buckets)
assert float(span.find("Iops/IopsStdDev").text) >= 0
for cpu in span.findall("CpuUtilization/*"):
    usage, idle = float(cpu.find("UsagePercent").text), float(cpu.find("IdlePercent").text)
    assert abs(usage + idle - 100) < 0.1 or usage == idle == 0, (usage, idle)
PYTHON

# ---- a brake holds, and latencies hold no wait for it
accepts -b4K -d1 -W0 -o1 -r -g50i -L kept.dat
prints 'throughput rate-limited to 50 IOPS'
awk '/^total: / { split($0, cell, "|"); exit !(cell[2] >= 20 && cell[2] <= 52) }' out || fail "-g50i: $(cat out)"

# ---- the JSON beside the layout, the profile alone, other words for the load
accepts -b4K -d1 -W0 -r --json=result.json kept.dat
grep -q '"data": "count-up"' result.json || grep -q '"mode": "rndrd"' result.json || fail 'the result is not that of the run'
accepts -Rpxml -b4K kept.dat
prints '^<Profile>$'
accepts --as isobench -b4K -r -Su kept.dat
prints '^isobench fileio run --target=kept\.dat '
accepts --show-job -b4K -w30 kept.dat
prints '"mode": "seqrw"'
accepts
prints '^usage: diskspd'

# ---- wrong input
refuses '-b4Kx is not valid' -b4Kx kept.dat
refuses 'diskspd has no option -k' -k kept.dat
refuses 'no target is named' -b4K
refuses '-b4K stands behind a target' kept.dat -b4K
refuses '-x is not supported' -x kept.dat
refuses 'no-such-file' -d1 -W0 no-such-file
refuses 'no/such/dir' -d1 -W0 -c1M no/such/dir/file.dat
tool -d1 -W0 kept.dat no-such-file && fail 'a target that is not there: status 0'
grep -q 'no-such-file' err || fail "a target that is not there: says $(cat err)"
[ ! -s out ] || fail "a target that is not there: prints $(cat out)"

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
