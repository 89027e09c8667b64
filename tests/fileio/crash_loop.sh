#!/usr/bin/env bash
# The machine stops: what its disk held at that moment is played by a copy of a loop device's backing file, taken while
# a run was on. All that the ledger has from before the copy must be in it; what it has from after it must be missed.
# Needs root, loop devices and mkfs.ext4. usage: crash_loop.sh PROGRAM
set -uo pipefail
program=$(realpath "$1")
skip() { echo "SKIP: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip 'needs root'
for tool in losetup mkfs.ext4 mount umount; do
  command -v "$tool" >/dev/null || skip "no $tool here"
done
scratch=$(mktemp -d)
disk="$scratch/disk" copy="$scratch/copy" child=
# shellcheck disable=SC2329 # called by the trap
cleanup() {
  local at device
  [ -z "$child" ] || kill -9 "$child" 2>/dev/null
  wait 2>/dev/null
  for at in "$disk" "$copy"; do
    mountpoint -q "$at" && umount "$at"
  done
  for at in "$scratch"/*.img; do
    device=$(losetup -n -O NAME -j "$at" 2>/dev/null)
    [ -z "$device" ] || losetup -d "$device"
  done
  rm -rf "$scratch"
}
trap cleanup EXIT
mkdir "$disk" "$copy"
cd "$scratch" || exit 1
die() { echo "FAILED: $*"; cat out err 2>/dev/null; exit 1; }

truncate -s 48M disk.img
mkfs.ext4 -q -F disk.img >out 2>&1 || skip "mkfs.ext4: $(cat out)"
device=$(losetup -f --show disk.img 2>out) || skip "no loop device: $(cat out)"
mount "$device" "$disk" 2>out || skip "cannot mount: $(cat out)"

options=(--files=2 --total-size=8M --block-size=16K --ledger="$scratch/set.ledger")
"$program" fileio prepare --verify --dir="$disk" "${options[@]}" >out 2>err || die 'prepare --verify'

# Every thread stands still: nothing is written to the disk while it is copied, as a copy is not made at one moment.
stop_child() {
  kill -STOP "$child"
  for _ in $(seq 500); do
    cat /proc/"$child"/task/*/stat 2>/dev/null | grep -qv ') T ' || return 0
    sleep 0.01
  done
  die 'the run does not stop'
}

# check_copy LEDGER: mounts the copy, which replays its journal as after a crash, and checks the set in it
check_copy() {
  local status at
  at=$(losetup -f --show copy.img) || die 'no second loop device'
  mount "$at" "$copy" || die 'the copy cannot be mounted'
  "$program" fileio check --dir="$copy" "${options[@]}" --ledger="$1" >out 2>err
  status=$?
  umount "$copy"
  losetup -d "$at"
  return "$status"
}

# crash OPTION…
crash() {
  rm -f copy.img
  cp set.ledger start.ledger
  "$program" fileio run --verify --dir="$disk" "${options[@]}" --time=60 "$@" >run.out 2>run.err &
  child=$!
  for _ in $(seq 300); do
    cmp -s -i 4096 start.ledger set.ledger || break
    sleep 0.02
  done
  cmp -s -i 4096 start.ledger set.ledger && die "run $*: nothing was acknowledged: $(cat run.err)"
  sleep "0.$((RANDOM % 4 + 1))"
  stop_child
  cp set.ledger before.ledger # first the ledger, so that the disk has all that is in it
  cp --sparse=always disk.img copy.img
  kill -CONT "$child"
  for _ in $(seq 300); do # until much more was acknowledged than the copy can have
    sleep 0.02
    [ "$(cmp -l -i 4096 before.ledger set.ledger 2>/dev/null | wc -l)" -gt 200 ] && break
  done
  kill -9 "$child"
  wait "$child" 2>/dev/null
  child=
  check_copy before.ledger || die "run $*: something that was acknowledged is not on the disk"
  grep -q '^good' out || die "run $*: the check says nothing"
  # the other way round: a disk that lost what was acknowledged after the copy
  check_copy set.ledger && die "run $*: the check did not miss what the disk never had"
  grep -Eq '^(stale|lost) ' out || die "run $*: neither stale nor lost"
}

crash --mode=rndwr --sync-every=50
crash --mode=rndrw --engine=uv --depth=4 --sync-every=50
crash --mode=rndrw --threads=2 --sync-each-write --sync-kind=fdatasync
crash --mode=rndwr --cache=off --through=data
exit 0
