#!/bin/sh
# sysbench-compare.sh ISOBENCH: runs the real sysbench 1.0.20 and `isobench sysbench` with the same options, each in a
# directory of its own, and compares exit status and layout line by line. Measured figures are masked: their digits,
# not their columns nor their decimals. Exit status: 0 same, 1 different, 77 sysbench 1.0.20 is not installed.
set -u
isobench=${1:?usage: sysbench-compare.sh ISOBENCH}
case $(sysbench --version 2>/dev/null) in
"sysbench 1.0.20"*) ;;
*)
    echo "SKIP: sysbench 1.0.20 is not installed"
    exit 77
    ;;
esac
case $isobench in
/*) ;;
*) isobench=$PWD/$isobench ;;
esac
work=$(mktemp -d "${ISO_TEST_DIR:-${TMPDIR:-/tmp}}/sysbench-compare.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/real" "$work/ours"
compared=0
different=0

# Up to "Threads started!" all must be equal but for the words in the banner's parentheses. Below it numbers become
# "#", decimals "9"; right-aligned rows become their label and their length; rows whose number differs from run to run
# (interval lines, histogram rows) are shown once. With exact=1 the number of events must be equal too.
mask() {
    awk -v exact="$exact" '
        /^sysbench [0-9.]+ \(/ && NR < 9 { sub(/\(.*/, "(#)") }
        / bytes written in / { sub(/in .*/, "in # seconds (# MiB/sec).") }
        figures && !(exact && /total number of events:/) {
            is_right = /^ +(min|avg|max|sum|[0-9.]+th percentile):/
            length_was = length($0)
            is_row = /^ +[0-9.]+ \|/
            gsub(/[0-9]/, "9")
            $0 = integers($0)
            if (is_right) { sub(/: +.*/, ":"); $0 = $0 " ends at " length_was }
            if (is_row) { sub(/#\.999 .*/, "# | row"); sub(/^ +/, "") }
        }
        /^Threads started!/ { figures = 1 }
        $0 == last && (is_row || /^\[ #s \] reads/) { next }
        { print; last = $0; is_row = 0 }
        function integers(text,    out) {
            out = ""
            while (match(text, /(^|[^.9])9+/)) {
                keep = substr(text, RSTART, 1) == "9" ? "" : substr(text, RSTART, 1)
                out = out substr(text, 1, RSTART - 1) keep "#"
                text = substr(text, RSTART + RLENGTH)
                if (match(text, /^\.9+/)) {
                    out = out substr(text, 1, RLENGTH)
                    text = substr(text, RLENGTH + 1)
                }
            }
            return out text
        }'
}

real() { (cd "$work/real" && sysbench "$@") >"$work/real.out" 2>"$work/real.err"; }
ours() { (cd "$work/ours" && "$isobench" sysbench "$@") >"$work/ours.out" 2>"$work/ours.err"; }

report() {
    different=$((different + 1))
    echo "DIFFERENT: sysbench $1"
    shift
    printf '%s\n' "$@"
    sed 's/^/    stderr: /' "$work/ours.err"
}

# The same layout and exit status.
same() {
    compared=$((compared + 1))
    exact=0
    case "$*" in
    *--events=*) exact=1 ;;
    esac
    real "$@"
    status_real=$?
    ours "$@"
    status_ours=$?
    mask <"$work/real.out" >"$work/real.masked"
    mask <"$work/ours.out" >"$work/ours.masked"
    if ! diff -u "$work/real.masked" "$work/ours.masked" >"$work/diff" || [ $status_real != $status_ours ]; then
        report "$*" "status $status_real and $status_ours" "$(cat "$work/diff")"
    fi
}

# Both refuse; our words are our own, on stderr, and nothing is on stdout.
refused() {
    compared=$((compared + 1))
    real "$@"
    status_real=$?
    ours "$@"
    status_ours=$?
    if [ $status_real = 0 ] || [ $status_ours = 0 ] || [ -s "$work/ours.out" ] || [ "$(wc -l <"$work/ours.err")" != 1 ]
    then
        report "$*" "status $status_real and $status_ours, not refused as it should be" "$(cat "$work/ours.out")"
    fi
}

# Ours is right where sysbench is wrong.
right() {
    compared=$((compared + 1))
    ours "$@" || report "$*" "status $? instead of 0"
}

small="--file-num=4 --file-total-size=2M"
# shellcheck disable=SC2086 # the options are words
{
    same fileio $small prepare
    same fileio $small prepare
    same fileio --file-num=4 --file-total-size=4M prepare
    for mode in rndrd rndwr rndrw seqrd seqrewr seqwr; do
        same fileio $small --file-test-mode=$mode --threads=2 --time=0 --events=300 run
        same fileio $small --file-test-mode=$mode --time=0 --events=100 --file-merged-requests=4 run
        # after seqwr isobench makes its files anew, sysbench keeps whatever they are
        real fileio $small prepare
        right fileio $small prepare
    done
    for options in --file-io-mode=async --file-io-mode=mmap "--file-io-mode=async --file-async-backlog=4" \
        --file-extra-flags=direct --file-extra-flags=sync --file-extra-flags=dsync --file-extra-flags=sync,dsync \
        --file-fsync-freq=10 --file-fsync-freq=0 "--file-fsync-freq=0 --file-fsync-end=off" --file-fsync-end=off \
        --file-fsync-all --file-fsync-mode=fdatasync --file-rw-ratio=3 --file-rw-ratio=0 --file-block-size=4K \
        --file_block_size=4k --percentile=0 --percentile=1 --percentile=100 --histogram --rand-seed=42 \
        --rand-type=pareto --verbosity=4 "--verbosity=4 --threads=3" --verbosity=2 --verbosity=0 --num-threads=2 \
        --max-time=2 --max-requests=150 --tx-rate=0 "--mysql-host=a --pgsql-port=1 --db-driver=x" \
        --thread-stack-size=256K; do
        same fileio $small --file-test-mode=rndrw --time=0 --events=200 $options run
    done
    same fileio $small --file-test-mode=rndrw --time=1 --verbosity=4 run
    same fileio $small --file-test-mode=rndrw --time=1 --forced-shutdown=3 run
    same fileio $small --file-test-mode=rndrw --time=1 --forced-shutdown=off run
    same fileio $small --file-test-mode=rndrw --time=3 --threads=2 --report-interval=1 run
    same fileio $small --file-test-mode=rndrw --time=2 --threads=2 --report-checkpoints=1 run
    same fileio $small --file-num=3 --file-total-size=1000K prepare
    same fileio $small cleanup
    same fileio --file-num=3 --file-total-size=1000K prepare
    same fileio --file-num=3 --file-total-size=1000K --file-test-mode=seqrd --time=0 --events=70 run
    same fileio --file-num=3 cleanup
    same --help=off fileio --num-threads=2 cleanup

    refused fileio run
    refused fileio --file-test-mode=foo run
    refused fileio
    refused fileio bogus
    refused fileio a b
    refused nosuchtest run
    refused fileio --file-total-size=10X prepare
    refused fileio --file-num=0 prepare
    refused fileio --bogus=1 prepare
    refused fileio $small --threads=x cleanup
    refused fileio $small --threads=0 cleanup
    refused fileio $small --percentile=101 cleanup
    refused fileio $small --verbosity=6 cleanup
    refused fileio $small --file-extra-flags=foo prepare
    # sysbench finds these out, too, when its header is printed
    for options in --file-io-mode=foo --file-fsync-mode=foo --file-rw-ratio=-1 --file-fsync-freq=-1 \
        --file-merged-requests=-1 --report-checkpoints=abc --forced-shutdown=abc --rand-type=foo \
        "--percentile=0 --histogram" "--file-io-mode=async --file-async-backlog=0"; do
        refused fileio $small --file-test-mode=rndrd --time=1 $options run
    done

    right fileio $small prepare
    right fileio $small --file-test-mode=rndrw --time=0 --events=50 --file-extra-flags=direct,sync run
    right fileio $small --file-test-mode=rndrw --time=0 --events=50 --file-extra-flags=direct,dsync run
    right fileio $small --file-test-mode=rndrw --time=0.2 --percentile=50,99.9 --report-interval=0.1 run
    right fileio $small --file-test-mode=rndrw --time=0.2 --sysbench-version=1.1 --warmup-time=0.1 run
    right --test=fileio $small --file-test-mode=seqrd --num-threads=2 --init-rng=on run
    grep -q 'Operations performed:  128 Read, 0 Write, 0 Other = 128 Total' "$work/ours.out" ||
        report "0.4 seqrd" "not one pass over 128 blocks:" "$(cat "$work/ours.out")"
    right fileio $small cleanup
    [ -z "$(ls "$work/ours")" ] || report cleanup "left behind: $(ls "$work/ours")"

    # each loads what the other made
    real fileio $small prepare
    mv "$work/real/"test_file.* "$work/ours"
    right fileio $small --file-test-mode=rndrw --time=0 --events=50 run
    rm -f "$work/ours/"*
    right fileio $small prepare
    mv "$work/ours/"test_file.* "$work/real"
    rm -f "$work/ours/"*
    compared=$((compared + 1))
    real fileio $small --file-test-mode=rndrw --time=0 --events=50 run ||
        report "run on files of isobench" "$(cat "$work/real.out")"
}

echo "$compared command lines, $different different"
[ $different = 0 ]
