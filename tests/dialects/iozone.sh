#!/usr/bin/env bash
# iozone on real files: the matrix, throughput mode, the reports, what is left behind, and what is refused.
# usage: iozone.sh PROGRAM [RUNNER], where RUNNER (wine) starts it.
set -uo pipefail

program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
mkdir called
cp "$program" "called/iozone${program##*isobench}" # the same when the program has the tool's name

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

iozone() {
  $runner "called/iozone${program##*isobench}" "$@" >raw 2>all </dev/null
  local status=$?
  tr -d '\r' <raw >out
  grep -v '^wine: ' all | tr -d '\r' >err # what Wine says of itself
  return "$status"
}

accepts() {
  iozone "$@" || fail "iozone $*: status $?: $(cat err)"
  grep -v '^isobench: warning: ' err && fail "iozone $*: says on stderr: $(cat err)"
  grep -qx 'iozone test complete.' out || fail "iozone $*: is not complete: $(cat out)"
}

# refuses 'part of the message' ARGUMENT…: one line on stderr and a status that is not 0
refuses() {
  local message=$1
  shift
  iozone "$@" && fail "iozone $*: status 0"
  [ "$(grep -vc '^isobench: warning: ' err)" -eq 1 ] || fail "iozone $*: not one line on stderr: $(cat err)"
  grep -qF -- "$message" err || fail "iozone $*: says \"$(cat err)\", not \"$message\""
}

# The rows of the matrix as "size record figures", a figure that is there as #.
rows() {
  sed -n '/reclen/,/complete/p' out | grep -E '^ +[0-9]' | awk '{ line = $1 " " $2; for (i = 3; i <= NF; i++) line = line " #"; print line }'
}

expects_rows() {
  [ "$(rows)" = "$1" ] || fail "rows are $(rows), not $1"
}

left_behind() {
  for name in iozone.tmp *.DUMMY.*; do
    [ -e "$name" ] && printf '%s ' "$name"
  done
}

expects_left() {
  [ "$(left_behind)" = "$1" ] || fail "left behind: \"$(left_behind)\", not \"$1\""
}

# ---- the matrix
accepts -a -n 64k -g 128k -y 32k
nine=' # # # # # # # # #'
expects_rows "64 32$nine
64 64$nine
128 32$nine
128 64$nine
128 128$nine"
expects_left ''
[ "$(grep -c compressible-data err)" -eq 1 ] || fail "one kind of warning comes more than once: $(cat err)"

accepts -i 0 -i 2 -s 64k -r 16k -e
expects_rows '64 16 # # # #'
grep -qE '^ {14}64 {6}16.{18} {18}.{18} {63}$' out || fail "the row has no hole of 18 blanks: $(cat out)"

accepts -i 0 -i 9 -i 10 -s 64k -r 64k -c -o
expects_rows '64 64 # # # # # #'

accepts -i 0 -i 1 -s 64k -r 4k -w
expects_left 'iozone.tmp '
[ "$(wc -c <iozone.tmp)" -eq 65536 ] || fail "iozone.tmp has $(wc -c <iozone.tmp) bytes"
accepts -i 1 -i 3 -i 5 -s 64k -r 4k # it was there before, so it stays
expects_left 'iozone.tmp '
refuses 'iozone.tmp' -i 1 -s 128k -r 4k # it is too short
rm iozone.tmp
refuses 'iozone.tmp' -i 1 -s 64k -r 4k # not there

# A file that was there is written to when it is named, and never removed.
printf 'precious' >kept.dat
accepts -i 0 -s 64k -r 64k -f kept.dat
[ "$(wc -c <kept.dat)" -eq 65536 ] || fail "kept.dat has $(wc -c <kept.dat) bytes"
mkdir folder
refuses 'folder' -i 0 -s 64k -r 64k -f folder

# ---- reports
accepts -R -b report.xls -i 1 -i 0 -s 64k -s 128k -r 4k -r 64k
sed -n '/Excel output is below/,$p' out | grep -qx '"Writer report"' || fail "no report: $(cat out)"
[ "$(grep -c ' report"$' out)" -eq 4 ] || fail "$(grep -c ' report"$' out) tables: $(cat out)"
tr -d '\r' <report.xls | grep -qE '^"128"   [0-9]+  [0-9]+ $' || fail "no row in report.xls: $(cat report.xls)"
# what the matrix says is what the report says
figures=$(grep -E '^ +(64|128) +(4|64) ' out | awk '{ print $3 }' | tr '\n' ' ')
table=$(sed -n '/"Writer report"/,/^$/p' out | sed -n '3,4p' | awk '{ print $2, $3 }' | tr '\n' ' ')
[ "$figures" = "$table" ] || fail "the matrix has $figures and the report $table"

# ---- throughput mode
accepts -t 2 -s 64k -r 16k -R
for test in 'initial writers' 'rewriters' 'readers' 're-readers' 'reverse readers' 'stride readers' 'random readers' \
  'mixed workload' 'random writers' 'pwrite writers' 'pread readers'; do
  grep -qE "Children see throughput for +2 $test +	+= +[0-9]+\.[0-9]{2} kB/sec\$" out || fail "no \"$test\" in $(cat out)"
done
[ "$(grep -c 'Min xfer' out)" -eq 11 ] || fail "$(grep -c 'Min xfer' out) blocks: $(cat out)"
expects_left ''

accepts -t 2 -x -T -s 64k -r 16k -i 0 -i 1 -F one two -w
expects_left 'one.DUMMY.0 two.DUMMY.1 '
[ "$(grep -c 'Min xfer .*=      64.00 kB' out)" -eq 4 ] || fail "with -x not all is transferred: $(cat out)"
rm ./*.DUMMY.*

# Whoever is first ends the measured part of all, and every file is whole nevertheless.
accepts -t 3 -s 512k -r 4k -i 0 -w
for name in iozone.DUMMY.0 iozone.DUMMY.1 iozone.DUMMY.2; do
  [ "$(wc -c <$name)" -eq 524288 ] || fail "$name has $(wc -c <$name) bytes"
done
accepts -t 3 -s 512k -r 4k -i 1 -i 2
rm ./*.DUMMY.*

# ---- JSON: the figure of the matrix is that of the run
accepts -i 0 -i 1 -s 256k -r 64k --json=runs.json
grep -q '"runs"' runs.json || fail 'no runs in the JSON'
[ "$(grep -c '"job_name"' runs.json)" -ge 1 ] || fail 'runs have no name in the JSON'

# ---- what is refused
refuses '-+n is not supported' -+n -a
refuses '-i 6 is not supported' -i 6
refuses 'exclude each other' -a -t 2
refuses 'is not valid' -s 0k

# ---- another tool's words
iozone -i 1 -s 1m -r 16k -w --as fio || fail "--as fio: $(cat err)"
grep -q -- '--rw=read --bs=16k' out || fail "--as fio says $(cat out)"

if [ -z "$runner" ]; then
  # Ctrl-C ends the series: the row ends, and what was made goes.
  "$program" iozone -a >out 2>err </dev/null &
  pid=$!
  for _ in $(seq 200); do # until it is under way
    grep -qE '^ +64 +8 ' out && break
    sleep 0.05
  done
  kill -INT "$pid"
  wait "$pid"
  status=$?
  [ "$status" -eq 130 ] || fail "a series that was cut off has status $status: $(cat err)"
  grep -q 'iozone test complete' out && fail 'a series that was cut off is complete'
  expects_left ''

  # Uncached where the file system can.
  iozone -i 0 -i 1 -I -s 64k -r 4k || grep -q 'O_DIRECT\|not supported\|cache' err || fail "-I: $(cat err)"
  iozone -i 0 -i 1 -B -s 64k -r 4k || fail "-B: $(cat err)"
fi

if [ "$failures" -gt 0 ]; then
  printf '%d checks failed\n' "$failures"
  exit 1
fi
echo 'all checks passed'
