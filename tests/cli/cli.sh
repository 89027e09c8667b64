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
  [ "$got" -eq "$status" ] || fail "isobench $*: status $got, not $status"
  [ "$(wc -l <err)" -eq 1 ] || fail "isobench $*: $(wc -l <err) lines on stderr: $(cat err)"
  grep -qF -- "$message" err || fail "isobench $*: says \"$(cat err)\", not \"$message\""
  [ ! -s out ] || fail "isobench $*: prints on stdout: $(head -3 out)"
}

accepts() {
  iso "$@" >out 2>err </dev/null || fail "isobench $*: status $?: $(cat err)"
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
refuses 2 'fileio: say what to do: prepare, run or cleanup' fileio
refuses 2 'one of prepare, run, cleanup' fileio start
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
accepts fileio cleanup "$@"
prints 'removed .*test_file.2'
[ -z "$(ls test_file* 2>/dev/null)" ] || fail "cleanup left: $(ls test_file*)"

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
