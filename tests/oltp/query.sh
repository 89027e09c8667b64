#!/usr/bin/env bash
# `isobench query` on a real database: a ladder of connections, weights, and each source of values, held against what
# the database then has; failures in one line.
# usage: query.sh sqlite|mysql|pgsql PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

kind=$1
program=$(realpath "$2")
failures=0
servers_start
cd "$server_home"

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

case $kind in
sqlite)
    command -v sqlite3 >/dev/null || servers_skip "sqlite3, the command, is not here"
    way=(--db-driver=sqlite --db-file=test.sqlite --sqlite-synchronous=off)
    sql() { sqlite3 test.sqlite "$1"; }
    ;;
mysql)
    start_mariadb --max-connections=30
    export MYSQL_PWD=$mysql_password
    way=(--db-driver=mysql "--db-socket=$mysql_socket" "--db-user=$mysql_user" "--db-name=$mysql_database")
    sql() { MYSQL_PWD='' mysql_admin -N -B "$mysql_database" -e "$1"; }
    ;;
pgsql)
    start_postgres 'max_connections = 30'
    export PGPASSWORD=$pgsql_password
    way=(--db-driver=pgsql --db-host=127.0.0.1 "--db-port=$pgsql_port" "--db-user=$pgsql_user" "--db-name=$pgsql_database")
    sql() { "$(postgres_program psql)" -X -q -A -t -h 127.0.0.1 -p "$pgsql_port" -U "$pgsql_user" -d "$pgsql_database" -c "$1"; }
    ;;
esac
ours() { timeout 120 "$program" query "${way[@]}" --time=0 "$@" >out 2>err; }
error_of() { grep -v ': warning: ' err || true; }

sql 'CREATE TABLE numbers (n BIGINT, who INT)'
sql 'CREATE TABLE texts (t VARCHAR(100))'
sql 'CREATE TABLE hits (n BIGINT)'

# ---- in order: over all connections each value once, and again from the first ----
ours --sql='INSERT INTO numbers VALUES (:n, 1)' --params=n=sequential:-10..289 --connections=3 --events=300 ||
    fail "sequential: $(error_of)"
[ "$(sql 'SELECT COUNT(*), COUNT(DISTINCT n), MIN(n), MAX(n) FROM numbers' | tr '\t' '|')" = '300|300|-10|289' ] || fail 'sequential values'
ours --sql='INSERT INTO numbers VALUES (:n, 2)' --params=n=sequential:1..4 --connections=2 --events=10 || fail "wrapping: $(error_of)"
[ "$(sql 'SELECT n, COUNT(*) FROM numbers WHERE who = 2 GROUP BY n ORDER BY n' | tr '\t\n' '| ')" = '1|3 2|3 3|2 4|2 ' ] || fail 'values that wrap'

# ---- from a file: whatever a line holds ----
printf '%s\n' "it's" 'back\slash' '' '"quoted"; DROP TABLE texts; --' '1' 'ünï :n ?' >lines
ours --sql='INSERT INTO texts VALUES (:t)' --params=t=file-sequential:lines --events=6 || fail "file: $(error_of)"
sql 'SELECT t FROM texts' | sed 's/\\\\/\\/' | sort >got
diff <(sort lines) got >diff.out || fail "texts: $(cat diff.out)"
printf '7\r\n9\r\n' >whole
ours --sql='INSERT INTO numbers VALUES (:n + 1, 3)' --params=n=file:whole --events=50 --seed=3 || fail "numbers of a file: $(error_of)"
[ "$(sql 'SELECT DISTINCT n FROM numbers WHERE who = 3 ORDER BY n' | tr '\n' ' ')" = '8 10 ' ] || fail 'numbers of a file'

# ---- drawn: in bounds, the same for a seed, and hot where it must be ----
draw() { # SOURCE: as rows of hits
    sql 'DELETE FROM hits'
    ours --sql='INSERT INTO hits VALUES (:n)' "--params=n=$1" --events=600 --seed=11 || fail "$1: $(error_of)"
}
draw random:101..200
[ "$(sql 'SELECT COUNT(*) FROM hits WHERE n BETWEEN 101 AND 200')" = 600 ] || fail 'random values out of bounds'
[ "$(sql 'SELECT COUNT(DISTINCT n) FROM hits')" -gt 90 ] || fail 'random values are few'
[ "$(sql 'SELECT COUNT(*) FROM hits GROUP BY n ORDER BY 1 DESC LIMIT 1')" -lt 25 ] || fail 'random values are hot'
first=$(sql 'SELECT SUM(n * n) FROM hits')
draw random:101..200
[ "$(sql 'SELECT SUM(n * n) FROM hits')" = "$first" ] || fail 'the same seed drew other values'
draw zipfian:1..100
[ "$(sql 'SELECT COUNT(*) FROM hits GROUP BY n ORDER BY 1 DESC LIMIT 1')" -gt 40 ] || fail 'zipfian values are not hot'

# ---- a ladder with weights: one row for each step, and the statements in their shares ----
cat >set.sql <<'SQL'
-- reads; mostly
SELECT COUNT(*) FROM numbers WHERE n = :n AND ':n' <> '?';
/* and a few writes */ UPDATE numbers SET who = 4 WHERE n = :n AND who = :who;
SQL
ours --sql=set.sql --params=n=random:1..300,who=random:1..2 --weights=9,1 --connections=1,4,8 --events=400 --json=set.json \
    --retry-errors=all || fail "ladder: $(error_of)"
awk 'NR > 1 && $1 ~ /^[0-9]+$/ {print $1, $2}' out >steps
[ "$(tr '\n' ' ' <steps)" = '1 400 4 400 8 400 ' ] || fail "ladder: $(cat out)"
[ "$(grep -c '^  query [12] ' out)" = 6 ] || fail "rows of statements: $(cat out)"
python3 - <<'PYTHON' || fail 'the JSON does not agree'
import json
steps = json.load(open('set.json'))['runs']
assert [step['job']['threads'] for step in steps] == [1, 4, 8]
for run in steps:
    reads, writes = (s['count'] for s in run['statements'])
    assert reads + writes == run['classes']['transaction']['count'] == 400
    assert 4 < reads / writes < 20, (reads, writes)
    assert run['statements'][0]['sql'].endswith("n = ? AND ':n' <> '?'"), run['statements'][0]['sql']
PYTHON
if [ "$kind" = mysql ]; then
    sql 'DELETE FROM texts'
    ours --sql='INSERT INTO texts VALUES (:t)' --params=t=file-sequential:lines --events=6 --db-statements=text || fail "text: $(error_of)"
    sql 'SELECT t FROM texts' | sed 's/\\\\/\\/' | sort >got
    diff <(sort lines) got >diff.out || fail "as text: $(cat diff.out)"
elif ours --sql='SELECT 1' --events=1 --db-statements=text; then
    fail 'text was taken, and not sent'
fi

# ---- what goes wrong is one line ----
refuse() { # STATUS PART ARGUMENT…
    local wanted=$1 part=$2 status=0
    shift 2
    ours "$@" || status=$?
    error_of >error
    [ "$status" -eq "$wanted" ] && [ "$(wc -l <error)" = 1 ] && grep -qF -- "$part" error || fail "$*: status $status: $(cat err)"
}
refuse 2 'give --sql'
refuse 2 'there is no such file' --sql=nosuch.sql --events=1
refuse 2 'nothing gives :x a value' --sql='SELECT :x' --events=1
refuse 2 '? says not which value' --sql='SELECT ?' --events=1
refuse 2 'no statement of --sql has :x' --sql='SELECT 1' --params=x=random:1..2 --events=1
refuse 2 'give NAME=random:1..1000' --sql='SELECT :x' --params=x=random:2..1 --events=1
refuse 2 'give NAME=random:1..1000' --sql='SELECT :x' --params=x=often:1..2 --events=1
refuse 2 'one number for each of the 1 statements' --sql='SELECT 1' --weights=1,2 --events=1
refuse 2 'numbers above 0' --sql='SELECT 1' --connections=1,0 --events=1
refuse 2 '--table-size: no option of query' --sql='SELECT 1' --table-size=5 --events=1
refuse 1 nosuch --sql='SELECT * FROM nosuch' --events=1
if [ "$kind" != sqlite ]; then
    refuse 1 max_connections --sql='SELECT 1' --connections=2,50 --events=5
    grep -q '^2 ' out || fail "a step that could not run took the one before it along: $(cat out)"
fi
status=0
"$program" query "${way[@]}" --sql='SELECT 1' --as isobench >out 2>err || status=$?
[ "$status" -ne 0 ] && [ "$(wc -l <err)" = 1 ] || fail "--as: $(cat out err)"
status=0
"$program" oltp script run "${way[@]}" --time=1 >out 2>err || status=$?
[ "$status" -eq 1 ] && grep -q 'isobench mysqlslap or isobench query' err || fail "a script without one: $status $(cat err)"

# ---- Ctrl-C: what was measured, marked ----
"$program" query "${way[@]}" --sql='SELECT COUNT(*) FROM numbers' --connections=2,4 --time=100 --report-interval=0.1 >out 2>err &
child=$!
sleep 1.5
kill -INT "$child"
status=0
wait "$child" || status=$?
[ "$status" -eq 130 ] && grep -q '^2 .*PARTIAL$' out && ! grep -q '^4 ' out || fail "Ctrl-C: status $status: $(cat out err)"

[ "$failures" -eq 0 ] || exit 1
echo "query on $kind: all as it should be"
