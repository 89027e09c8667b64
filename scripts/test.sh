#!/usr/bin/env bash
# Everything that must hold. scripts/test.ps1 is its twin for Windows.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/test.sh [OPTION]…
Installs what the tests need, then builds and tests:
  1. release build and all its tests;
  2. the same tests under the address and undefined-behaviour sanitizers, and under the thread sanitizer;
  3. the build for Windows, and its tests under Wine (on x86-64 only);
  4. lint: format, clang-tidy, shell scripts, PowerShell scripts, workflows, the rules of the house.

  --quick        1 and 4 only
  --help         this text

What could not run here is listed at the end. Exit status 0: nothing failed. Running it again is safe.
TEXT
}

quick=no
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=yes ;;
    --help | -h)
        usage
        exit 0
        ;;
    *) die_usage "unknown option $1" ;;
    esac
    shift
done

cd "$root"
logs=$root/build/logs
stages=()     # one line of the summary each
closings=()   # what ctest said last
skipped=()    # what could not run, and why
failed=()     # what a failed test printed last
failures=0

# stage TITLE COMMAND…: runs it in a subshell, so that `set -e` holds inside; 77 means "cannot run here".
stage() {
    local title=$1 status started=$SECONDS word
    shift
    printf '\n'
    say "$title"
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    set -e
    case $status in
    0) word=ok ;;
    77)
        word=skipped
        skipped+=("$title: the reason stands above")
        ;;
    *)
        word=FAILED
        failures=$((failures + 1))
        ;;
    esac
    stages+=("$(printf '%-8s %4d s  %s' "$word" $((SECONDS - started)) "$title")")
    return 0
}

# run_ctest PRESET [PREFIX…]: all tests of build/PRESET; the output stays visible and in a log.
run_ctest() {
    local preset=$1
    shift
    "$@" ctest --preset "$preset" </dev/null 2>&1 | tee "$logs/ctest-$preset.log"
}

# The thread sanitizer of gcc before 14 cannot place its shadow where the kernel randomizes addresses widely.
without_random_addresses() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

sanitizer_tests() {
    build_preset "$1"
    case $1 in
    tsan) run_ctest "$1" without_random_addresses ;;
    *) run_ctest "$1" ;;
    esac
}

windows_tests() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo "Wine runs x86-64 programs on x86-64 machines only; this one is $(uname -m)."
        return 77
    fi
    ./ci/build-windows.sh
    ./ci/test-windows.sh 2>&1 | tee "$logs/ctest-windows-cross.log"
}

# Programs that ended with status 77, with the last line they printed, which says why; and single tests that CMocka
# skipped inside a program.
list_skipped() {
    local preset=$1 log=$root/build/$1/Testing/Temporary/LastTest.log
    [ -f "$logs/ctest-$preset.log" ] && [ -f "$log" ] || return 0
    awk -v preset="$preset" '
        FNR == NR && /[*][*][*]Skipped/ { sub(/^.*Test +#[0-9]+: /, ""); sub(/ .*$/, ""); is_skipped[$0] = 1 }
        FNR == NR { next }
        /^[0-9]+\/[0-9]+ Testing: / { name = $3; reason = ""; inside = 0 }
        /^<end of output>/ { if (name in is_skipped) print preset ": " name ": " reason; inside = 0 }
        inside && /^\[ +SKIPPED +\] [a-z_0-9]+$/ && !seen[name $NF]++ { print preset ": " name ": " $NF }
        inside && NF { reason = $0 }
        /^Output:/ { inside = 1 }
    ' "$logs/ctest-$preset.log" "$log"
}

# The last lines that each failed program printed: the end of a long log is what people read first.
list_failed() {
    local preset=$1 log=$root/build/$1/Testing/Temporary/LastTest.log
    [ -f "$logs/ctest-$preset.log" ] && [ -f "$log" ] || return 0
    awk -v preset="$preset" -v keep=12 '
        FNR == NR && /[*][*][*]/ && !/[*][*][*]Skipped/ {
            sub(/^.*Test +#[0-9]+: /, ""); sub(/ .*$/, ""); has_failed[$0] = 1
        }
        FNR == NR { next }
        /^[0-9]+\/[0-9]+ Testing: / { name = $3; inside = 0 }
        /^<end of output>/ && inside {
            for (i = count > keep ? count - keep : 0; i < count && name in has_failed; i++)
                print preset ": " name ": " lines[i]
            inside = 0
        }
        inside && NF { lines[count++] = $0 }
        /^Output:/ { inside = 1; count = 0 }
    ' "$logs/ctest-$preset.log" "$log"
}

collect() {
    local preset=$1 line
    [ -f "$logs/ctest-$preset.log" ] || return 0
    while IFS= read -r line; do
        closings+=("$(printf '%-13s %s' "$preset" "$line")")
    done < <(grep -E '^[0-9]+% tests passed|^No tests were found' "$logs/ctest-$preset.log" || true)
    while IFS= read -r line; do
        skipped+=("$line")
    done < <(list_skipped "$preset")
    while IFS= read -r line; do
        failed+=("$line")
    done < <(list_failed "$preset")
}

summary() {
    local preset
    for preset in release asan-ubsan tsan windows-cross; do
        collect "$preset"
    done
    printf '\n'
    say "summary ($SECONDS s)"
    printf '  %s\n' "${stages[@]}"
    if [ ${#skipped[@]} -gt 0 ]; then
        printf 'Could not run here:\n'
        printf '  %s\n' "${skipped[@]}"
    fi
    if [ ${#closings[@]} -gt 0 ]; then
        printf '%s\n' "${closings[@]}"
    fi
    if [ ${#failed[@]} -gt 0 ]; then
        printf 'What failed said last:\n'
        printf '  %s\n' "${failed[@]}"
    fi
}

packages=("${build_packages[@]}" sysbench fio hdparm valgrind mariadb-server percona-toolkit openssl postgresql sqlite3 libxml2-utils python3 python3-prometheus-client curl zsh mandoc groff-base "${lint_packages[@]}")
if [ "$quick" = no ] && [ "$(uname -m)" = x86_64 ]; then
    packages+=("${windows_packages[@]}")
fi
if ! grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then
    packages+=(chromium) # Ubuntu has it as a snap alone
fi
need_packages "${packages[@]}"

mkdir -p "$logs"
rm -f "$logs"/ctest-*.log
stage "release build" build_preset release
if [ "$failures" -gt 0 ]; then
    summary
    die "the release build failed; nothing else was tried"
fi
stage "release tests" run_ctest release
if [ "$quick" = no ]; then
    stage "tests under the address and undefined-behaviour sanitizers" sanitizer_tests asan-ubsan
    stage "tests under the thread sanitizer" sanitizer_tests tsan
    stage "Windows build, and its tests under Wine" windows_tests
fi
stage "lint" ./ci/lint.sh
summary
[ "$failures" -eq 0 ] || die "$failures of ${#stages[@]} stages failed"
