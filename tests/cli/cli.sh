#!/usr/bin/env bash
# The command line as a user meets it: what works, and for what does not, one line on stderr that names the option
# and says what would be right. usage: cli.sh PROGRAM [RUNNER], where RUNNER (wine) starts it.
set -uo pipefail

program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

iso() { $runner "$program" "$@"; }
# Wine itself says on stderr what it lacks
drop_runner_words() { [ -z "$runner" ] || sed -i '/^wine: /d' err; }

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

# refuses STATUS 'part of the message' ARGUMENT…: nothing on stdout, one line on stderr, that status
refuses() {
  local status=$1 message=$2 got
  shift 2
  iso "$@" >out 2>err </dev/null
  got=$?
  drop_runner_words
  [ "$got" -eq "$status" ] || fail "isobench $*: status $got, not $status"
  [ "$(wc -l <err)" -eq 1 ] || fail "isobench $*: $(wc -l <err) lines on stderr: $(cat err)"
  grep -qF -- "$message" err || fail "isobench $*: says \"$(cat err)\", not \"$message\""
  [ ! -s out ] || fail "isobench $*: prints on stdout: $(head -3 out)"
}

accepts() {
  iso "$@" >out 2>err </dev/null || fail "isobench $*: status $?: $(cat err)"
  drop_runner_words
  [ ! -s err ] || fail "isobench $*: says on stderr: $(cat err)"
}

prints() {
  grep -qE -- "$1" out || fail "no line like \"$1\" in: $(cat out)"
}

json() { # json 'python expression over r' FILE
  python3 -c "import json,sys; r=json.load(open('$2')); sys.exit(0 if ($1) else 1)" || fail "$2: not $1"
}

# ---- wrong words
refuses 2 'nonsense: no such command; see `isobench help`' nonsense
refuses 2 'fileio: say what to do: prepare, run, check or cleanup' fileio
refuses 2 'one of prepare, run, check or cleanup' fileio start
refuses 2 'one command is enough' fileio run cleanup
refuses 2 '--blocksize: no option has that name; did you mean --block-size?' fileio run --blocksize=4K
refuses 2 '--zzzzzz: no option has that name' fileio run --zzzzzz=4K
refuses 2 '--block-size: its value is missing' fileio run --block-size
refuses 2 '--block-size=16Q' fileio run --block-size=16Q
refuses 2 '--block-size=0' fileio prepare --block-size=0
refuses 2 '--total-size=99999999999999999999' fileio prepare --total-size=99999999999999999999
refuses 2 '--threads=0' fileio run --mode=rndrd --threads=0
refuses 2 '--threads=-1' fileio run --mode=rndrd --threads=-1
refuses 2 '--mode=rndxx' fileio run --mode=rndxx
refuses 2 '--mode' fileio run
refuses 2 '--time' fileio run --mode=rndrd --time=0
refuses 2 '--engine=warp' fileio run --mode=rndrd --engine=warp
refuses 2 '--depth=8' fileio run --mode=rndrd --engine=sync --depth=8
refuses 2 '--percentiles=101' fileio run --mode=rndrd --percentiles=101
refuses 2 '--files=10' fileio prepare --files=10 --total-size=1000
refuses 2 '--json=' fileio run --mode=rndrd --json=
refuses 2 '--file-name=a/b' fileio prepare --file-name=a/b
refuses 1 'not supported' sysbench cpu run

# ---- right words, wrong world
refuses 1 'run prepare' fileio run --mode=rndrd --total-size=1M
refuses 1 'no/such/dir' fileio prepare --dir=no/such/dir --total-size=1M
refuses 1 'no/such/result.json' fileio run --mode=rndrd --total-size=1M --json=no/such/result.json
echo mine >test_file.0
refuses 1 'test_file.0 exists and isobench did not make it' fileio prepare --total-size=1M
[ "$(cat test_file.0)" = mine ] || fail 'a foreign file was changed'
accepts fileio cleanup
prints 'left .*test_file.0: isobench did not make it'
rm test_file.0

# ---- the whole way
set -- --total-size=1M --files=3
accepts fileio prepare "$@"
[ ! -e test_file.3 ] && [ -e test_file.2 ] || fail 'prepare made the wrong files'
accepts fileio run "$@" --mode rndrw --events=500 --time=0 --json=result.json --sync-every=10 --histogram
prints '^count +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$'
prints 'latency histogram'
json "r['status'] == 'complete'" result.json
accepts fileio run "$@" --mode=seqrd --passes=1 --time=0 --json=-
cp out alone.json
json "r['status'] == 'complete'" alone.json
accepts fileio run "$@" --mode=rndrd --time=0.3 --report-interval=100ms
prints '^\[ +0\.[0-9] s\]  read [0-9]+ IOPS'
accepts fileio run --show-job "$@" --mode=rndrd
cp out job.json
json "r['mode'] == 'rndrd' and r['total_size'] == 1048576" job.json
accepts fileio run "$@" --mode=rndrd --time=0 --events=50 --repeat=3 --json=runs.json
prints '^3 runs +median +min +max +spread$'
json "len(r['runs']) == 3 and r['spread'][0]['figure'] == 'IOPS' and r['spread'][0]['min'] <= r['spread'][0]['median']" runs.json
accepts fileio run "$@" --mode=rndrd --time=0 --events=50 --rate=1000 --arrival=poisson
prints 'queue_wait +service$'
accepts fileio run "$@" --mode=rndrd --threads=100 --time=1 --json=crowd.json
json "sum(t['events'] == 0 for t in r['threads']) < 50" crowd.json # a thread that computes must not keep others from their start
# the order of the IOs is said where the mode's name does not tell it
accepts fileio run "$@" --mode=seqrd --passes=1 --time=0 --direction=backward --step=64K
prints 'mode seqrd, backward, steps of 64 KiB'
accepts fileio run "$@" --mode=rndrd --passes=2 --time=0 --coverage=once
prints 'offsets, seed [0-9]*, each place once a pass'
accepts fileio run "$@" --mode=rndrd --time=0 --events=50 --random-percent=30
prints ', 30 % of the IOs random'
accepts fileio run "$@" --mode=seqrw --passes=1 --time=0
prints 'mode seqrw \(60 % reads\)'
refuses 2 '--step=1M with --mode=rndrd' fileio run --mode=rndrd --step=1M
accepts fileio run --target=test_file.0 --mode=rndrd --time=0 --events=50
refuses 1 'say --overwrite-target=test_file.0' fileio run --target=test_file.0 --mode=rndwr --events=50
accepts fileio run --target=test_file.0 --overwrite-target=test_file.0 --mode=rndwr --time=0 --events=50
refuses 2 'leave out --rate or --think-time' fileio run --mode=rndrd --rate=10 --think-time=1
refuses 2 '--cpus=9-1: not a list of CPUs' fileio run --mode=rndrd --cpus=9-1
accepts fileio cleanup "$@"
prints 'removed .*test_file.2'
[ -z "$(ls test_file* 2>/dev/null)" ] || fail "cleanup left: $(ls test_file*)"

# ---- results as one, and HdrHistogram's encoding
accepts fileio prepare --total-size=1M
for name in a b; do
  accepts fileio run --total-size=1M --mode=rndrw --threads=2 --events=400 --time=0 --json=$name.json
done
accepts fileio run --total-size=1M --mode=rndrw --events=400 --time=0 --block-size=4K --json=other.json
accepts merge a.json b.json --json=merged.json
prints '^warning +merged: sums of 2 results: a.json \(2 threads'
json "r['total']['count'] == 800 and len(r['threads']) == 4 and r['job']['threads'] == 4" merged.json
accepts merge a.json b.json --json=-
json "r['total']['count'] == 800" out
refuses 1 'block_size is 16K in a.json and 4K in other.json; --force merges them anyway' merge a.json other.json
accepts merge a.json other.json --force
prints '^warning +merge-jobs: '
accepts fileio run --total-size=1M --block-size=4K --mode=rndrd --events=10 --repeat=2 --json=twice.json
refuses 1 'twice.json: holds several runs, and one is wanted here' merge a.json twice.json
refuses 2 'name two or more result files' merge a.json
refuses 2 'a.json is named twice' merge a.json a.json
refuses 2 '--jsn=x: merge has the options' merge a.json b.json --jsn=x
refuses 1 'no/such.json' merge a.json no/such.json
accepts hdr export merged.json --out=merged.hlog
grep -q '^Tag=read,0.000,' merged.hlog || fail "merged.hlog: $(cat merged.hlog)"
accepts hdr import merged.hlog
prints '^ +read +write +end_sync'
accepts hdr export a.json --class=read --out=a.txt
accepts hdr export b.json --class=read --out=b.txt
accepts hdr import a.txt b.txt --percentiles=50,99.9
prints '^histograms +2$'
prints '^p99\.9 '
prints "^count +$(python3 -c "import json; print(json.load(open('merged.json'))['classes']['read']['count'])")\$"
refuses 2 'hdr: say what to do: export or import' hdr
refuses 2 'hdr export: name one result file' hdr export
refuses 2 '--format=v2 holds one class' hdr export a.json --format=v2
refuses 2 '--format=log holds all classes' hdr export a.json --format=log --class=read
refuses 2 '--class=fsync: one of read, write, sync' hdr export a.json --class=fsync
refuses 2 '--unit=h: one of ns, us, ms' hdr import a.txt --unit=h
refuses 2 '--percentiles=101' hdr import a.txt --percentiles=101
refuses 1 'has no operations of the class sync to export' hdr export a.json --class=sync
refuses 1 'result.json: line 1: ' hdr import result.json
accepts hdr --help
prints 'isobench hdr import FILE'
accepts fileio cleanup --total-size=1M

# ---- warnings: in the text and in the JSON, and not where they are out of place
warns() { # warns CODE FILE
  prints "^warning +$1: "
  json "'$1' in [w['code'] for w in r['warnings']]" "$2"
}
is_silent() { # is_silent CODE FILE
  ! grep -q "^warning *$1:" out || fail "warns of $1 in: $(cat out)"
  json "'$1' not in [w['code'] for w in r['warnings']]" "$2"
}
set -- --total-size=1M --time=0 --events=200
accepts fileio prepare --total-size=1M
accepts fileio run "$@" --mode=rndrd --json=cached.json
warns os-cache cached.json
prints 'working set of 1 MiB fits into the memory of [0-9.]+ [GT]iB'
is_silent unwritten cached.json
accepts fileio run "$@" --mode=rndwr --sync-each-write --json=synced.json
is_silent os-cache synced.json
accepts fileio cleanup --total-size=1M
if [ -z "$runner" ]; then # Wine does not tell what was written, nor how long threads wait
  accepts fileio prepare --total-size=1M --fill=extended
  accepts fileio run "$@" --mode=rndrd --json=hollow.json
  warns unwritten hollow.json
  prints '1 MiB of the 1 MiB that are read \(100 %\) were never written'
  accepts fileio run "$@" --mode=rndwr --json=filled.json
  is_silent unwritten filled.json
  accepts fileio run "$@" --mode=rndrd --threads=$(($(nproc) * 4)) --time=0.5 --events=0 --json=crowded.json
  warns client-cpu crowded.json
  read -r _ waited _ </proc/self/schedstat 2>/dev/null || waited=
  [ -z "$waited" ] || json "r['cpu_wait_ns'] > r['load_ns']" crowded.json
  accepts fileio cleanup --total-size=1M
fi

# ---- help and version
accepts help
prints 'isobench fileio prepare'
accepts help fileio
prints '--block-size=SIZE  \[16K\]'
accepts fileio run --help
prints '--sync-every=N  \[0\]'
accepts version
prints '^isobench [0-9]+\.[0-9]+\.[0-9]+$'
refuses 2 'walrus' help walrus

# ---- called sysbench, it speaks sysbench
cp "$program" "sysbench${program##*isobench}"
$runner "./sysbench${program##*isobench}" --version >out 2>err || fail "called sysbench: $(cat err)"
prints '^sysbench 1\.0\.20'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
