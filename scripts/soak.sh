#!/usr/bin/env bash
# A long run whose memory must stay flat: what leaks or grows shows here and in no short test.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/soak.sh [OPTION]…
Runs isobench with a mixed load for a long time and looks at its memory every few seconds. Fails when the median of the
last third of the samples is above that of the first third by more than 3 % and 2 MiB. The first tenth does not count.

  --minutes=N     how long (default: 30)
  --program=FILE  isobench to use (default: builds the release)
  --dir=DIR       where the test files go, 64 MiB (default: a new directory that is removed)
  --help          this text

Exit status 0: flat; 1: it grew, or the run failed; 77: this system has no /proc.
TEXT
}

minutes=30
program=
directory=
while [ $# -gt 0 ]; do
    case $1 in
    --minutes=*) minutes=${1#*=} ;;
    --program=*) program=${1#*=} ;;
    --dir=*) directory=${1#*=} ;;
    --minutes | --program | --dir)
        [ $# -gt 1 ] || die_usage "$1: its value is missing"
        set -- "$1=$2" "${@:3}"
        continue
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die_usage "unknown option $1" ;;
    esac
    shift
done
[[ $minutes =~ ^[1-9][0-9]*$ ]] || die_usage "--minutes=$minutes: must be a whole number of minutes, 1 or more"
if [ ! -r /proc/self/status ]; then
    echo "this system has no /proc to read a process's memory from"
    exit 77
fi

if [ -z "$program" ]; then
    need_packages "${build_packages[@]}"
    say "release build"
    build_preset release isobench
    program=$root/build/release/bin/isobench
fi
[ -x "$program" ] || die "$program is not a program"

scratch=$(mktemp -d)
child=
clean() {
    if [ -n "$child" ]; then
        kill -INT "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    "$program" fileio cleanup "${files[@]}" >/dev/null 2>&1 || true
    rm -rf "$scratch"
}
files=(--dir="${directory:-$scratch}" --file-name=soak --files=8 --total-size=64M)
trap clean EXIT

# Reads, writes and syncs at a queue depth from several threads, with a series: every part of a run that could grow.
# The series itself does: some 250 bytes each second.
"$program" fileio prepare "${files[@]}" >/dev/null
"$program" fileio run "${files[@]}" --mode=rndrw --threads=8 --depth=4 --sync-every=1000 --time="${minutes}m" \
    --report-interval=1 --json="$scratch/result.json" >"$scratch/out" 2>&1 &
child=$!

# resident_kib PID: memory of the process, or nothing when it is gone.
resident_kib() {
    awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status" 2>/dev/null || true
}

say "$minutes minutes"
every=$((minutes < 5 ? 1 : 5))
started=$SECONDS
printf 'seconds,kib\n' >"$scratch/samples.csv"
while sleep "$every"; do
    kib=$(resident_kib "$child")
    [ -n "$kib" ] || break
    printf '%d,%d\n' $((SECONDS - started)) "$kib" >>"$scratch/samples.csv"
done
status=0
wait "$child" || status=$?
child=
if [ "$status" -ne 0 ]; then
    tail -n 20 "$scratch/out" >&2
    die "isobench ended with status $status"
fi

# Twenty lines are enough to see a slope.
awk -F, '
    NR > 1 { at[++n] = $1; kib[n] = $2 }
    END {
        step = n > 20 ? n / 20 : 1
        print "  seconds   resident KiB"
        for (i = 1; i <= n; i += step)
            printf "%9d %14d\n", at[int(i)], kib[int(i)]
    }
' "$scratch/samples.csv"

# median FIRST LAST: of the samples from FIRST up to, not with, LAST.
samples=$(($(wc -l <"$scratch/samples.csv") - 1))
[ "$samples" -ge 30 ] || die "only $samples samples: the run was too short to tell"
median() {
    tail -n +$(($1 + 2)) "$scratch/samples.csv" | head -n $(($2 - $1)) | cut -d, -f2 | sort -n |
        awk '{ kib[NR] = $1 } END { print kib[int((NR + 1) / 2)] }'
}
skipped=$((samples / 10))
third=$(((samples - skipped) / 3))
first=$(median "$skipped" $((skipped + third)))
last=$(median $((samples - third)) "$samples")
operations=$(sed -n 's/^count *//p' "$scratch/out" | tail -n 1 | tr -s ' ' | sed 's/ /, /g')
printf 'operations of each class: %s\n' "$operations"
printf 'median of the first third %d KiB, of the last %d KiB\n' "$first" "$last"
[ "$last" -le $((first + first * 3 / 100 + 2048)) ] || die "memory grew from $first to $last KiB"
say "memory is flat"
