#!/usr/bin/env bash
# What goes wrong under a run is counted or ends it, named, and never passes in silence: a file that is cut, a full
# disk, a directory that vanishes. usage: faults.sh PROGRAM
set -uo pipefail
program=$(realpath "$1")
scratch=$(mktemp -d)
full="$scratch/full"
loop=
cleanup() {
  mountpoint -q "$scratch/mounted" && umount "$scratch/mounted"
  [ -z "$loop" ] || losetup -d "$loop"
  mountpoint -q "$full" && umount "$full"
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch" || exit 1
die() { echo "FAILED: $*: $(cat out err)"; exit 1; }

"$program" fileio prepare --total-size=4M >/dev/null || exit 1

# a file that is cut under the run, by each engine there is; mmap's reads must not kill the process
for engine in sync uv mmap uring; do
  for on_error in stop count; do
    "$program" fileio prepare --total-size=4M >/dev/null 2>&1 ||
      { "$program" fileio cleanup >/dev/null; "$program" fileio prepare --total-size=4M >/dev/null; }
    rm -f out
    "$program" fileio run --total-size=4M --mode=rndrd --engine=$engine --on-error=$on_error --time=3 \
      --report-interval=0.05 --json=cut.json >out 2>err &
    child=$!
    for _ in $(seq 100); do grep -qs IOPS out && break; sleep 0.02; done
    dd if=/dev/null of=test_file.0 bs=1048576 seek=1 2>/dev/null # cuts it there
    wait "$child"
    status=$?
    if grep -q "io_uring is disabled\|built without" err; then continue; fi
    [ $status -eq 1 ] || die "$engine, $on_error: status $status after the file was cut"
    grep -q 'test_file.0: ' err || die "$engine: the file is not named"
    grep -q 'offset' err || die "$engine: no offset"
    python3 -c "
import json
r = json.load(open('cut.json'))
assert r['classes']['read']['count'] > 0
if '$on_error' == 'count':
    assert r['status'] == 'complete' and r['classes']['read']['errors'] > 0 and r['faults'][0]['operation'] == 'read'
else:
    assert r['status'] == 'partial'
" || die "$engine, $on_error: the JSON does not say it"
  done
done

# a file that may not grow so far is an error that names the limit, not the end of the process
"$program" oltp prepare --db-file=limited.sqlite --table-size=1000 >out 2>err || die 'prepare of tables'
limited() { # ARGUMENT…
  (
    ulimit -f 1000
    "$program" "$@" >out 2>err
  )
  [ $? -eq 1 ] || die "$*: not status 1 at ulimit -f"
  [ "$(wc -l <err)" -eq 1 ] || die "$*: not one line at ulimit -f"
  grep -q 'ulimit -f allows a file 1024000 bytes' err || die "$*: the limit is not named"
}
limited fileio prepare --file-name=limited --total-size=4M
limited oltp prepare --db-file=other.sqlite --table-size=20000
limited oltp run --db-file=limited.sqlite --table-size=1000 --threads=2 --time=60 --json=limited.json
grep -q '"status": "partial"' limited.json || die 'a run at ulimit -f is not partial'

# the directory of the files is gone before the run
mkdir gone && "$program" fileio prepare --dir=gone --total-size=1M >/dev/null && rm -r gone
"$program" fileio run --dir=gone --total-size=1M --mode=rndrd --time=0.1 >out 2>err && die 'a vanished directory is no error'
grep -q 'gone' err || die 'the directory is not named'

# more descriptors than the system allows are refused before the run, with what to set
"$program" fileio prepare --file-name=many --files=300 --total-size=5M >/dev/null || exit 1
(
  ulimit -n 200
  "$program" fileio run --file-name=many --files=300 --total-size=5M --mode=rndrd --time=0.1 >out 2>err
) && die 'too many descriptors are no error'
grep -q 'ulimit -n' err || die 'the limit is not named'
"$program" fileio cleanup --file-name=many --files=300 >/dev/null

# a disk that is full
[ "$(id -u)" -eq 0 ] && mkdir "$full" && mount -t tmpfs -o size=2M tmpfs "$full" 2>/dev/null || exit 0
"$program" fileio prepare --dir="$full" --total-size=8M >out 2>err && die 'prepare on a full disk is no error'
[ -z "$(ls "$full")" ] || die "prepare left on the full disk: $(ls "$full")"
grep -q 'free' err || die 'prepare does not say how much is free'
"$program" fileio run --dir="$full" --mode=seqwr --total-size=8M --passes=1 --time=0 >out 2>err &&
  die 'a full disk is no error'
grep -q 'No space left on device (errno 28)\|is the disk full' err || die 'the full disk is not named'
"$program" fileio run --dir="$full" --mode=seqwr --total-size=8M --passes=1 --time=0 --on-error=count --json=full.json \
  >out 2>err && die 'counted errors are no success'
python3 -c "
import json
r = json.load(open('full.json'))
w = r['classes']['write']
assert w['errors'] > 0 and w['count'] + w['errors'] == 512, w
assert sum(f['count'] for f in r['faults']) == w['errors']
" || die 'the JSON does not count the failures'
"$program" fileio cleanup --dir="$full" >/dev/null

# a device: never written unless named for that, and never while it is mounted
command -v losetup >/dev/null && command -v mkfs.ext4 >/dev/null || exit 0
dd if=/dev/zero of=image bs=1048576 count=8 2>/dev/null
loop=$(losetup -f --show "$PWD/image" 2>/dev/null) || { loop=; exit 0; }
mkfs.ext4 -q "$loop" || exit 0
write_device() { "$program" fileio run --target="$loop" --mode=rndwr --time=0 --events=20 "$@" >out 2>err; }
before=$(cksum <image)
write_device && die 'a device was written without being named'
grep -q -- "--overwrite-target=$loop" err || die 'the way to name a device is not said'
mkdir mounted && mount "$loop" mounted || exit 0
write_device --overwrite-target="$loop" && die 'a mounted device was written'
grep -q 'mounted or in use' err || die 'it is not said that the device is mounted'
umount mounted
"$program" fileio run --target="$loop" --mode=rndrd --time=0 --events=20 >out 2>err || die 'a device cannot be read'
write_device --overwrite-target="$loop" || die 'a device that was named cannot be written'
sync
[ "$before" != "$(cksum <image)" ] || die 'nothing was written to the device'
exit 0
