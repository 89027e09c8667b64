#!/usr/bin/env bash
# `isobench load` on real databases: load.sh sqlite|mysql|pgsql PROGRAM
# Rows that are there are counted and compared by the database's own client, not by isobench.
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
kind=$1
program=$(realpath "$2")
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# load STATUS OPTION…: runs it into out and err, and expects that status.
load() {
    local want=$1 status=0
    shift
    "$program" load "${to[@]}" "$@" >out 2>err || status=$?
    [ "$status" -eq "$want" ] || fail "load $* ended with $status, not $want: $(cat out err)"
}

# refused STATUS TEXT OPTION…: one line of error with that text, and the table is not left behind.
refused() {
    local status=$1 text=$2
    shift 2
    load "$status" "$@"
    [ "$(grep -vc '^isobench: warning' err)" -eq 1 ] || fail "load $*: not one line of error: $(cat err)"
    grep -qF -- "$text" err || fail "load $*: no '$text' in $(cat err)"
    ! is_there || fail "load $*: the table was left"
}

# rows_of: every row of isobench_load as text, sorted, by the database's own client.
# is_there: is the table?
case $kind in
sqlite)
    command -v sqlite3 >/dev/null || servers_skip 'sqlite3 is not here: install sqlite3'
    to=(--db-driver=sqlite --db-file=load.sqlite --flush-at-commit=off)
    own_sql() { sqlite3 -separator '|' load.sqlite "$1"; }
    is_there() { [ -e load.sqlite ] && [ -n "$(own_sql "SELECT 1 FROM sqlite_master WHERE name = 'isobench_load'")" ]; }
    streams=
    parts=1
    ;;
mysql)
    to=(--db-driver=mysql)
    own_sql() { mysql_admin --batch --skip-column-names --default-character-set=utf8mb4 --raw sbtest -e "$1" | tr '\t' '|'; }
    is_there() { [ -n "$(own_sql "SHOW TABLES LIKE 'isobench_load'")" ]; }
    streams=infile
    parts=3
    ;;
pgsql)
    to=(--db-driver=pgsql)
    own_sql() {
        "$(postgres_program psql)" -X -q -A -t -v ON_ERROR_STOP=1 -h "$pgsql_socket" -p "$pgsql_port" -U administrator -d sbtest -c "$1"
    }
    is_there() { [ -n "$(own_sql "SELECT to_regclass('isobench_load')")" ]; }
    streams=copy
    parts=3
    ;;
esac

rows_of() {
    own_sql "SELECT * FROM isobench_load" | LC_ALL=C sort
}

servers_start
cd "$server_home"
case $kind in
mysql)
    start_mariadb
    to+=(--db-host=127.0.0.1 "--db-port=$mysql_port" "--db-user=$mysql_user" "--db-name=$mysql_database" --password-env=LOAD_PASSWORD)
    export LOAD_PASSWORD=$mysql_password
    ;;
pgsql)
    start_postgres
    to+=(--db-host=127.0.0.1 "--db-port=$pgsql_port" "--db-user=$pgsql_user" "--db-name=$pgsql_database" --password-env=LOAD_PASSWORD)
    export LOAD_PASSWORD=$pgsql_password
    ;;
esac

# ---- generated rows: every way makes the same table, whatever the parts ----

steps=0
for way in $streams multi prepared $([ "$kind" != mysql ] || echo dump); do
    for n in 1 $([ "$parts" = 1 ] || [ "$way" = dump ] || echo "$parts"); do
        load 0 --ways="$way" --parts="$n" --rows=3001 --seed=7 --commit-every=500 --keep
        rows_of >"rows.$steps"
        [ "$(wc -l <"rows.$steps")" -eq 3001 ] || fail "$way, $n parts: $(wc -l <"rows.$steps") rows and not 3001"
        cmp -s rows.0 "rows.$steps" || fail "$way, $n parts: other rows than the first way made"
        grep -q "^$way  *$n .*count, checksum" out || fail "$way, $n parts: not in the report: $(cat out)"
        steps=$((steps + 1))
    done
done
[ "$(awk -F'|' '{print length($3), length($4)}' rows.0 | sort -u)" = '119 59' ] || fail 'c and pad are not as long as they should be'
load 0 --ways=multi --parts=1 --rows=3001 --seed=8 --keep
rows_of >other
! cmp -s rows.0 other || fail 'another seed makes the same rows'
load 0 --ways=multi --parts=1 --rows=100 --seed=8
! is_there || fail 'without --keep the table stays'
[ "$kind" != sqlite ] || { rm load.sqlite && load 0 --ways=multi --rows=10; [ ! -e load.sqlite ] || fail 'a file that load made stays'; }

# ---- JSON: each step is a result, which other commands read ----

load 0 --rows=2000 --seed=7 --commit-every=1,700 --json=all.json
python3 - all.json "$kind" out <<'PYTHON' || fail "the JSON is not as it should be"
import json, sys

runs = json.load(open(sys.argv[1]))["runs"]
kind = sys.argv[2]
parts = [1] if kind == "sqlite" else [1, 2, 4]
streams = {"mysql": "infile", "pgsql": "copy"}.get(kind)
wanted = [(streams, 0, n) for n in parts] if streams else []
wanted += [(way, commit, n) for way in ("multi", "prepared") for commit in (1, 700) for n in parts]
wanted += [("dump", 0, 1)] if kind == "mysql" else []
found = [(r["load"]["way"], r["load"]["commit_rows"], r["job"]["threads"]) for r in runs]
assert found == wanted, (found, wanted)
for run in runs:
    load = run["load"]
    assert run["status"] == "complete" and run["measured"]
    assert load["rows"] == run["events"]["count"] == 2000 == sum(t["events"] for t in run["threads"])
    assert load["verified"] == "count, checksum"
    assert load["disk_bytes"] >= load["bytes"] > 2000 * 180, load
    assert 0 < load["index_bytes"] < load["disk_bytes"] if load["index_known"] else kind == "sqlite", load
    assert abs(load["rows_per_s"] - 2000 / (run["load_ns"] / 1e9)) < 1
    statements, transactions = run["statements"][0]["count"], run["classes"]["transaction"]["count"]
    if load["commit_rows"]:
        assert transactions == sum(-(-t["events"] // load["commit_rows"]) for t in run["threads"]), load
    if load["way"] == "prepared":
        assert statements == 2000
    if load["way"] == streams:
        assert statements == transactions == run["job"]["threads"]
    assert run["server"]["product"] == {"mysql": "MariaDB", "pgsql": "PostgreSQL", "sqlite": "SQLite"}[kind]
assert len(open(sys.argv[3]).read().splitlines()) == len(runs) + 4
PYTHON
for command in compare reconcile; do # unlike steps must not look like repeated runs of one test
    "$program" "$command" all.json all.json >out 2>err && fail "$command sets steps of a load against each other"
    grep -q 'isobench load' err || fail "$command does not say why: $(cat err)"
done
load 0 --rows=10 --ways=multi --parts=1 --json=-
python3 -c 'import json; assert json.load(open("out"))["runs"][0]["load"]["rows"] == 10' || fail '--json=- is not JSON alone'

# ---- the rows of a file ----

printf '\xef\xbb\xbfnumber,word,empty,mixed\r\n' >a.csv
# shellcheck disable=SC1003
printf '%s\r\n' '1,plain,,x' '-20,"with, comma",,7' '300,"a ""quote"" and \ backslash",,\N' '4,"two
lines and	tab",,"\N"' "5,it's é 日本 😀,,?" '6,plain,,x' '6,plain,,x' '9223372036854775807,,,0' >>a.csv
tr -d '\r' <a.csv >unix.csv
slash=\\
[ "$kind" != mysql ] || slash=\\\\ # an escape in the SQL of its client
for way in $streams multi prepared $([ "$kind" != mysql ] || echo dump); do
    for file in a.csv unix.csv; do
        load 0 --ways="$way" --parts="$parts" --input=$file --header --keep
        grep -q "^load  *8 rows" out || fail "$way: not 8 rows: $(cat out)"
        found=$(own_sql "SELECT (SELECT COUNT(*) FROM isobench_load WHERE number = 300 AND word = 'a \"quote\" and $slash backslash'),
            (SELECT COUNT(*) FROM isobench_load WHERE number = 5 AND word = 'it''s é 日本 😀'),
            (SELECT COUNT(*) FROM isobench_load WHERE mixed IS NULL), (SELECT COUNT(*) FROM isobench_load WHERE number = 6),
            (SELECT COUNT(*) FROM isobench_load WHERE empty = ''), (SELECT MAX(number) FROM isobench_load)")
        # quotes and backslashes, UTF-8, \N and not "\N", equal rows, empty texts, whole numbers
        [ "$found" = '1|1|1|2|8|9223372036854775807' ] || fail "$way, $file: $found"
    done
done
# shellcheck disable=SC1003
printf '1\ta\\tb\\\\ \\n\t\\N\n2\t"x"\t\n' >b.tsv
load 0 --ways="${streams:-multi}" --parts=1 --input=b.tsv --keep
[ "$(own_sql "SELECT length(c2) FROM isobench_load WHERE c1 = 1")" = 6 ] || fail 'TSV escapes'
[ "$(own_sql "SELECT COUNT(*) FROM isobench_load WHERE c3 IS NULL")" = 1 ] || fail 'TSV \N'
printf 'a;b\n1;-\n2;3\n' >semicolon.data
load 0 --ways=multi --parts=1 --input=semicolon.data --format=csv --separator=';' --null=- --header --keep
[ "$(rows_of)" = $'1|'"$([ "$kind" != mysql ] || echo NULL)"$'\n2|3' ] || fail "separator and NULL: $(rows_of)"
load 0 --ways=multi --parts=1 --input=semicolon.data --format=csv --separator=';' --null=- --header \
    --columns='b DECIMAL(8,2), a INTEGER PRIMARY KEY' --keep
[ "$(own_sql "SELECT COUNT(*) FROM isobench_load WHERE a = 2 AND b = 3")" = 1 ] || fail 'columns by name in a table of the user'
load 0 --ways=multi --parts=1 --rows=10 # drops it

# many rows: parts begin within the file, and its checksum is that of all
python3 -c 'print("\n".join("%d,\"line\n%d\"" % (i, i % 7) for i in range(5000)))' >big.csv
load 0 --ways="${streams:-prepared}" --parts="$parts" --input=big.csv --keep
[ "$(own_sql 'SELECT COUNT(*), COUNT(DISTINCT c1), MIN(c1), MAX(c1) FROM isobench_load')" = '5000|5000|0|4999' ] || fail 'parts of a file'

# ---- what is refused: with the line, before anything is made ----

load 0 --ways=multi --parts=1 --rows=10
bad() { # LINE TEXT CONTENT
    printf '%b' "$3" >bad.csv
    refused 1 "bad.csv, line $1: $2" --input=bad.csv
}
bad 3 '1 value, and the first line has 2' '1,2\n3,4\n5\n6,7\n'
bad 2 'a quote is opened and not closed' '1,2\n"3,4\n5,6\n'
bad 4 'text stands behind a closing quote' '1,2\n"3\n3",4\n"5"x,6\n'
bad 2 'a quote stands in a value' '1,2\n3"3,4\n'
bad 1 'a value is not UTF-8' 'a,\xff\n'
bad 2 'a value is not UTF-8, or has a NUL byte' 'a,b\nc,\x00\n'
: >empty.csv
refused 1 'empty.csv is empty' --input=empty.csv
printf 'a,b\n' >empty.csv
refused 1 'empty.csv has no rows' --input=empty.csv --header
refused 1 'missing.csv' --input=missing.csv
refused 2 '--format=csv' --input=semicolon.data
refused 2 '--ways=copies' --ways=copies
refused 2 '--flush-at-commit=7' --flush-at-commit=7
refused 2 '--no-such' --no-such=1
refused 2 '--parts' --parts=0
refused 2 '--rows' --rows=-1
refused 2 'lower-case' --table='a b'
# a key that is there twice is the database's to refuse: the table goes, and the rows are named by it
printf '1,a\n2,b\n1,c\n' >twice.csv
for way in $streams multi prepared; do
    refused 1 '' --ways="$way" --parts=1 --input=twice.csv --columns='a INTEGER PRIMARY KEY, b VARCHAR(10)'
done
printf '1,abcdef\n' >long.csv
[ "$kind" = sqlite ] || for way in $streams multi prepared; do
    refused 1 '' --ways="$way" --parts=1 --input=long.csv --columns='a INTEGER, b VARCHAR(3)'
done

# numbers count by their value where the user chose the types; a type that keeps another text is found, though the
# count is right
printf '1,5.25\n2,0.10\n' >cut.csv
load 0 --ways=multi --parts=1 --input=cut.csv --columns='a INTEGER, b DECIMAL(10,6)'
printf '1,abc\n' >cut.csv
[ "$kind" != pgsql ] || # blanks up to the width
    refused 1 'their values are not those that were sent' --ways=multi --parts=1 --input=cut.csv --columns='a INTEGER, b CHAR(5)'
[ "$kind" != mysql ] || # bytes up to the width
    refused 1 'their values are not those that were sent' --ways=multi --parts=1 --input=cut.csv --columns='a INTEGER, b BINARY(5)'
refused 2 'the table has 3 columns and the rows have 2' --ways=multi --parts=1 --input=cut.csv --columns='a INTEGER, b INTEGER, c INTEGER'

# ---- a table that is not ours ----

own_sql 'CREATE TABLE isobench_load (x INTEGER)'
own_sql 'INSERT INTO isobench_load VALUES (42)'
load 2 --ways=multi --parts=1 --rows=10
grep -q -- '--replace=isobench_load' err || fail "it is not said how to name the table: $(cat err)"
[ "$(own_sql 'SELECT x FROM isobench_load')" = 42 ] || fail 'a table of somebody else was touched'
load 2 --ways=multi --parts=1 --rows=10 --replace=other
[ "$(own_sql 'SELECT x FROM isobench_load')" = 42 ] || fail 'a table was touched, and another one was named'
load 0 --ways=multi --parts=1 --rows=10 --replace=isobench_load
! is_there || fail 'a table that was named is still there'
own_sql 'CREATE VIEW isobench_load AS SELECT 1 AS x'
load 2 --ways=multi --parts=1 --rows=10 --replace=isobench_load
own_sql 'DROP VIEW isobench_load'
load 0 --ways=multi --parts=1 --rows=10 --keep
load 0 --ways=multi --parts=1 --rows=10 # one that load itself left is replaced without a word
! is_there || fail 'a table that load left is still there'

# ---- Ctrl-C ----

# until_busy: until the loading step has begun.
until_busy() {
    local tries
    for tries in {1..400}; do
        is_there && return
        sleep 0.05
    done
    fail "the load does not begin: $(cat out err)"
}
# interrupted OPTION…: Ctrl-C amid a load too long to end by itself.
interrupted() {
    "$program" load "${to[@]}" --rows=400000 --parts="$parts" "$@" >out 2>err &
    local child=$! status=0
    until_busy
    sleep 0.3
    kill -INT "$child"
    wait "$child" || status=$?
    [ "$status" -eq 130 ] || fail "load $*: Ctrl-C ended with $status: $(cat out err)"
    ! is_there || fail "load $*: Ctrl-C left the table"
}
[ "$kind" != sqlite ] || rm -f load.sqlite
for way in $streams prepared; do
    interrupted --ways="$way" --commit-every=100
done

# shellcheck source=tests/load/mysql.sh
[ "$kind" != mysql ] || . "$here/mysql.sh"
# shellcheck source=tests/load/pgsql.sh
[ "$kind" != pgsql ] || . "$here/pgsql.sh"
# shellcheck source=tests/load/sqlite.sh
[ "$kind" != sqlite ] || . "$here/sqlite.sh"

[ "$failures" -eq 0 ] || exit 1
echo 'all checks passed'
