#!/usr/bin/env bash
# The real sysbench 1.0.20 and `isobench sysbench` on one server, test by test and option by option: exit status, layout
# line by line, counts of statements, tables, and the options and defaults that both list. Measured figures are masked,
# not their columns nor their decimals.
# usage: sysbench-oltp.sh mysql|pgsql PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

kind=$1
program=$(realpath "$2")
compared=0
different=0
case $(sysbench --version 2>/dev/null) in
"sysbench 1.0.20"*) ;;
*) servers_skip "sysbench 1.0.20 is not installed" ;;
esac
servers_start
cd "$server_home"

case $kind in
mysql)
    start_mariadb --skip-name-resolve
    way=("--mysql-socket=$mysql_socket" "--mysql-user=$mysql_user" "--mysql-password=$mysql_password"
        "--mysql-db=$mysql_database")
    describe() {
        mysql_admin -N -B "$mysql_database" -e "SHOW TABLES; SHOW CREATE TABLE $1" | sed 's/ AUTO_INCREMENT=[0-9]*//'
    }
    ;;
pgsql)
    start_postgres 'max_connections = 40'
    way=(--db-driver=pgsql --pgsql-host=127.0.0.1 "--pgsql-port=$pgsql_port" "--pgsql-user=$pgsql_user"
        "--pgsql-password=$pgsql_password" "--pgsql-db=$pgsql_database")
    describe() {
        pgsql_admin -A -t -d "$pgsql_database" -c "SELECT column_name, data_type, character_maximum_length, is_nullable,
            column_default FROM information_schema.columns WHERE table_name = '$1' ORDER BY ordinal_position" \
            -c "SELECT indexdef FROM pg_indexes WHERE tablename = '$1' ORDER BY indexname" \
            -c "SELECT relname FROM pg_class WHERE relkind IN ('r', 'S') AND relname LIKE 'sbtest%' ORDER BY 1"
    }
    ;;
esac

# Each prints what it prints on stdout, and behind it its exit status.
real() {
    local status=0
    timeout 60 sysbench "${way[@]}" "$@" 2>real.err || status=$?
    echo "status $status"
}
ours() {
    local status=0
    timeout 60 "$program" sysbench "${way[@]}" "$@" 2>ours.err || status=$?
    echo "status $status"
}

# Below "Threads started!": rates and times become N, right-aligned rows their label and their length, lines of
# intervals and of the histogram are shown once each. With exact=1 counts must be equal, else they become N too.
mask() {
    sed -E -e '/^sysbench 1\.0/s/\(.*/(#)/' \
        -e '/^ +(min|avg|max|sum|[0-9]+th percentile):/{s/[0-9]/9/g;s/(.*): *([0-9]+)(\.[0-9]+)/\1: \3 &/;s/: (\.99) (.*)/: \1|\2/}' |
        awk -v exact="$exact" '
            /^ +(min|avg|max|sum|[0-9]+th percentile):/ {
                split($0, part, "|")
                sub(/:.*/, ":", $0)
                print $0, "ends at", length(part[2])
                next
            }
            figures && /^\[ / { gsub(/[0-9]+/, "N"); if (!($0 in seen)) print; seen[$0] = 1; next }
            figures && /^ +[0-9.]+ \|/ { if (!rows++) print "row"; next }
            figures {
                gsub(/\([0-9]+\.[0-9][0-9] per sec/, "(N.NN per sec")
                sub(/total time: +[0-9]+\.[0-9][0-9][0-9][0-9]s/, "total time: N.NNNNs")
                if (/avg\/stddev/) gsub(/[0-9]+/, "N")
                else if (!exact) { gsub(/ [0-9]+ +\(/, " N ("); gsub(/ [0-9]+$/, " N") }
            }
            /^Threads started!/ { figures = 1 }
            { print }'
}

# Decimals count: N.NN and N.NNNN differ.
decimals() {
    sed -E 's/^(.*avg\/stddev.*)N\.N\/N\.N$/\1N/'
}

differ() {
    different=$((different + 1))
    printf 'DIFFERENT: %s\n' "$1"
    cat difference
    sed 's/^/    stderr: /' ours.err
}

compare() { # WHAT: of real.out and ours.out
    compared=$((compared + 1))
    mask <real.out | decimals >real.masked
    mask <ours.out | decimals >ours.masked
    diff -u real.masked ours.masked >difference || differ "$1"
}

# Without a seed sysbench takes the second: a second run in it writes what is there already, which changes no row.
same() { # ARGUMENT…
    local seed=--rand-seed=$((compared + 1))
    exact=0
    case " $* " in
    *" --threads="*) ;;
    *" --events="*) exact=1 ;;
    esac
    case " $* " in
    *" --rand-seed="* | *" prewarm "*) seed=--events=0 ;; # any other: the last one counts
    esac
    real "$seed" "$@" >real.out
    ours "$seed" "$@" >ours.out
    compare "$*"
}

# Makes tables: each tool on an empty database. Threads do it in any order, and sysbench's write into each other's lines.
lines() {
    sed 's/\.\.\./&\n/g' | sed '/^$/d' | sort
}
one_makes_tables() { # TOOL TEST OPTION…
    local tool=$1
    shift
    "$tool" "$@" prepare | lines >"$tool.out"
    describe sbtest1 >"$tool.tables" 2>&1 || true
    "$tool" "$@" cleanup | lines >>"$tool.out"
}
same_tables() { # TEST OPTION…
    exact=1
    one_makes_tables real "$@"
    one_makes_tables ours "$@"
    compare "$* prepare, cleanup"
    diff -u real.tables ours.tables >difference || differ "$*: the tables"
}

# Both refuse; our words are our own: one line on stderr, and no figures on stdout.
refused() {
    compared=$((compared + 1))
    real "$@" >real.out
    ours "$@" >ours.out
    : >difference
    if grep -q '^status 0' real.out ours.out || [ "$(wc -l <ours.err)" != 1 ] || grep -q SQL ours.out; then
        cp ours.out difference
        differ "$*: not refused as it should be"
    fi
}

size=(--tables=2 --table-size=200)
tests=(oltp_read_write oltp_read_only oltp_write_only oltp_point_select oltp_update_index oltp_update_non_index
    oltp_insert oltp_delete select_random_points select_random_ranges)

# ---- tables ----
same_tables oltp_read_write "${size[@]}"
same_tables oltp_read_write "${size[@]}" --threads=2
for option in --auto-inc=off --create-secondary=off --mysql-storage-engine=myisam --tables=3; do
    same_tables oltp_read_write --table-size=50 $option
done
if [ "$kind" = mysql ]; then # sysbench's own statement for PostgreSQL is wrong
    same_tables oltp_read_write --table-size=50 --secondary
fi
same_tables select_random_ranges --table-size=200
same_tables bulk_insert --threads=2
same_tables bulk_insert

# ---- runs: on tables that sysbench made, then on ours ----
for maker in real ours; do
    $maker oltp_read_write "${size[@]}" prepare >made
    grep -q '^status 0' made || { cp made difference && differ "$maker prepare"; }
    for test in "${tests[@]}"; do
        if [ "$kind$maker" = mysqlreal ]; then # sysbench has it for MySQL alone
            same "$test" "${size[@]}" prewarm
        fi
        case $test in
        oltp_insert | oltp_delete) same "$test" "${size[@]}" --time=1 run ;;
        *)
            same "$test" "${size[@]}" --time=0 --events=40 run
            if [ $maker = real ]; then
                same "$test" "${size[@]}" --time=0 --events=40 --db-ps-mode=disable run
            fi
            ;;
        esac
    done
    real oltp_read_write "${size[@]}" cleanup >/dev/null
done
real oltp_read_write "${size[@]}" prepare >/dev/null
for options in --range-selects=off --point-selects=3 --simple-ranges=2 --sum-ranges=0 --order-ranges=3 \
    --distinct-ranges=2 --index-updates=4 --non-index-updates=0 --delete-inserts=2 --skip-trx --range-size=5 \
    --rand-type=uniform --rand-type=gaussian --rand-type=pareto --rand-seed=7 --percentile=0 --percentile=99 \
    --verbosity=4 "--verbosity=4 --threads=2" --verbosity=2 --num-threads=1 --tx-rate=0 --thread-stack-size=256K; do
    # shellcheck disable=SC2086 # the options are words
    same oltp_read_write "${size[@]}" --time=0 --events=30 $options run
done
same oltp_read_only "${size[@]}" --time=2 --threads=2 --report-interval=1 run
same oltp_read_only "${size[@]}" --time=3 --threads=2 --report-interval=1 --rate=100 run
same oltp_read_only "${size[@]}" --time=2 --threads=2 --report-interval=1 --percentile=0 run
same oltp_read_only "${size[@]}" --time=2 --threads=2 --report-checkpoints=1 run
same oltp_read_only "${size[@]}" --time=1 --histogram run
same oltp_read_only "${size[@]}" --time=1 --forced-shutdown=3 run
same oltp_read_only "${size[@]}" --time=1 --verbosity=4 run
same /usr/share/sysbench/oltp_read_only.lua "${size[@]}" --time=0 --events=10 run
same select_random_points "${size[@]}" --random-points=3 --time=0 --events=10 run
same select_random_ranges "${size[@]}" --number-of-ranges=3 --delta=2 --time=0 --events=10 run

# ---- the same statements in the same order, as the server saw them ----
# heard TOOL TEST…: statements between the preparing of them and the end, without their values
heard() {
    local log=$server_home/mariadb/heard.log
    rm -f "$log"
    mysql_admin -e "SET GLOBAL general_log_file = '$log'; SET GLOBAL general_log = 1"
    "$@" >/dev/null
    mysql_admin -e "SET GLOBAL general_log = 0"
    # sysbench's own are of several lines
    awk '/^[\t0-9]/ { printf "\n" } { sub(/^ +/, " "); printf "%s", $0 } END { print "" }' "$log" |
        sed -nE "s/^.*(Execute|Query)\t((SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT).*)/\2/p" |
        grep -vE '@@|VERSION\(|MAX\(id\)' | sed -E "s/'[^']*'/T/g; s/-?\b[0-9]+\b/N/g; s/sbtest[0-9]/sbtest/"
}
if [ "$kind" = mysql ]; then
    for test in "${tests[@]}"; do
        for mode in auto disable; do
            compared=$((compared + 1))
            run=("$test" --tables=2 --table-size=200 "--db-ps-mode=$mode" --time=0 --events=5 run)
            case $test in select*) run=("${run[@]/--tables=2/--tables=1}") ;; esac
            heard real "${run[@]}" >real.out
            heard ours "${run[@]}" >ours.out
            if [ ! -s real.out ] || ! diff real.out ours.out >difference; then
                differ "$test, $mode: other statements"
            fi
        done
    done
fi

# ---- what both refuse ----
refused oltp_read_write
refused oltp_read_write bogus
refused oltp_read_write a b
refused oltp_read_write --bogus=1 run
refused oltp_read_write --tables=x run
refused oltp_read_write --delta=2 run
refused oltp_read_write --file-num=2 run
refused oltp_read_write --rand-type=foo run
refused oltp_read_write --db-driver=foo run
refused oltp_read_write --db-ps-mode=foo run
refused oltp_read_write "${size[@]}" prepare
refused oltp_read_write --tables=3 --table-size=200 --time=1 run
refused oltp_read_write "${size[@]}" "--$kind-db=nowhere" --time=1 run
refused bulk_insert --tables=2 run
refused bulk_insert prewarm
real oltp_read_write "${size[@]}" cleanup >/dev/null

# ---- options and defaults as both list them ----
listed() { # lines of NAME DEFAULT
    sed -nE 's/^  --([a-z0-9_-]+)(\[=on\|off\]|=[^ ]*)? .*/\1 &/p' | sed -E 's/^([^ ]+) .* \[([^]]*)\]$/\1 \2/;t;s/ .*//' |
        tr _ - | sort -u
}
{
    sysbench --help
    for test in "${tests[@]}"; do sysbench "$test" help; done
} | listed >real.list
{
    "$program" sysbench --help
    for test in "${tests[@]}"; do "$program" sysbench "$test" help; done
} | listed >ours.list
compared=$((compared + 1))
[ "$(wc -l <real.list)" -gt 60 ] || servers_skip "the lists of options cannot be read"
# what sysbench has to be told of this machine, and options without a default here
grep -vE '^(thread-stack-size|rand-type|mysql-ignore-errors) ' real.list | comm -23 - ours.list >difference
if [ -s difference ]; then differ 'options or defaults that sysbench lists and isobench does not'; fi

echo "$kind: $compared comparisons, $different different"
[ $different = 0 ]
