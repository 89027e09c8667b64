#!/usr/bin/env bash
# scripts/isobench-suite.sh over two directories, and that its twin in PowerShell, which is not run here, has the same
# help, and takes the same words for a volume. usage: suite.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
suite=$scripts/isobench-suite.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

refuses() {
    local words=$1 status
    shift
    "$suite" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err || fail "$*: says \"$(cat err)\", not \"$words\""
}

mkdir one 'the two'
printf '[read]\nmode = rndrd\ntotal_size = 1M\ntime = 0.1\n' >small.ini

"$suite" small --dir=one --dir 'the two/' --tag=lab --dry-run >out || fail 'a dry run'
diff - out <<'TEXT' || fail 'the commands of a dry run'
isobench run small.ini --out=results/lab/1-one --dir=one --tag=host=lab --tag=volume=1-one
isobench run small.ini --out=results/lab/2-the_two --dir=the two --tag=host=lab --tag=volume=2-the_two
TEXT
[ ! -e results ] || fail 'a dry run made a folder'
(cd 'the two' && "$suite" ../small --dir=. --dir=/ --dir=../one/. --tag=lab --dry-run) >out || fail 'directories without a name'
diff - out <<'TEXT' || fail 'the commands for directories without a name'
isobench run ../small.ini --out=results/lab/1-the_two --dir=. --tag=host=lab --tag=volume=1-the_two
isobench run ../small.ini --out=results/lab/2-root --dir=/ --tag=host=lab --tag=volume=2-root
isobench run ../small.ini --out=results/lab/3-one --dir=../one/. --tag=host=lab --tag=volume=3-one
TEXT

"$suite" small --dir=one --dir='the two' --tag=lab --program="$program" >out 2>err || fail "a suite: $(cat err)"
for volume in 1-one 2-the_two; do
    [ -f "results/lab/$volume/read.r1.json" ] || fail "$volume: no result"
    grep -q "\"volume\": \"$volume\"" "results/lab/$volume/manifest.json" || fail "$volume: not in the manifest's tags"
done
[ -z "$(find one 'the two' -type f)" ] || fail "left behind: $(find one 'the two' -type f)"
"$program" compare results/lab/1-one results/lab/2-the_two >out || fail 'the folders are no sets for compare'
"$suite" small --dir=one --tag=lab --program="$program" >out 2>err
[ $? -eq 2 ] || fail 'results were written over'
"$suite" small --dir=one --tag=lab --program="$program" --resume >out 2>err || fail "resuming: $(cat err)"

refuses 'name a plan'
refuses 'absent: no such plan' absent
refuses 'nowhere is not a directory' small --dir=nowhere
refuses '--tag must be' small --tag=../up
refuses 'unknown option --otu' small --otu=x

# ---- the twin ----
# What both say of themselves, but for the name of the script and of the build.
help_of() {
    sed -n '/^Usage: /,/^Exit status: /p' "$1" | sed -e 1d -e 's/the release build/the build/'
}
# The template of a volume's command: its words without quotes and the two languages' names for the same value.
command_of() {
    sed -n 's/^ *\$\{0,1\}words *= *@\{0,1\}(\(.*\))$/\1/p' "$1" | tr -d "\"',"  |
        sed -e 's/--dir=\$2/--dir=$dir/'
}
diff <(help_of "$suite") <(help_of "$scripts/isobench-suite.ps1") || fail 'the twins differ in their help'
[ -n "$(command_of "$suite")" ] || fail 'no command was found in the script'
diff <(command_of "$suite") <(command_of "$scripts/isobench-suite.ps1") || fail 'the twins differ in their commands'


# What each takes is what its help lists.
listed() {
    sed -n 's/^  \(--[a-z-]*\)[= ].*/\1/p' "$1" | grep -v -- --help | sort
}
for name in suite compare; do
    twin=$scripts/isobench-$name.ps1
    diff <(listed "$twin") <(grep -E '^\$(options|switches) = ' "$twin" | grep -o -- "--[a-z-]*" | sort) ||
        fail "isobench-$name.ps1 takes (>) other options than it lists (<)"
    for option in $(listed "$twin"); do
        grep -qE -- "^ *.*$option(=\*)?( \||\))" "${twin%.ps1}.sh" || fail "isobench-$name.sh does not take $option"
    done
done

[ "$failures" -eq 0 ] || exit 1
