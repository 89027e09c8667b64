#!/usr/bin/env bash
# The real mariadb-slap and `isobench mysqlslap` on one server: the statements that --only-print shows, layout and CSV,
# what the server's log counts, the tables that are left; then what only ours does: a schema that it did not make stays,
# each limit is named in one line, a thousand clients, Ctrl-C.
# usage: mysqlslap.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

program=$(realpath "$1")
failures=0
command -v mariadb-slap >/dev/null || servers_skip "mariadb-slap is not installed"
servers_start
cd "$server_home"

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

start_mariadb --max-connections=1100 --table-open-cache=2000 --plugin-load-add=ha_blackhole --plugin-maturity=unknown \
    --general-log=1 --general-log-file=statements.log
mysql_admin -e "GRANT ALL ON *.* TO '$mysql_user'@'%'"
log=$(mysql_folder)/data/statements.log
way=(--host=127.0.0.1 "--port=$mysql_port" "--user=$mysql_user" "--password=$mysql_password")
real() { timeout 60 mariadb-slap --no-defaults "$@"; }
ours() { timeout 120 "$program" mysqlslap --no-defaults "$@"; }
schemas() { mysql_admin -N -B -e "SHOW DATABASES LIKE '$1'"; }
# The only line on stderr, but for warnings.
error_of() { grep -v ': warning: ' err || true; }

# ---- statements: the same but for what is random, and but for AUTOCOMMIT, which ours ends for its clients alone ----
shape() {
    sed -E "s/'[A-Za-z0-9]{100,}'/'TEXT'/g; s/'[0-9a-f-]{30,36}'/'KEY'/g; s/([(, =])[0-9]{4,}/\1N/g" |
        grep -v '^SET AUTOCOMMIT=0;'
}
# Several clients of the real tool print as they come, so that their lines may be mixed: it is asked again then.
same_statements() {
    for _ in {1..5}; do
        real --only-print "$@" | shape >real.out
        ! diff real.out ours.out >diff.out || return 0
    done
    return 1
}
while read -r -a options; do
    ours --only-print "${options[@]}" | shape >ours.out
    [ -s ours.out ] || fail "--only-print ${options[*]} prints nothing"
    same_statements "${options[@]}" || fail "--only-print ${options[*]}: $(head -n 6 diff.out)"
done <<'LINES'
-a
-a --concurrency=3 --number-of-queries=30 --iterations=2
-a --auto-generate-sql-execute-number=25 --auto-generate-sql-unique-write-number=3
-a --auto-generate-sql-guid-primary --auto-generate-sql-secondary-indexes=2 --auto-generate-sql-load-type=update -y 2:1 -x 3:1
-a --auto-generate-sql-add-autoincrement --auto-generate-sql-load-type=key -e memory:max_rows=10,myisam -c 1,2 -i 2
-a --auto-generate-sql-add-autoincrement --auto-generate-sql-unique-query-number=3 --commit=2 -c 2
-a --auto-generate-sql-load-type=write --no-drop -c 1,2
-a --auto-generate-sql-load-type=read -y 3 -x 0 --auto-generate-sql-write-number=1
-a --auto-generate-sql-load-type=update --create-schema=other
LINES
words=(--delimiter=";" --create="create table a(i int);insert into a values(1)" --query="select 1;insert into a values (2)"
    --pre-query="select 'a b'" --post-query="select 'c';select 'd'" --engine=memory:max_rows=10 -c 2 -i 2)
diff <(real --only-print "${words[@]}") <(ours --only-print "${words[@]}") >diff.out || fail "own statements: $(cat diff.out)"

# ---- layouts: figures become N, and what was asked for stays ----
mask() { sed -E 's/[0-9]+\.[0-9]{3}/N/g'; }
while read -r -a options; do
    real "${way[@]}" "${options[@]}" 2>err | mask >real.out || fail "real ${options[*]}: $(cat err)"
    ours "${way[@]}" "${options[@]}" 2>err | mask >ours.out || fail "${options[*]}: $(error_of)"
    [ -s ours.out ] || fail "${options[*]} prints nothing"
    diff real.out ours.out >diff.out || fail "${options[*]}: $(cat diff.out)"
done <<'LINES'
-a -c 2,5 --number-of-queries=50
-a -c 2 --number-of-queries=50 -i 3 --engine=memory:max_rows=10000,innodb
-a -c 2,5 --number-of-queries=50 -i 2 --engine=innodb,myisam --csv
-a -c 2 --number-of-queries=50 --csv -s --auto-generate-sql-load-type=write
--query=select(1) --create-schema=mysql
LINES
real "${way[@]}" -a -c 2 --number-of-queries=4 --csv=real.csv >out
ours "${way[@]}" -a -c 2 --number-of-queries=4 --csv=ours.csv >out 2>err || fail "--csv=FILE: $(error_of)"
diff <(mask <real.csv) <(mask <ours.csv) >diff.out || fail "--csv=FILE: $(cat diff.out)"

# ---- what the server saw: statements that clients sent, rows and tables that are left ----
counts() { # from line $1 of the log on
    tail -n "+$1" "$log" | awk '
        /Query\tINSERT INTO t1/ {i++} /Query\tSELECT .*intcol1/ {s++} /Query\tUPDATE t1/ {u++} /Query\tCOMMIT/ {c++}
        /Query\tCREATE TABLE `t1`/ {t++} END {print i + 0, s + 0, u + 0, c + 0, t + 0}'
}
left() { # of schema $1
    mysql_admin -N -B "$1" -e 'SHOW CREATE TABLE t1; SELECT COUNT(*) FROM t1' | sed -E 's/ AUTO_INCREMENT=[0-9]+//'
}
while read -r -a options; do
    for tool in real ours; do
        schema=by_$tool
        line=$(($(wc -l <"$log") + 1))
        $tool "${way[@]}" -s --no-drop --create-schema=$schema "${options[@]}" >out 2>err ||
            fail "$tool ${options[*]}: $(error_of)"
        { counts "$line" && left "$schema"; } >$tool.left
        mysql_admin -e "DROP SCHEMA $schema"
    done
    diff real.left ours.left >diff.out || fail "${options[*]}: $(cat diff.out)"
done <<'LINES'
-a
-a -c 4 --number-of-queries=40 --auto-generate-sql-load-type=write
-a -c 3 --number-of-queries=30 --commit=4 --auto-generate-sql-guid-primary
-a -c 2 --auto-generate-sql-load-type=update --auto-generate-sql-add-autoincrement --auto-generate-sql-write-number=30
-a -c 2 --auto-generate-sql-load-type=key --auto-generate-sql-guid-primary --auto-generate-sql-secondary-indexes=1
-a --auto-generate-sql-load-type=read -x 2:1 -y 3:1 --engine=myisam --auto-generate-sql-execute-number=20
LINES

# ---- nothing is dropped that is somebody else's ----
mysql_admin -e "CREATE DATABASE theirs; CREATE TABLE theirs.t (a INT); INSERT INTO theirs.t VALUES (7)"
if ours "${way[@]}" -a --create-schema=theirs >out 2>err; then fail "a schema that is not ours was taken"; fi
[ "$(wc -l <err)" = 1 ] && grep -q 'schema theirs: it is there already.*--isobench-drop-schema' err || fail "their schema: $(cat err)"
[ "$(mysql_admin -N -B -e 'SELECT a FROM theirs.t')" = 7 ] || fail 'their table is gone'
ours "${way[@]}" -q 'SELECT a FROM t' --create-schema=theirs >out 2>err || fail "asking their table: $(error_of)"
[ "$(mysql_admin -N -B -e 'SELECT a FROM theirs.t')" = 7 ] || fail 'a query dropped their table'
ours "${way[@]}" -a --create-schema=theirs --isobench-drop-schema=theirs >out 2>err || fail "dropping by name: $(error_of)"
[ -z "$(schemas theirs)" ] || fail 'the schema that was named is still there'
ours "${way[@]}" -a --no-drop >out 2>err || fail "--no-drop: $(error_of)"
[ "$(schemas mysqlslap)" = mysqlslap ] || fail '--no-drop dropped it'
if ours "${way[@]}" -a --no-drop >out 2>err; then fail '--no-drop wrote into what is there'; fi
ours "${way[@]}" -a >out 2>err || fail "what a run of ours left: $(error_of)"
[ -z "$(schemas mysqlslap)" ] || fail 'our own schema was left'

# ---- what goes wrong is one line, status 1, and leaves no schema ----
refuse() { # PART ARGUMENT…
    local part=$1 status=0
    shift
    ours "$@" >out 2>err || status=$?
    error_of >error
    [ "$status" -eq 1 ] && [ "$(wc -l <error)" = 1 ] && grep -qF -- "$part" error && [ -z "$(schemas mysqlslap)" ] ||
        fail "$*: status $status: $(cat err)"
}
refuse 'Access denied' --host=127.0.0.1 "--port=$mysql_port" "--user=$mysql_user" --password=wrong -a
refuse "doesn't exist" "${way[@]}" -F ';' --create='CREATE TABLE x (i INT)' -q 'SELECT 1;SELECT * FROM nosuch' -c 3
refuse 'error in your SQL syntax' "${way[@]}" --create='CREATE TABEL x (i INT)' -q 'SELECT 1'
refuse 'Unknown storage engine' "${way[@]}" -a -e nosuch
refuse 'there is no row to look for' "${way[@]}" -a -e blackhole --auto-generate-sql-load-type=key --auto-generate-sql-guid-primary
refuse 'Unknown database' "${way[@]}" -q 'SELECT 1'
(failures=0 && ulimit -n 200 && refuse '300 connections need 364 open files' "${way[@]}" -a -c 300 && exit "$failures") ||
    fail 'open files'
mysql_admin -e "SET GLOBAL max_connections=20"
refuse '26 connections are needed, and the server takes 20 (max_connections)' "${way[@]}" -a -c 25
mysql_admin -e "SET GLOBAL max_connections=1100; CREATE USER few IDENTIFIED BY 'x' WITH MAX_USER_CONNECTIONS 5;
    GRANT ALL ON *.* TO few"
refuse 'max_user_connections' --host=127.0.0.1 "--port=$mysql_port" --user=few --password=x -a -c 10

# ---- transactions, connections and commands around a run ----
line=$(($(wc -l <"$log") + 1))
ours "${way[@]}" -a -c 3 --number-of-queries=10 --detach=2 --pre-system='echo before' --post-system='exit 3' \
    --init-command='SET @a=1' --pre-query='SELECT 11' --post-query='SELECT 12' --sql-mode=ANSI --json=run.json >out 2>err ||
    fail "around a run: $(error_of)"
[ "$(head -n 1 out)" = before ] || fail "--pre-system: $(cat out)"
grep -q 'the command of --post-system did not end with 0' err || fail "--post-system: $(cat err)"
tail -n "+$line" "$log" >part
[ "$(grep -c 'SELECT 11' part)$(grep -c 'SELECT 12' part)" = 11 ] || fail '--pre-query and --post-query'
# 4, 3 and 3 statements: 2, 1 and 1 connections more; and the one that made the schema
[ "$(grep -c 'SET @a=1' part)" = 8 ] && [ "$(grep -c "sql_mode='ANSI'" part)" = 8 ] ||
    fail "--detach: $(grep -c 'SET @a=1' part) connections said --init-command"
python3 - <<'PYTHON' || fail 'the JSON does not agree'
import json
r = json.load(open('run.json'))
statements = {s['name']: s['count'] for s in r['statements']}
assert statements == {'insert': 6, 'select': 4}, statements
assert r['classes']['transaction']['count'] == r['events']['count'] == 10
assert r['job']['workload'] == 'script' and r['job']['threads'] == 3
assert r['server']['product'] == 'MariaDB'
PYTHON

# ---- Ctrl-C, and a password that nobody sees ----
"$program" mysqlslap --no-defaults "${way[@]}" -a -c 4 --number-of-queries=100000000 >out 2>err &
child=$!
for _ in {1..200}; do
    [ "$(mysql_admin -N -B -e 'SELECT COUNT(*) FROM information_schema.processlist WHERE db = "mysqlslap"')" -ge 4 ] && break
    sleep 0.05
done
tr '\0' ' ' <"/proc/$child/cmdline" >words
grep -q 's3cret' words && fail "the list of processes shows the password"
# another run would take the schema of this one for what a killed one left
status=0
ours "${way[@]}" -a >other.out 2>other.err || status=$?
[ "$status" -eq 1 ] && [ "$(wc -l <other.err)" -eq 1 ] && grep -q 'another run of isobench is at work in it' other.err &&
    [ "$(schemas mysqlslap)" = mysqlslap ] || fail "two runs in one schema: status $status: $(cat other.err)"
kill -INT "$child"
status=0
wait "$child" || status=$?
[ "$status" -eq 130 ] && [ ! -s out ] || fail "Ctrl-C: status $status: $(cat out)"
[ -z "$(schemas mysqlslap)" ] || fail 'Ctrl-C left the schema'

# ---- the published series, with fewer statements ----
mysql_admin -e "SET GLOBAL general_log=0"
while read -r load clients; do
    ours "${way[@]}" -a "--auto-generate-sql-load-type=$load" -c "$clients" --number-of-queries=2000 -e blackhole,myisam --csv \
        >"$load.csv" 2>err || fail "series $load: $(error_of)"
    cut -d , -f 1,2,6,7 "$load.csv" >columns
    for engine in blackhole myisam; do
        for count in ${clients//,/ }; do
            echo "$engine,$load,$count,$((2000 / count))"
        done
    done >wanted
    diff wanted columns >diff.out || fail "series $load: $(cat diff.out)"
    grep -vqE '^[a-z]+,[a-z]+,([0-9]+\.[0-9]{3},){3}[0-9]+,[0-9]+$' "$load.csv" && fail "columns: $(cat "$load.csv")"
done <<'LINES'
mixed 1,50
write 1,50,1000
LINES

[ "$failures" -eq 0 ] || exit 1
echo "mysqlslap beside mariadb-slap: all is the same that should be"
