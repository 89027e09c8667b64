#!/usr/bin/env bash
# What other tools printed, held against each other: published outputs, isobench's own, and text in every form in which
# it is found. usage: reconcile.sh PROGRAM [RUNNER]
set -uo pipefail

# shellcheck source=tests/runner.sh
. "$(dirname "${BASH_SOURCE[0]}")/../runner.sh"

fixtures=$(cd "$(dirname "$0")/fixtures" && pwd)
scratch=$(mktemp -d)
program=$(runner_program "$1" "${2:-}" "$scratch")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# run STATUS ARG…: reconcile with these arguments; what it prints is in `out` and `err`.
run() {
    local expected=$1 status
    shift
    "$program" reconcile "$@" >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "reconcile $*: status $status, not $expected: $(head -c 300 err)"
    if [ "$expected" -eq 2 ]; then
        [ "$(wc -l <err)" -eq 1 ] || fail "reconcile $*: $(wc -l <err) lines on stderr, not 1"
    fi
}

says() {
    grep -qF -- "$1" out || fail "does not say: $1"
}

keeps_quiet_of() {
    if grep -qF -- "$1" out; then
        fail "should not say: $1"
    fi
}

laptop_is_understood() {
    says 'A  sqlio 1.5.SG'
    says 'B  sysbench 0.4'
    grep -Eq '^IO/s +/s +3833\.7 +3390\.8 +B/A 0\.884$' out || fail 'the rates of the laptop'
    says 'cache              A: off (default)       B: on (stated)'
    says 'files              A: 1 (default)         B: 128 (stated)'
    says '18446744073709226000.000000 ns'
    says 'True value: -325616 ns'
    says 'True value: -0.08 ms'
    says 'True value: -13.21 ms'
    says 'it ended after 3.00 s of the 300 s asked for, because its limit of 10000 requests (the tool'\''s default) came first'
    says 'percentile 95 is 15.39 ms, 1 tick of a clock of 15.6 ms'
    says 'A ran for 300 s, B for 3.00 s'
    says 'Not the same test: 3 settings differ, cache (off, on), files (1, 128), events (0, 10000)'
    says '0.48-15.39'
    says '     echo test_file.0 1 0x0 3072 >param.txt'
    says '     isobench sqlio -kR -t1 -s300 -frandom -b16 -BN -Fparam.txt'
    grep -Eq '^     isobench sysbench fileio .*--time=300 .*--file-num=1 .*--file-total-size=3G .*--file-extra-flags=direct' out ||
        fail "sysbench's command line"
    says 'isobench fileio run --total-size=3G --mode=rndrd --cache=off --time=300'
    says 'isobench fileio prepare --total-size=3G'
}

# ---- the published comparison, in every form ----
cp "$fixtures/laptop-sqlio-sysbench.txt" laptop.txt
run 1 laptop.txt
laptop_is_understood
sed 's/$/\r/' laptop.txt >crlf.txt
run 1 crlf.txt
laptop_is_understood
{ printf '\377\376' && iconv -f UTF-8 -t UTF-16LE laptop.txt; } >utf16.txt
run 1 utf16.txt
laptop_is_understood
iconv -f UTF-8 -t UTF-16BE laptop.txt >utf16be.txt
run 1 utf16be.txt
laptop_is_understood
sed 's/–/--/g' laptop.txt >ascii.txt
run 1 ascii.txt
laptop_is_understood
sed 's/–/\&#8211;/g; s/"/\&quot;/g' laptop.txt >entities.txt
run 1 entities.txt
laptop_is_understood

# ---- the commands that it prints run as they stand, only shorter here, and are one test ----
mkdir bin pair
ln -s "$program" bin/isobench
run 1 laptop.txt
grep -E '^     (echo|isobench) ' out | sed 's/3072/4/; s/3G/4M/; s/-s300/-s1/; s/--time=300/--time=1/' >pair/commands
[ "$(wc -l <pair/commands)" -eq 5 ] || fail "the commands: $(cat pair/commands)"
(cd pair && PATH=$scratch/bin:$PATH bash -e commands >printed.txt 2>err) || fail "the commands: $(cat pair/err)"
"$program" reconcile pair/printed.txt >out 2>err
[ $? -le 1 ] || fail "what the pair printed: $(cat err)"
says 'A and B: The same test:'

# ---- as data ----
run 1 laptop.txt --json=-
python3 - out <<'PYTHON' || fail 'the JSON'
import json, sys
document = json.load(open(sys.argv[1]))
assert document["schema"] == 1
assert [side["tool"] for side in document["sides"]] == ["sqlio", "sysbench"]
assert document["sides"][0]["figures"]["rate_per_s"] == [3835.39, 3832.0], document["sides"][0]["figures"]
pair = document["pairs"][0]
assert pair["verdict"] == "other-test"
assert {row["setting"] for row in pair["differences"]} == {"cache", "files", "events"}
cache = [row for row in pair["differences"] if row["setting"] == "cache"][0]
assert cache["first"] == {"value": "off", "known": "default"} and cache["raises"] == "B", cache
assert pair["same_test"]["found"] and "--time=300" in pair["same_test"]["second"]
corrected = [row["corrected"] for row in document["findings"] if row["code"] == "timer-overflow"]
assert corrected == ["-325616 ns", "-0.08 ms", "-14710616 ns", "-13.21 ms"], corrected
PYTHON

# ---- a series: several jobs, a thread that starves the others, an output that is cut off ----
run 1 "$fixtures/ec2-small-sysbench.txt"
says 'E  sysbench 0.4.8'
grep -Eq '^IO/s +/s +9836\.0 +12417 ' out || fail 'the rates of the small instance'
says '[starved-threads] D'
says '[partial] E'
says 'threads            A: 1 (stated)          B: 64 (stated)'
run 1 "$fixtures/ec2-seeker-hdparm.txt"
says 'hdparm -t'
says 'seeker 2.0'

# ---- isobench's own ----
quick=(fileio run --mode=rndrd --total-size=1M --block-size=4K --time=0.3 --repeat=3)
"$program" fileio prepare --total-size=1M >/dev/null || fail 'prepare'
"$program" "${quick[@]}" --json=one.json >/dev/null || fail 'the first runs'
"$program" "${quick[@]}" --threads=2 --json=two.json >/dev/null || fail 'the second runs'
run 1 one.json two.json
says 'A  isobench'
says '(3 runs)'
says 'threads            A: 1 (stated)          B: 2 (stated)'
says 'Not the same test: 1 setting differs'
keeps_quiet_of 'block_size '
cp one.json again.json
run 0 one.json again.json
says 'The same test:'
says 'B/A 1.000 ('

# ---- a length that no side tells is none ----
"$program" iozone -i 0 -s 1m -r 64k >iozone.txt 2>err || fail "iozone: $(cat err)"
run 1 one.json iozone.txt
says 'iozone write'
keeps_quiet_of '[length]'

# ---- what cannot be used ----
printf 'nothing that any tool printed\n' >other.txt
: >empty.txt
head -c 4096 /dev/urandom >noise.bin
run 2
run 2 --jsn=x laptop.txt
run 2 --json= laptop.txt
run 2 missing.txt
grep -q 'missing.txt' err || fail 'an error that does not name the file'
run 2 other.txt
grep -q 'other.txt: no run of a tool that can be read is in it; these can: isobench, sysbench, sqlio' err ||
    fail "the tools that can be read: $(cat err)"
run 2 empty.txt
run 2 noise.bin
printf '{"isobench": 1' >broken.json
run 2 broken.json
grep -q 'broken.json' err || fail 'an error that does not name the broken file'
run 2 one.json
grep -q 'repetitions of one job' err || fail "one side alone: $(cat err)"
run 2 laptop.txt --json=no/such/dir/x.json

# ---- text that ends anywhere ----
for bytes in 150 400 700 1100 1500 1900 2400; do
    head -c "$bytes" laptop.txt >cut.txt
    "$program" reconcile cut.txt one.json >out 2>err
    status=$?
    [ "$status" -le 2 ] || fail "cut after $bytes bytes: status $status"
done

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
