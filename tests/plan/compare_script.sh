#!/usr/bin/env bash
# scripts/isobench-compare.sh over the results of two hosts, and that its twin in PowerShell has the same help and the same
# commands; where PowerShell is (pwsh), the dry runs of both pairs of twins are compared. usage: compare_script.sh PROGRAM
set -uo pipefail

program=$(realpath "$1")
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
compare=$scripts/isobench-compare.sh
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
    "$compare" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err || fail "$*: says \"$(cat err)\", not \"$words\""
}

mkdir one two empty
printf '[read]\nmode = rndrd\ntotal_size = 1M\ntime = 0.1\n' >small.ini
for host in linux windows; do
    "$scripts/isobench-suite.sh" small --dir=one --dir=two --tag=$host --program="$program" >out 2>err ||
        fail "a suite: $(cat err)"
done

"$compare" results --dry-run >out || fail 'a dry run'
all='results/linux/1-one results/linux/2-two results/windows/1-one results/windows/2-two'
diff - out <<TEXT || fail 'the commands of a dry run'
isobench compare $all --figure=rate_per_s --json=comparison/rate_per_s.json >comparison/rate_per_s.txt
isobench compare $all --figure=rate_per_s --markdown >comparison/rate_per_s.md
isobench compare $all --figure=rate_per_s --csv >comparison/rate_per_s.csv
isobench compare $all --figure=p99_ns --json=comparison/p99_ns.json >comparison/p99_ns.txt
isobench compare $all --figure=p99_ns --markdown >comparison/p99_ns.md
isobench compare $all --figure=p99_ns --csv >comparison/p99_ns.csv
isobench report $all -o comparison/report.html
TEXT
[ ! -e comparison ] || fail 'a dry run made a folder'

"$compare" results/linux results/windows/1-one --baseline=results/windows/1-one/ --figure mean_ns --out=side \
    --program="$program" >out 2>err || fail "a comparison: $(cat err)"
for name in mean_ns.txt mean_ns.md mean_ns.csv mean_ns.json; do
    [ -s "side/$name" ] || fail "side/$name is not there"
done
cmp -s side/mean_ns.md <("$program" compare results/linux/1-one results/linux/2-two results/windows/1-one \
    --baseline=results/windows/1-one --figure=mean_ns --markdown) || fail 'the table is not that of isobench compare'
grep -qF "$(sed -n 2p side/mean_ns.txt)" out || fail 'the table is not shown'
if "$program" help | grep 'isobench report ' >/dev/null; then
    [ -s side/report.html ] || fail 'no report'
else
    [ ! -e side/report.html ] && grep -q 'no report.html' out || fail 'it does not say that there is no report'
fi

# A command that fails ends it, and leaves no half of a file.
"$compare" results --figure=bogus --out=broken --program="$program" >out 2>err
[ $? -eq 2 ] && grep -q -- '--figure=bogus' err && [ -z "$(ls broken)" ] || fail "a wrong figure: $(cat err; ls broken)"

refuses 'name one or more folders'
refuses 'nowhere is not a directory' nowhere
refuses 'no results of scripts/isobench-suite are in it' results empty
refuses 'one set of results has nothing' results/linux/1-one
refuses 'side is not empty' results --out=side
refuses 'unknown option --otu' results --otu=x
refuses '--out needs a value' results --out=

# ---- the twins
# What both say of themselves, but for the name of the script and of the build.
help_of() {
    sed -n '/^Usage: /,/^Exit status: /p' "$1" | sed -e 1d -e 's/the release build/the build/'
}
# The commands: words without quotes, brackets and the two languages' ways to join lists.
commands_of() {
    sed -n -e 's/^ *\$\{0,1\}words *= *@\{0,1\}\(.*\)$/\1/p' \
        -e 's/^ *run_into \(.*\)$/\1/p' -e 's/^ *Invoke-Into \(.*\)$/\1/p' "$1" |
        sed -e 's/"${sets\[@\]}"/$sets/; s/"${words\[@\]}"/$words/; s/\$1/$figure/g' -e "s/[\"'(),@+]//g" -e 's/  */ /g'
}
diff <(help_of "$compare") <(help_of "$scripts/isobench-compare.ps1") || fail 'the twins differ in their help'
[ "$(commands_of "$compare" | wc -l)" -eq 5 ] || fail "not the commands of the script: $(commands_of "$compare")"
diff <(commands_of "$compare") <(commands_of "$scripts/isobench-compare.ps1") || fail 'the twins differ in their commands'
if command -v pwsh >/dev/null; then
    for words in 'compare results' 'compare results/windows results/linux/2-two --figure=p95_ns --baseline results/linux/2-two' \
        'suite small --dir=one --dir two --tag=lab --resume'; do
        # shellcheck disable=SC2086
        diff <("$scripts/isobench-${words%% *}.sh" ${words#* } --dry-run) \
            <(pwsh -NoProfile -File "$scripts/isobench-${words%% *}.ps1" ${words#* } --dry-run) ||
            fail "the twins differ: $words"
    done
else
    echo 'PowerShell (pwsh) is not installed: its scripts were read, not run'
fi

[ "$failures" -eq 0 ] || exit 1
