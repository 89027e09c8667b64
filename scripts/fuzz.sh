#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz with libFuzzer and the address and undefined-behaviour sanitizers.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/fuzz.sh [OPTION]… [TARGET]…
Feeds each target (all of them if none is named) with made-up inputs and stops at the first that breaks it. Installs
clang if it is missing.

  --seconds=N    how long each target runs (default: 60)
  --help         this text

An input that breaks a target is left in build/fuzz/found; put it into tests/fuzz/corpus/TARGET with the repair, and
every later build tries it. Inputs that reach new code are kept in build/fuzz/corpus. Exit status 0: none broke.

TEXT
    echo "Targets: $(all_targets | paste -s -d ' ')"
}

all_targets() {
    local source
    for source in "$root"/tests/fuzz/fuzz_*.c; do
        basename "${source#"$root"/tests/fuzz/fuzz_}" .c
    done
}

seconds=60
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --seconds=*) seconds=${1#*=} ;;
    --seconds)
        [ $# -gt 1 ] || die_usage "--seconds: its value is missing"
        seconds=$2
        shift
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    -*) die_usage "unknown option $1" ;;
    *)
        [ -f "$root/tests/fuzz/fuzz_$1.c" ] || die_usage "unknown target $1"
        targets+=("$1")
        ;;
    esac
    shift
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die_usage "--seconds=$seconds: must be a whole number of seconds, 1 or more"
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(all_targets)
fi

cd "$root"
build=build/fuzz
need_packages "${build_packages[@]}" "clang-$clang_version" "libclang-rt-$clang_version-dev"
say "fuzz targets"
run_logged build/logs/configure-fuzz.log cmake -S . -B "$build" -G Ninja -DISO_FUZZ=ON \
    -DCMAKE_C_COMPILER="clang-$clang_version" -DCMAKE_BUILD_TYPE=RelWithDebInfo
run_logged build/logs/build-fuzz.log cmake --build "$build" --parallel "$(cpu_count)" \
    --target isobench "${targets[@]/#/fuzz_}"

# Memory is better than a disk for targets that read files.
scratch=$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT
export ISO_TEST_DIR=$scratch

# Results and jobs as this isobench writes them, so that no new key is beyond the fuzzers' reach.
fresh_seeds() {
    local isobench=$PWD/$build/bin/isobench seeds=$PWD/$build/corpus files=(--dir="$scratch" --total-size=64K --files=2)
    mkdir -p "$seeds/result" "$seeds/job" "$seeds/manifest"
    "$isobench" fileio prepare "${files[@]}"
    cp "$scratch/test_file.isobench.json" "$seeds/manifest/fresh"
    "$isobench" fileio run "${files[@]}" --mode=rndrw --block-size=4K --events=60 --time=0 --json="$seeds/result/fresh"
    "$isobench" fileio run "${files[@]}" --mode=rndrw --show-job >"$seeds/job/fresh"
    "$isobench" fileio cleanup "${files[@]}"
}
run_logged build/logs/fuzz-seeds.log fresh_seeds

failures=0
mkdir -p "$build/found"
for target in "${targets[@]}"; do
    mkdir -p "$build/corpus/$target"
    say "$target, $seconds s"
    log=build/logs/fuzz-$target.log
    if "$build/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
        -artifact_prefix="$build/found/$target-" -print_final_stats=1 \
        "$build/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        sed -n 's/^stat::number_of_executed_units: */inputs tried: /p' "$log"
    else
        failures=$((failures + 1))
        tail -n 40 "$log"
    fi
done
[ "$failures" -eq 0 ] || die "$failures of ${#targets[@]} targets broke; their inputs are in $build/found"
