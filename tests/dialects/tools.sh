#!/usr/bin/env bash
# sqlio, seeker and hdparm on real files: what they print, what they leave behind, and what is refused.
# usage: tools.sh PROGRAM [RUNNER], where RUNNER (wine) starts it.
set -uo pipefail

program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
mkdir called
for tool in sqlio seeker hdparm; do
  cp "$program" "called/$tool${program##*isobench}" # the same when the program has the tool's name
done

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

# tool NAME ARGUMENT…
tool() {
  local name=$1
  shift
  $runner "called/$name${program##*isobench}" "$@" >out 2>all </dev/null
  local status=$?
  grep -v '^wine: ' all >err # what Wine says of itself
  return "$status"
}

accepts() {
  tool "$@" || fail "$*: status $?: $(cat err)"
  grep -v '^isobench: warning: ' err && fail "$*: says on stderr: $(cat err)"
}

# refuses 'part of the message' NAME ARGUMENT…: one line on stderr and a status that is not 0
refuses() {
  local message=$1
  shift
  tool "$@" && fail "$*: status 0"
  [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(wc -l <err) lines on stderr: $(cat err)"
  grep -qF -- "$message" err || fail "$*: says \"$(cat err)\", not \"$message\""
}

prints() {
  grep -qE -- "$1" out || fail "no line like \"$1\" in: $(cat out)"
}

# The lines of the layout in this order, figures and all; $'\t' is a tab.
lines() {
  local number=0 line
  for line in "$@"; do
    number=$((number + 1))
    sed -n "${number}p" out | grep -qE -- "^$line\$" || fail "line $number is not \"$line\" but \"$(sed -n "${number}p" out)\""
  done
  [ "$(wc -l <out)" -eq "$number" ] || fail "$number lines expected: $(cat out)"
}

size_is() {
  [ "$(wc -c <"$1")" -eq "$2" ] || fail "$1 has $(wc -c <"$1") bytes, not $2"
}

tab=$'\t'

# ---- sqlio: the published command lines, shorter
printf '# comment\r\ntestfile.dat 1 0x0 3\r\n' >param.txt
accepts sqlio -kR -s1 -frandom -b16 -o8 -BH -LS -Fparam.txt testfile.dat
lines 'sqlio v1\.5\.SG' 'using system counter for latency timings, [0-9]+ counts per second' \
  'parameter file used: param\.txt' "${tab}file testfile\.dat with 1 thread \(0\) using mask 0x0 \(0\)" \
  '1 thread reading for 1 secs from file testfile\.dat' "${tab}using 16KB random IOs" \
  "${tab}enabling multiple I/Os per thread with 8 outstanding" \
  "${tab}buffering set to use hardware disk cache \(but not file cache\)" \
  'size of file testfile\.dat needs to be: 3145728 bytes' "current file size:${tab}0 bytes" \
  "need to expand by:${tab}3145728 bytes" 'expanding testfile\.dat \.\.\. done\.' \
  'using specified size: 3 MB for file: testfile\.dat' 'initialization done' 'CUMULATIVE DATA:' 'throughput metrics:' \
  'IOs/sec: *[0-9]+\.[0-9]{2}' 'MBs/sec: *[0-9]+\.[0-9]{2}' 'latency metrics:' 'Min_Latency\(ms\): [0-9]+' \
  'Avg_Latency\(ms\): [0-9]+' 'Max_Latency\(ms\): [0-9]+' 'histogram:' 'ms: 0  1  2  3 .* 9 10 .* 23 24\+' \
  "%:( *[0-9]{1,3}){25}"
size_is testfile.dat 3145728

accepts sqlio -kR -s1 -b16 -frandom -BY -Fparam.txt
lines 'sqlio v1\.5\.SG' 'parameter file used: param\.txt' \
  "${tab}file testfile\.dat with 1 thread \(0\) using mask 0x0 \(0\)" \
  '1 thread reading for 1 secs from file testfile\.dat' "${tab}using 16KB random IOs" \
  "${tab}buffering set to use both file and disk caches" 'using specified size: 3 MB for file: testfile\.dat' \
  'initialization done' 'CUMULATIVE DATA:' 'throughput metrics:' 'IOs/sec: *[0-9]+\.[0-9]{2}' \
  'MBs/sec: *[0-9]+\.[0-9]{2}'

# ---- as PowerShell's > writes it
{ printf '\377\376' && printf '# größe\r\ntestfile.dat 1 0x0 3\r\n' | iconv -f UTF-8 -t UTF-16LE; } >wide.txt
accepts sqlio -kR -s1 -b16 -frandom -BY -Fwide.txt
prints 'using specified size: 3 MB for file: testfile\.dat'
grep -q '^isobench: warning: os-cache: ' err || fail "no warning about the cache: $(cat err)"

# ---- a short file is made longer and keeps what it holds; reading writes nothing
printf 'to be kept' >short.dat
accepts sqlio -kR -s1 -BY -b4 short.dat
prints 'need to expand by:.16777206 bytes'
size_is short.dat 16777216
[ "$(head -c 10 short.dat)" = 'to be kept' ] || fail 'expanding changed the file'
[ "$(tail -c +11 short.dat | tr -d '\0' | wc -c)" -eq 0 ] || fail 'expanding wrote into the file'

# ---- writing goes over the file that is named, and over no other
cp short.dat other.dat
accepts sqlio -kW -s1 -BY -b4 -fsequential short.dat
prints '^1 thread writing for 1 secs to file short\.dat$'
[ "$(tail -c +11 short.dat | head -c 100000 | tr -d '\0' | wc -c)" -gt 90000 ] || fail 'nothing was written'
[ "$(head -c 10 other.dat)" = 'to be kept' ] || fail 'another file was written to'

# ---- several files, pools, and the JSON beside the layout
accepts sqlio -kR -s1 -BY -t2 -b4 -fsequential short.dat other.dat --json=result.json
prints '^2 threads reading for 1 secs from files short\.dat and other\.dat$'
grep -q '"file_choice": "turn"' result.json || fail 'the result does not say that files are visited in turn'
printf 'short.dat 1 0x0 4\nother.dat 1 0x0 4\n' >pools.txt
accepts sqlio -kR -s1 -BY -b4 -frandom -o2 -Fpools.txt
prints '^.file other\.dat with 1 thread \(1\) using mask 0x0 \(0\)$'
accepts sqlio --show-job -kR -BY -b4 -frandom -Fpools.txt
prints '"file_choice": "own"'
accepts sqlio --as isobench -kR -BY -frandom short.dat
prints '^isobench fileio run --target=short\.dat '
accepts sqlio
prints '^usage: sqlio'

refuses '-t0 is not valid' sqlio -t0 short.dat
printf 'short.dat\n' >bad.txt
refuses 'line 1 of bad.txt is not valid: it must be a file, its threads' sqlio -Fbad.txt
refuses 'no-such-param.txt' sqlio -Fno-such-param.txt
refuses 'sqlio has no option -x' sqlio -x
refuses 'no/such/dir' sqlio -kR -s1 -BY no/such/dir/file.dat

# ---- seeker
accepts seeker --time=1 short.dat
lines 'Seeker v2\.0, 2007-01-15, http://www\.linuxinsight\.com/how_fast_is_your_disk\.html' \
  'Benchmarking short\.dat \[16MB\], wait 1 seconds\.' 'Results: [0-9]+ seeks/second, [0-9]+\.[0-9]{2} ms random access time'
accepts seeker --time=1 short.dat 2
prints '^\[2 threads\]$'
prints '^Results: [0-9]+ seeks/second, [0-9]+\.[0-9]{3} ms random access time \([0-9]+ < offsets < [0-9]+\)$'
refuses 'no-such-file' seeker no-such-file
refuses 'seeker has no option -x' seeker -x

# ---- hdparm
accepts hdparm -tT short.dat
lines '' 'short\.dat:' ' Timing cached reads:   +[0-9]+ MB in +[0-9.]+ seconds = +[0-9.]+ (MB|kB)/sec' \
  ' Timing buffered disk reads: +16 MB in +[0-9.]+ seconds = +[0-9.]+ (MB|kB)/sec'
accepts hdparm --direct -t short.dat
prints '^ Timing O_DIRECT disk reads: +16 MB in '
refuses 'hdparm -I is not supported' hdparm -I short.dat
refuses 'no-such-file' hdparm -t no-such-file
tool hdparm -tT short.dat --json=x.json || fail "hdparm -tT with --json: $(cat err)"
grep -q '"job_number": 2' x.json || fail 'the JSON of hdparm -tT holds both runs'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
