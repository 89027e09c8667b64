#!/usr/bin/env bash
# The database benchmark on a real database: every workload with both kinds of statements, what it must leave unchanged,
# tables that sysbench made and ours for sysbench, failures in one line, and a server that is killed under load.
# usage: oltp.sh sqlite|mysql|pgsql PROGRAM
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
    way=(--db-driver=sqlite --db-file=test.sqlite)
    sql() { sqlite3 test.sqlite "$1"; }
    command -v sqlite3 >/dev/null || servers_skip "sqlite3, the command, is not here"
    ;;
mysql)
    start_mariadb --max-connections=40
    export MYSQL_PWD=$mysql_password
    way=(--db-driver=mysql "--db-host=127.0.0.1" "--db-port=$mysql_port" "--db-user=$mysql_user" "--db-name=$mysql_database")
    sql() { MYSQL_PWD='' mysql_admin -N -B "$mysql_database" -e "$1"; }
    sysbench_way=(--db-driver=mysql --mysql-host=127.0.0.1 "--mysql-port=$mysql_port" "--mysql-user=$mysql_user"
        "--mysql-password=$mysql_password" "--mysql-db=$mysql_database")
    ;;
pgsql)
    start_postgres 'max_connections = 40'
    export PGPASSWORD=$pgsql_password
    way=(--db-driver=pgsql --db-host=127.0.0.1 "--db-port=$pgsql_port" "--db-user=$pgsql_user" "--db-name=$pgsql_database")
    sql() { PGPASSWORD=$pgsql_password "$(postgres_program psql)" -X -q -A -t -h 127.0.0.1 -p "$pgsql_port" -U "$pgsql_user" -d "$pgsql_database" -c "$1"; }
    sysbench_way=(--db-driver=pgsql --pgsql-host=127.0.0.1 "--pgsql-port=$pgsql_port" "--pgsql-user=$pgsql_user"
        "--pgsql-password=$pgsql_password" "--pgsql-db=$pgsql_database")
    ;;
esac

ours() {
    "$program" oltp "$@" "${way[@]}"
}

size=(--tables=2 --table-size=500)

# ---- tables: as sysbench's, whole, and never made twice ----
ours prepare "${size[@]}" --threads=2 >out 2>err || fail "prepare: $(cat err)"
[ "$(sql 'SELECT COUNT(*), MIN(id), MAX(id) FROM sbtest2' | tr '\t' '|')" = '500|1|500' ] || fail 'rows of sbtest2'
[ "$(sql "SELECT COUNT(*) FROM sbtest1 WHERE LENGTH(c) = 119 AND LENGTH(pad) IN (59, 60)")" = 500 ] || fail 'texts of sbtest1'
if ours prepare "${size[@]}" >out 2>err; then fail 'prepare took tables that are there'; fi
grep -q 'there already' err || fail "a table that is there: $(cat err)"
[ "$(sql 'SELECT COUNT(*) FROM sbtest1')" = 500 ] || fail 'prepare touched a table that was there'
ours warmup "${size[@]}" >out 2>err || fail "warmup: $(cat err)"

# ---- a second set beside the first ----
ours prepare "${size[@]}" --table-name=other >out 2>err || fail "a second set of tables: $(cat err)"
ours cleanup "${size[@]}" --table-name=other >out 2>err || fail "cleanup of a second set: $(cat err)"

# ---- workloads ----
figures() { # WORKLOAD JSON: reads, writes, others and transactions
    python3 -c 'import json, sys
classes = json.load(open(sys.argv[1]))["classes"]
print(*(classes[name]["count"] for name in ("read_query", "write_query", "other_query", "transaction")))' "$1"
}
for statements in prepared text; do
    while read -r workload reads writes others; do
        before=$(sql 'SELECT COUNT(*) + (SELECT COUNT(*) FROM sbtest2) FROM sbtest1')
        ours "$workload" run "${size[@]}" --threads=1 --time=0 --events=50 "--db-statements=$statements" --json=result.json \
            >out 2>err || fail "$workload, $statements: $(cat err)"
        [ "$(figures result.json)" = "$((50 * reads)) $((50 * writes)) $((50 * others)) 50" ] ||
            fail "$workload, $statements: $(figures result.json)"
        after=$(sql 'SELECT COUNT(*) + (SELECT COUNT(*) FROM sbtest2) FROM sbtest1')
        [ "$before" = "$after" ] || fail "$workload, $statements: $before rows before, $after after"
    done <<'TABLE'
oltp_read_write 14 4 2
oltp_read_only 14 0 2
oltp_write_only 0 4 2
oltp_point_select 1 0 0
oltp_update_index 0 1 0
oltp_update_non_index 0 1 0
select_random_points 1 0 0
select_random_ranges 1 0 0
TABLE
    ours oltp_read_write run "${size[@]}" --threads=4 --time=1 "--db-statements=$statements" >out 2>err ||
        fail "four threads, $statements: $(cat err)"
done
sum() { sql 'SELECT SUM(k) FROM sbtest1'; }
before=$(sum)
ours oltp_update_index run --tables=1 --table-size=500 --time=0 --events=40 >out 2>err || fail "updates: $(cat err)"
[ "$(sum)" = $((before + 40)) ] || fail "40 updates of k made $before $(sum)"
ours oltp_delete run --tables=1 --table-size=500 --time=0 --events=30 --json=result.json >out 2>err || fail "deletes: $(cat err)"
gone=$(figures result.json | cut -d ' ' -f 2)
[ "$(sql 'SELECT COUNT(*) FROM sbtest1')" = $((500 - gone)) ] || fail "oltp_delete: $gone rows gone by its own count"
ours cleanup "${size[@]}" >out 2>err || fail "cleanup: $(cat err)"
ours oltp_insert prepare --tables=1 --table-size=100 >out 2>err || fail "oltp_insert prepare: $(cat err)"
before=$(sql 'SELECT COUNT(*) FROM sbtest1')
ours oltp_insert run --tables=1 --table-size=100 --time=0 --events=70 --threads=2 >out 2>err || fail "inserts: $(cat err)"
[ "$(sql 'SELECT COUNT(*) FROM sbtest1')" = $((before + 70)) ] || fail 'oltp_insert: the rows are not there'
ours oltp_insert cleanup --tables=1 >out 2>err || fail "cleanup: $(cat err)"
ours bulk_insert prepare --threads=2 >out 2>err || fail "bulk_insert prepare: $(cat err)"
ours bulk_insert run --threads=2 --time=0 --events=5000 >out 2>err || fail "bulk_insert run: $(cat err)"
[ "$(sql 'SELECT COUNT(*) + (SELECT COUNT(*) FROM sbtest2) FROM sbtest1')" = 5000 ] || fail 'bulk_insert: the rows are not there'
[ "$(sql 'SELECT MIN(id) FROM (SELECT id FROM sbtest1 UNION ALL SELECT id FROM sbtest2) AS ids')" = 1 ] ||
    fail 'bulk_insert: the first id is not 1, as it is with sysbench'
ours bulk_insert cleanup --threads=2 >out 2>err || fail "bulk_insert cleanup: $(cat err)"

# ---- conflicts: many threads on few rows; what was tried again is neither lost nor done twice ----
ours prepare --table-size=20 >out 2>err || fail "prepare: $(cat err)"
ours oltp_read_write run --table-size=20 --range-size=5 --threads=8 --time=3 --json=result.json >out 2>err ||
    fail "eight threads on twenty rows: $(cat err)"
[ "$(sql 'SELECT COUNT(*), MIN(id), MAX(id) FROM sbtest1' | tr '\t' '|')" = '20|1|20' ] || fail 'conflicts changed the rows'
before=$(sum)
ours oltp_update_index run --table-size=20 --threads=8 --time=0 --events=400 >out 2>err || fail "updates: $(cat err)"
[ "$(sum)" = $((before + 400)) ] || fail "400 updates of k by 8 threads made $before $(sum)"
ours cleanup --tables=1 >out 2>err || fail "cleanup: $(cat err)"

# ---- SQLite's one lock: every thread has its turns, and a refused one does not spin ----
if [ "$kind" = sqlite ]; then
    ours prepare --table-size=500 >out 2>err || fail "prepare: $(cat err)"
    ours run --table-size=500 --threads=4 --time=4 --json=fair.json >out 2>err || fail "four writers: $(cat err)"
    ours run --table-size=500 --threads=4 --time=2 --sqlite-busy-timeout=0 --json=refused.json >out 2>err ||
        fail "four writers that do not wait: $(cat err)"
    python3 - <<'PYTHON' || fail "four writers: $(grep -h -A8 '"threads": \[' fair.json | tr -d '\n')"
import json
events = [thread["events"] for thread in json.load(open("fair.json"))["threads"]]
assert min(events) > 0.25 * sum(events) / 4, events
refused = json.load(open("refused.json"))["classes"]["transaction"]
assert 0 < refused["errors"] < 40000, refused["errors"]  # a spin makes half a million
PYTHON
    ours cleanup --tables=1 >out 2>err || fail "cleanup: $(cat err)"
fi

await() { # WORDS FILE: until they stand there
    for _ in {1..600}; do
        ! grep -qs "$1" "$2" || return 0
        sleep 0.1
    done
    fail "no \"$1\" within 60 s: $(cat "$2")"
}

# ---- Ctrl-C: a run keeps its figures, prepare leaves nothing ----
interrupted() { # WORDS ARGUMENT…: its status, when it is interrupted once it has written them
    local words=$1 child status=0
    shift
    rm -f out
    "$program" oltp "$@" "${way[@]}" >out 2>err &
    child=$!
    await "$words" out
    kill -INT "$child" 2>/dev/null || true
    wait "$child" || status=$?
    printf '%s\n' "$status"
}
[ "$(interrupted filling prepare --tables=2 --table-size=50000000 --threads=2)" -eq 130 ] || fail 'an interrupted prepare does not say so by its status'
[ "$(wc -l <err)" -eq 1 ] || fail "an interrupted prepare: $(head -c 600 err)"
if sql 'SELECT 1 FROM sbtest1 WHERE 1 = 0' >/dev/null 2>&1; then fail 'an interrupted prepare left a table'; fi
if [ "$kind" = sqlite ]; then # the file that was there stays, one that prepare made goes
    [ -s test.sqlite ] || fail 'an interrupted prepare took a file that was there'
    way=(--db-driver=sqlite --db-file=new.sqlite)
    [ "$(interrupted filling prepare --table-size=50000000)" -eq 130 ] || fail "an interrupted prepare: $(cat err)"
    [ -z "$(ls new.sqlite* 2>/dev/null)" ] || fail "an interrupted prepare left $(ls new.sqlite*)"
    grep -q 'was removed again' err || fail "an interrupted prepare: $(cat err)"
    way=(--db-driver=sqlite --db-file=test.sqlite)
fi
ours prepare --table-size=500 >out 2>err || fail "prepare: $(cat err)"
[ "$(interrupted transactions/s run --table-size=500 --threads=2 --time=3600 --report-interval=0.2 --json=cut.json)" -eq 130 ] || fail "an interrupted run: $(cat err)"
grep -q '"status": "partial"' cut.json || fail 'an interrupted run is not marked partial'
ours cleanup --tables=1 >out 2>err || fail "cleanup: $(cat err)"

# ---- one table for both tools ----
if [ "$kind" != sqlite ] && command -v sysbench >/dev/null; then
    sysbench oltp_read_write "${sysbench_way[@]}" "${size[@]}" prepare >out 2>&1 || fail "sysbench's prepare: $(tail -n 3 out)"
    ours oltp_read_write run "${size[@]}" --time=0 --events=50 >out 2>err || fail "sysbench's tables: $(cat err)"
    sysbench oltp_read_write "${sysbench_way[@]}" "${size[@]}" cleanup >out 2>&1
    ours prepare "${size[@]}" >out 2>err || fail "prepare: $(cat err)"
    sysbench oltp_read_write "${sysbench_way[@]}" "${size[@]}" --time=1 run >theirs 2>&1 || fail "our tables: $(tail -n 3 theirs)"
    "$program" sysbench oltp_read_write "${sysbench_way[@]}" "${size[@]}" --time=1 run >mine 2>err || fail "as sysbench: $(cat err)"
    mask() { sed 's/^sysbench 1.0.*/sysbench/; s/[0-9][0-9.]*/N/g; s/  */ /g' "$1"; }
    diff <(mask theirs) <(mask mine) || fail "sysbench's layout differs"
    ours cleanup "${size[@]}" >out 2>err || fail "cleanup: $(cat err)"
fi

# ---- several servers: each is looked at before the start ----
if [ "$kind" = mysql ]; then
    first=("$mysql_pid" "$mysql_port" "$mysql_socket")
    mysql_name=second
    MYSQL_PWD='' start_mariadb --sync-binlog=7 # its port becomes $mysql_port
    both=(--db-driver=mysql --db-host=127.0.0.1 "--db-port=${first[1]},$mysql_port" "--db-user=$mysql_user" "--db-name=$mysql_database")
    second=("$mysql_pid" "$mysql_port")
    ours prepare --table-size=200 >out 2>err || fail "prepare: $(cat err)"
    if "$program" oltp run "${both[@]}" --table-size=200 --threads=4 --time=1 >out 2>err; then fail 'one of two servers has no table'; fi
    [ "$(wc -l <err)" -eq 1 ] || fail "one of two servers has no table: $(cat err)"
    "$program" oltp prepare "${both[@]/#--db-port=*/--db-port=${second[1]}}" --table-size=200 >out 2>err || fail "prepare: $(cat err)"
    "$program" oltp run "${both[@]}" --table-size=200 --threads=4 --time=1 >out 2>err || fail "two servers: $(cat err)"
    grep -q "servers-differ: 127.0.0.1:${second[1]} has .*sync_binlog 7 (0)" out || fail "two servers: $(grep warn out)"
    grep -q "ports ${first[1]},${second[1]}, in turn" out || fail "two servers: $(head -n 4 out)"
    server_signal "${second[0]}" KILL
    mysql_name='' mysql_pid=${first[0]} mysql_port=${first[1]} mysql_socket=${first[2]}
    ours cleanup >out 2>err || fail "cleanup: $(cat err)"
fi

# ---- failures: one line, a status, and nothing that hangs ----
refused() { # WORDS ARGUMENT…
    local words=$1
    shift
    if timeout 30 "$program" oltp "$@" >out 2>err; then fail "$*: went well"; fi
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(wc -l <err) lines: $(head -c 600 err)"
    grep -qi -- "$words" err || fail "$*: says \"$(cat err)\", not \"$words\""
}
refused 'sbtest1' run "${way[@]}" --threads=4 --time=5
if [ "$kind" != sqlite ]; then
    refused 'ends at 2147483647' prepare "${way[@]}" --table-size=2147483648
    refused 'db-name' run "${way[@]}" --db-name=nowhere
    if [ "$kind" = mysql ]; then
        MYSQL_PWD=wrong refused 'db-user and the password' run "${way[@]}"
    else
        PGPASSWORD=wrong refused 'db-user and the password' run "${way[@]}"
    fi
    refused 'running' run "${way[@]}" --db-port=1 --db-connect-timeout=2
    ours prepare --table-size=200 >out 2>err || fail "prepare: $(cat err)"
    refused 'max_connections' run "${way[@]}" --table-size=200 --threads=60 --time=5
    printf '%s\nsecond line\n' "${mysql_password:-$pgsql_password}" >password
    unset MYSQL_PWD PGPASSWORD
    ours run --table-size=200 --time=0 --events=5 --password-file=password >out 2>err || fail "a password from a file: $(cat err)"
    SECRET=$(head -n 1 password) ours run --table-size=200 --time=0 --events=5 --password-env=SECRET >out 2>err ||
        fail "a password from the environment: $(cat err)"
    refused 'no such variable' run "${way[@]}" --password-env=NOT_THERE
    refused "cannot open 'missing'" run "${way[@]}" --password-file=missing

    # ---- killed under load, without TLS and with it: the client library tells the loss in other words then ----
    modes=(off) mysql_tls=() pgsql_tls=()
    if command -v openssl >/dev/null; then
        make_certificates
        modes=(off required)
    fi
    restart() {
        if [ "$kind" = mysql ]; then
            kill_mariadb && restart_mariadb ${mysql_tls[@]+"${mysql_tls[@]}"}
        else
            kill_postgres && restart_postgres
        fi
    }
    [ "$kind" = mysql ] || restart_postgres ${pgsql_tls[@]+"${pgsql_tls[@]}"}
    restart
    under_load() { # SECONDS ARGUMENT…: a run with each kind of TLS, through a restart; sets its status and outputs by mode
        local seconds=$1 mode
        shift
        runners=()
        for mode in "${modes[@]}"; do
            rm -f "$mode.out"
            ours run --table-size=200 --threads=4 "--time=$seconds" --password-file=password "--db-tls=$mode" \
                "--json=$mode.json" --report-interval=0.5 "$@" >"$mode.out" 2>"$mode.err" &
            runners+=($!)
        done
        for mode in "${modes[@]}"; do await 'transactions/s' "$mode.out"; done
        restart
        statuses=()
        for mode in "${!modes[@]}"; do
            statuses[mode]=0
            wait "${runners[mode]}" || statuses[mode]=$?
        done
    }
    under_load 3600
    for i in "${!modes[@]}"; do
        mode=${modes[i]}
        [ "${statuses[i]}" -eq 1 ] || fail "a server that was killed, TLS $mode: status ${statuses[i]}"
        [ "$(wc -l <"$mode.err")" -eq 1 ] || fail "a server that was killed, TLS $mode: $(cat "$mode.err")"
        grep -q 'connection was lost: .*--reconnect-on-loss' "$mode.err" || fail "TLS $mode: $(cat "$mode.err")"
        grep -q '"status": "partial"' "$mode.json" || fail "a server that was killed, TLS $mode: no partial result"
    done

    # ---- gone until the time is over: that is no complete run ----
    rm -f out
    ours run --table-size=200 --threads=2 --time=5 --password-file=password --reconnect-on-loss=60s --json=gone.json \
        --report-interval=0.5 >out 2>err &
    runner=$!
    await 'transactions/s' out
    if [ "$kind" = mysql ]; then kill_mariadb; else kill_postgres; fi
    status=0
    wait "$runner" || status=$?
    [ "$status" -eq 1 ] || fail "a server that stayed away: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "a server that stayed away: $(cat err)"
    grep -q 'not back when the run was over' err || fail "a server that stayed away: $(cat err)"
    grep -q '"status": "partial"' gone.json || fail 'a server that stayed away: not partial'
    restart

    # ---- frozen: Ctrl-C waits for it, but not for ever ----
    if [ "$kind" = mysql ]; then
        frozen() { # WORDS ARGUMENT…: is frozen once they are printed, and Ctrl-C comes
            local words=$1 child
            shift
            rm -f out
            "$program" oltp "$@" "${way[@]}" --table-size=2000000 --password-file=password >out 2>err &
            child=$!
            await "$words" out
            kill -STOP "$mysql_pid"
            sleep 0.5
            kill -INT "$child"
            (sleep 60 && kill -KILL "$child") >/dev/null 2>&1 &
            local guard=$!
            status=0
            wait "$child" || status=$?
            kill "$guard" 2>/dev/null || true
            kill -CONT "$mysql_pid"
            [ "$status" -eq 130 ] || fail "$1 on a frozen server: status $status: $(cat err)"
            [ "$(wc -l <err)" -eq 1 ] || fail "$1 on a frozen server: $(cat err)"
        }
        frozen transactions/s run --threads=2 --time=60 --report-interval=0.5 --json=frozen.json
        grep -q 'cut off with 2 operations' err || fail "a frozen server: $(cat err)"
        grep -q '"status": "forced"' frozen.json || fail 'a run that was cut off from a frozen server does not say so'
        # and one that goes on later is told from a server that was slow
        rm -f out
        ours run --table-size=200 --threads=2 --time=7 --password-file=password --report-interval=0.5 --json=thawed.json \
            >out 2>err &
        runner=$!
        await transactions/s out
        kill -STOP "$mysql_pid"
        sleep 3
        kill -CONT "$mysql_pid"
        wait "$runner" || fail "a server that stood still for a while: $(cat err)"
        grep -q '"code": "stall"' thawed.json || fail "a server that stood still for a while: $(grep warning out)"
        grep -q ' 0.0 transactions/s .* p95 -$' out || fail "an interval without events: $(grep 's\]' out)"
        frozen filling prepare --table-name=big --threads=2
        grep -q 'cleanup removes' err || fail "prepare on a frozen server: $(cat err)"
        ours cleanup --table-name=big --password-file=password >out 2>err || fail "cleanup: $(cat err)"
    fi
    under_load 12 --reconnect-on-loss=30s
    for i in "${!modes[@]}"; do
        mode=${modes[i]}
        [ "${statuses[i]}" -eq 0 ] || fail "reconnecting, TLS $mode: $(cat "$mode.err")"
        python3 - "$mode.json" <<'PYTHON' || fail "reconnecting, TLS $mode: $(tail -n 3 "$mode.out")"
import json, sys
result = json.load(open(sys.argv[1]))
assert result["status"] == "complete"
assert result["classes"]["connect"]["count"] == 4, result["classes"]["connect"]["count"]
PYTHON
    done
fi

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
