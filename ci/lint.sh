#!/usr/bin/env bash
# Reads the sources without running them: format, clang-tidy, the rules of the house, shell scripts, PowerShell scripts,
# workflows, and that the scripts' twins take the same options. Called by scripts/test.sh.
#   ISOBENCH_CACHE  where the modules of node and what clang-tidy has passed are kept (default: .cache)
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"
cd "$root"
cache=${ISOBENCH_CACHE:-$root/.cache}

c_files() {
    find platform posix win32 src tests -name '*.[ch]' | sort
}

shell_files() {
    find scripts ci tests -name '*.sh' | sort
    echo .ci/run
}

check_format() {
    c_files | xargs "clang-format-$clang_version" --dry-run -Werror
}

check_house() {
    ./ci/check-includes.sh
}

check_shell() {
    shell_files | xargs shellcheck -x -S warning
    shellcheck -s bash build/release/share/bash-completion/completions/isobench
}

# What decides clang-tidy's answer for all files alike. A file is looked at again when this or the file changes.
tidy_key() {
    {
        cat .clang-tidy ci/analyzer-hints.h build/release/compile_commands.json
        "clang-tidy-$clang_version" --version
        find platform posix src tests -name '*.h' | sort | xargs cat
    } | sha256sum | cut -c 1-16
}

# tidy_file STAMPS FILE
tidy_file() {
    local stamp hints=(--extra-arg=-include --extra-arg="$PWD/ci/analyzer-hints.h")
    stamp=$1/$(sha256sum <"$2" | cut -c 1-16)
    if [ -f "$stamp" ]; then
        return
    fi
    if [ "$2" = platform/error.c ]; then
        hints=()
    fi
    "clang-tidy-$clang_version" --quiet -p build/release ${hints[@]+"${hints[@]}"} "$2" 2>/dev/null && : >"$stamp"
}

# Only what the release build compiles: win32/ is checked by its own compilers.
compiled_files() {
    sed -n "s|^ *\"file\": \"$root/\(.*\)\",*\$|\1|p" build/release/compile_commands.json | sort -u
}

check_tidy() {
    local stamps
    stamps=$cache/clang-tidy/$(tidy_key)
    mkdir -p "$stamps"
    export -f tidy_file
    export clang_version
    compiled_files | xargs -P "$(cpu_count)" -I '{}' bash -c 'tidy_file "$@"' tidy "$stamps" '{}'
    # Answers to older states of the tree are of no use.
    find "$cache/clang-tidy" -mindepth 1 -maxdepth 1 ! -path "$stamps" -exec rm -rf '{}' +
}

# The modules are kept until ci/package-lock.json changes.
install_node_modules() {
    local folder=$1
    if cmp -s ci/package-lock.json "$folder/installed-lock.json"; then
        return
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    cp ci/package.json ci/package-lock.json "$folder/"
    (
        cd "$folder"
        run_logged "$root/build/logs/npm.log" npm ci --ignore-scripts --no-audit --no-fund --legacy-peer-deps
    )
    cp ci/package-lock.json "$folder/installed-lock.json"
}

check_powershell_and_workflows() {
    install_node_modules "$cache/lint-node"
    # shellcheck disable=SC2046 # no blanks in these names
    node ci/lint-node.mjs "$cache/lint-node" $(find scripts build/release/share -name '*.ps1' | sort) $(find .github -name '*.yml' | sort)
}

# The options that a script's help lists, one a line.
listed_options() {
    sed -n 's/^  \(--[a-z-]*\(=[A-Z]*\)\{0,1\}\) .*/\1/p' "$1" | sort
}

check_twins() {
    local name status=0
    for name in quickstart test isobench-suite isobench-compare; do
        if ! diff <(listed_options "scripts/$name.sh") <(listed_options "scripts/$name.ps1"); then
            echo "scripts/$name.sh (<) and scripts/$name.ps1 (>) take different options" >&2
            status=1
        fi
    done
    return "$status"
}

failed=()

# check TITLE FUNCTION
check() {
    local started=$SECONDS status
    set +e
    (
        set -e
        "$2"
    )
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
        printf 'ok     %3d s  %s\n' $((SECONDS - started)) "$1"
    else
        printf 'FAILED %3d s  %s\n' $((SECONDS - started)) "$1"
        failed+=("$1")
    fi
}

need_packages "${lint_packages[@]}"
[ -f build/release/compile_commands.json ] || build_preset release
check "format (clang-format $clang_version)" check_format
check "rules of the house (ci/check-includes.sh)" check_house
check "shell scripts (shellcheck)" check_shell
check "PowerShell scripts parse, workflows are right" check_powershell_and_workflows
check "scripts for Linux and Windows take the same options" check_twins
check "clang-tidy $clang_version" check_tidy
[ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
