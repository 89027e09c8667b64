#!/usr/bin/env bash
# fio's language on real files: what is made, what is left alone, how much is done, and what is printed.
# usage: fio.sh PROGRAM [RUNNER], where RUNNER (wine) starts it.
set -uo pipefail

program=$(realpath "$1")
runner=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

fio() {
  $runner "$program" fio "$@" >out 2>all </dev/null
  local status=$?
  grep -v '^wine: ' all >err # what Wine says of itself
  return "$status"
}

accepts() {
  fio "$@" || fail "$*: status $?: $(cat err)"
  grep -v '^isobench: warning: ' err && fail "$*: says on stderr: $(cat err)"
}

# refuses 'part of the message' ARGUMENT…: one line on stderr, nothing on stdout, and a status that is not 0
refuses() {
  local message=$1
  shift
  fio "$@" && fail "$*: status 0"
  [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(wc -l <err) lines on stderr: $(cat err)"
  grep -qF -- "$message" err || fail "$*: says \"$(cat err)\", not \"$message\""
}

prints() {
  grep -qE -- "$1" out || fail "no line like \"$1\" in: $(cat out)"
}

size_is() {
  [ "$(wc -c <"$1")" -eq "$2" ] || fail "$1 has $(wc -c <"$1") bytes, not $2"
}

# Bytes of a file that are not NUL.
written_in() {
  tr -d '\0' <"$1" | wc -c
}

# ---- each block once, and then it ends
accepts --name=a --size=256k --rw=randread
prints '^a: Laying out IO file \(1 file / 0MiB\)$'
prints '^a: \(groupid=0, jobs=1\): err= 0: pid=[0-9]+: '
prints 'issued rwts: total=64,0,0,0 short=0'
size_is a.0 262144
[ "$(written_in a.0)" -gt 250000 ] || fail 'the file that is read was not written'
accepts --name=a --size=256k --rw=randread
grep -q 'Laying out' out && fail 'files that are there are made again'
accepts --name=a --size=256k --rw=read --loops=2 --bs=8k
prints 'issued rwts: total=64,0,0,0 '
accepts --name=a --size=256k --rw=randread --norandommap --io_size=40k
prints 'issued rwts: total=10,0,0,0 '

# ---- writes, syncs, and files of their own
# Wine reserves no space
accepts --name=w --size=128k --rw=write --numjobs=2 --fsync=8 --group_reporting --fallocate=none
prints '^w: \(groupid=0, jobs=2\)'
prints 'issued rwts: total=0,64,0,8 '
size_is w-0.0 131072
size_is w-1.0 131072
[ "$(written_in w-1.0)" -gt 120000 ] || fail 'nothing was written'
accepts --name=n --size=128k --rw=write --fallocate=none
prints 'issued rwts: total=0,32,0,0 '
size_is n.0 131072
accepts --name=m --size=64k --nrfiles=2 --rw=rw
prints '^m: Laying out IO files \(2 files / total 0MiB\)$'
size_is m.1 32768

# ---- only files that are named are written over, and what is missing is made
printf 'to be kept' >mine.0
refuses 'isobench did not make it' --name=mine --size=64k --rw=write
[ "$(cat mine.0)" = 'to be kept' ] || fail 'a file of somebody else was written to'
accepts --name=x --filename=named.dat --size=64k --rw=read
size_is named.dat 65536
[ "$(written_in named.dat)" -gt 60000 ] || fail 'the named file was not written'
refuses 'named.dat has ' --name=x --filename=named.dat --size=128k --rw=read
size_is named.dat 65536
before=$(cksum <named.dat)
accepts --name=x --filename=named.dat --size=64k --rw=randread
[ "$(cksum <named.dat)" = "$before" ] || fail 'reading changed the file'
accepts --name=x --filename=named.dat --size=128k --rw=randwrite
size_is named.dat 131072
[ "$(cksum <named.dat)" != "$before" ] || fail 'writing did not change the file'

# ---- clones have much in common: what is to be said of all is said once
fio --name=c --size=64k --rw=randread --bs=4k --numjobs=3 || fail "clones: $(cat err)"
[ "$(grep -c 'warning: .*os-cache: ' err)" -eq 1 ] || fail "the same is said of each clone: $(cat err)"
grep -q '^isobench: warning: job 1 (c) and 2 more: os-cache: ' err || fail "clones: $(cat err)"

# ---- a job file: together, then one after the other
cat >job.fio <<'JOB'
; three jobs in two groups
[global]
size=64k
runtime=1
time_based
invalidate=0
[read]
rw=randread
numjobs=2
[write] # beside it
rw=randwrite
[last]
stonewall
rw=randrw
JOB
accepts job.fio
prints '^read: \(groupid=0, jobs=1\)'
prints '^write: \(groupid=0, jobs=1\)'
prints '^last: \(groupid=1, jobs=1\)'
[ "$(grep -c '(groupid=' out)" -eq 4 ] || fail "not four entries: $(cat out)"
[ "$(grep -c '^Run status group' out)" -eq 2 ] || fail "not two groups: $(cat out)"
prints '^   READ: bw=.*, io=.*, run=[0-9]+-[0-9]+msec$'
accepts --section=last --runtime=1 job.fio --output-format=json --output=report.json
[ "$(wc -c <out)" -eq 0 ] || fail "the report is on stdout: $(cat out)"
grep -q '"jobname": "last"' report.json || fail "no job in the report: $(cat report.json)"
grep -q '"jobname": "read"' report.json && fail 'a section that was not asked for has run'
accepts --show-job job.fio
cp out told
{ printf '\377\376' && iconv -f UTF-8 -t UTF-16LE job.fio; } >wide.fio # as PowerShell's > writes it
accepts --show-job wide.fio
diff told out >/dev/null || fail "the same job file in UTF-16: $(cat out)"
[ "$(grep -c '"mode"' out)" -eq 4 ] || fail "not four jobs: $(cat out)"
accepts --parse-only job.fio
[ "$(wc -c <out)" -eq 0 ] || fail "--parse-only prints: $(cat out)"
accepts --as fio --name=a --size=256k --rw=randread
prints '^fio --name=a --rw=randread --bs=4k --size=256k$'

# ---- what is wrong
printf '[a]\nsize=1m\nrw=read\nverify=md5\n' >bad.fio
refuses 'bad.fio:4: verify is not supported' bad.fio
refuses 'no-such-file.fio' no-such-file.fio
refuses '--bogus is not supported' --name=a --size=1m --bogus=1
refuses 'you need to specify size=' --name=a
[ -e bad.0 ] && fail 'a refused job made files'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo 'all checks passed'
