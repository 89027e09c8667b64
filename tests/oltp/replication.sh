#!/usr/bin/env bash
# Runs with --replica on two real MariaDB servers, a source and its replica.
# usage: replication.sh PROGRAM lag|trouble|pair|knee|killed|query|sysbench|slap
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"
# shellcheck source=tests/replicas.sh
. "$(dirname "${BASH_SOURCE[0]}")/../replicas.sh"

program=$(realpath "$1")
part=$2
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# expect FILE TEXT WHAT
expect() {
    grep -qF -- "$2" "$1" || fail "$3: no '$2' in $1: $(cat "$1")"
}

one_line() {
    [ "$(grep -vc '^isobench: warning' err)" -eq 1 ] || fail "$1: not one line of error: $(cat err)"
    expect err "$2" "$1"
}

# oltp STATUS WORKLOAD [OPTION…]: runs it on the source into out and err, and expects that status.
oltp() {
    local want=$1 workload=$2 status=0
    shift 2
    rm -f run.json
    MYSQL_PWD=${password:-$mysql_password} timeout 60 "$program" oltp "$workload" --db-driver=mysql --db-host=127.0.0.1 \
        --db-port="${to_port:-$mysql_port}" --tables=2 --table-size=1000 "$@" >out 2>err || status=$?
    [ "$status" -eq "$want" ] || fail "oltp $workload $* ended with $status, not $want: $(cat out err)"
}

# once_it_runs COMMAND…: in the background, after the first interval of the run that comes next (its --report-interval).
once_it_runs() {
    rm -f out
    {
        until grep -q '^\[' out 2>/dev/null; do
            sleep 0.05
        done
        "$@"
    } &
}

# check WHAT: python on stdin, with `r` the replication of run.json, `x` its first replica and `run` the whole.
check() {
    { echo 'import json; run = json.load(open("run.json")); r = run["replication"]; x = r["replicas"][0]
assert r["late"] <= r["heartbeats"], "late ones that were not counted"' && cat; } |
        python3 - || fail "$1: $(python3 -c 'import json; r = json.load(open("run.json"))["replication"]
for x in r["replicas"]: x["server"] = x["lag_ns"]["histogram"] = None
print(r)') $(cat out err)"
}

# heartbeats ADMIN: schemas and tables of heartbeats that ADMIN (mysql_admin, replica_admin) sees.
heartbeats() {
    "$1" -N -e "SHOW SCHEMAS LIKE 'isobench\_heartbeat\_%'; SHOW TABLES IN sbtest LIKE 'isobench%'"
}

no_heartbeat_is_left() {
    if heartbeats mysql_admin | grep . || heartbeats replica_admin | grep .; then
        fail "$1: the heartbeat's table is left"
    fi
}

# on_source STATUS COMMAND [OPTION…]: isobench COMMAND with the source in MySQL's words, into out and err.
on_source() {
    local want=$1 command=$2 status=0
    shift 2
    rm -f run.json
    MYSQL_PWD=$mysql_password timeout 120 "$program" "$command" "$@" >out 2>err || status=$?
    [ "$status" -eq "$want" ] || fail "$command $* ended with $status, not $want: $(cat out err)"
}

slap_way=(--no-defaults --host=127.0.0.1)
mysqlslap() { # STATUS [OPTION…]
    local want=$1
    shift
    on_source "$want" mysqlslap "${slap_way[@]}" "--port=$mysql_port" "--user=$mysql_user" "$@"
}

# The errors on stderr: not what is told of the replicas there, and no warnings.
errors_of() {
    grep '^isobench: ' err | grep -v '^isobench: warning' || true
}

one_error() { # WHAT TEXT
    errors_of >errors
    [ "$(wc -l <errors)" -eq 1 ] && grep -qF -- "$2" errors || fail "$1: not one line with '$2': $(cat err)"
}

# Goes over whatever it stopped at, and makes the tables anew.
heal_replica() {
    replica_admin -e "STOP SLAVE; SET GLOBAL slave_exec_mode=IDEMPOTENT; START SLAVE"
    oltp 0 cleanup
    oltp 0 prepare
    replica_catch_up
    replica_admin -e "STOP SLAVE; SET GLOBAL slave_exec_mode=STRICT; START SLAVE"
}

servers_start
cd "$server_home"
# the engine blackhole is part of the series that part slap is about
start_source --plugin-load-add=ha_blackhole --plugin-maturity=unknown
start_replica --slave-run-triggers-for-rbr=YES --plugin-load-add=ha_blackhole --plugin-maturity=unknown
replica=--replica=host=127.0.0.1,port=$replica_port
oltp 0 prepare
replica_catch_up

lag() {
    oltp 0 run "$replica" --time=2 --threads=2 --report-interval=0.5 --verify-replica --json=run.json
    [ "$(grep -c '^\[.* lag [0-9]' out)" -ge 3 ] || fail "the interval lines do not show the lag: $(cat out)"
    expect out 'had all of the load' 'a run with a replica'
    expect out 'the same on source and replicas' 'its check'
    check 'a run with a replica' <<'PYTHON'
assert r["heartbeats"] >= 10 and r["failed"] == 0, "about 20 in 2 s"
assert x["heartbeats"] + x["missing"] == r["heartbeats"] and x["missing"] == 0
assert x["lag_ns"]["count"] == sum(n for _, n in x["lag_ns"]["histogram"]) == x["heartbeats"]
assert x["lag_ns"]["max"] <= x["lag_max_ns"]
assert [(i["start_ns"], i["end_ns"]) for i in x["series"]] == [(i["start_ns"], i["end_ns"]) for i in run["series"]]
assert all(i["reachable"] and i["receives"] and i["applies"] for i in x["series"])
assert x["caught_up"] and x["stops"] == x["losses"] == 0 and x["is_direct"] and not x["by_gtid"]
assert x["server"]["product"] == "MariaDB"
assert (r["check"]["verdict"], r["check"]["tables"], r["check"]["rows"]) == ("same", 2, 0)
PYTHON
    "$program" reconcile run.json run.json >again 2>&1 || fail "the result is not read back: $(cat again)"
    no_heartbeat_is_left 'a run with a replica'

    # a lag that is known: events are applied when they are 2 s old, by a clock of whole seconds
    replica_admin -e "STOP SLAVE; CHANGE MASTER TO MASTER_DELAY=2, MASTER_USE_GTID=slave_pos; START SLAVE"
    oltp 0 oltp_update_index run "$replica" "$replica" --time=4 --rate=20 --heartbeat=50ms --json=run.json || true
    check 'a delay of two seconds' <<'PYTHON'
for x in r["replicas"]:
    assert 0.9e9 <= x["lag_max_ns"] and 0.9e9 <= x["lag_ns"]["p99"], "it is between 1 and 2 s"
    assert max(i["lag_ns"] for i in x["series"]) >= 0.9e9
    assert x["by_gtid"] and x["caught_up"] and x["catch_up_ns"] >= 0.5e9
    assert x["missing"] == 0, "also what comes after the load counts"
assert len(r["replicas"]) == 2
PYTHON
    oltp 1 oltp_update_index run "$replica" --time=2 --replica-wait=0.3
    one_line 'a wait that is too short' 'did not show a heartbeat of the source within --replica-wait'
    replica_admin -e "STOP SLAVE; CHANGE MASTER TO MASTER_DELAY=0; START SLAVE"
    replica_catch_up
    no_heartbeat_is_left 'a run that did not begin'
}

trouble() {
    # its applier stops in mid-run
    once_it_runs replica_admin -e "DELETE FROM sbtest.sbtest1; DELETE FROM sbtest.sbtest2"
    oltp 1 oltp_update_index run "$replica" --time=5 --rate=100 --report-interval=1 --json=run.json
    wait $!
    one_line 'a replica that stops' "Can't find record"
    expect out 'STOPPED)' 'an interval of it'
    check 'a replica that stops' <<'PYTHON'
assert x["stops"] == 1 and not x["caught_up"] and x["heartbeats"] > 0 and x["missing"] > 0
assert "Can't find record" in x["trouble"] and x["lag_max_ns"] > 0.5e9
assert not x["series"][-1]["applies"] and x["series"][-1]["receives"] and x["series"][0]["applies"]
assert any(w["code"] == "replica-stopped" for w in run["warnings"])
assert run["status"] == "complete" and run["classes"]["transaction"]["count"] > 100, "the load went on"
PYTHON
    oltp 1 oltp_update_index run "$replica" --time=5
    one_line 'a replica that is stopped' 'replication is stopped (its applying thread does not run)'
    heal_replica
    no_heartbeat_is_left 'a replica that stops'

    # it has just been started
    replica_admin -e "STOP SLAVE; START SLAVE"
    oltp 0 oltp_update_index run "$replica" --time=1 --rate=50

    # it answers no more
    once_it_runs kill -STOP "$replica_pid"
    oltp 1 oltp_update_index run "$replica,answer_timeout=2,connect_timeout=5" --time=4 --rate=50 --report-interval=0.5 \
        --replica-wait=5 --json=run.json
    wait $!
    kill -CONT "$replica_pid"
    one_line 'a replica that hangs' 'has not all of the load'
    check 'a replica that hangs' <<'PYTHON'
assert x["losses"] == 1 and not x["caught_up"] and x["missing"] > 0
assert not x["series"][-1]["reachable"]
PYTHON
    replica_catch_up
    replica_admin -e "TRUNCATE sbtest.sbtest1; INSERT INTO sbtest.sbtest2 VALUES (5000, 1, 'c', 'p')"

    # what differs is found
    oltp 1 oltp_point_select run "$replica" --time=1 --verify-replica --json=run.json
    one_line 'other rows' 'the tables differ'
    expect out 'they DIFFER' 'other rows'
    check 'other rows' <<'PYTHON'
assert r["check"]["verdict"] == "differ" and x["caught_up"]
assert {f["table"] for f in r["check"]["findings"]} == {"sbtest1", "sbtest2"}
assert r["check"]["rows"] >= 1001
PYTHON

    # what cannot be
    to_port=$replica_port oltp 1 run "--replica=host=127.0.0.1,port=$mysql_port"
    one_line 'the source of the source' 'is no replica of any server'
    oltp 1 run "--replica=host=127.0.0.1,port=$mysql_port"
    one_line 'the source itself' 'is the source itself'
    oltp 1 run "$replica,user=nobody"
    one_line 'an unknown user' 'Access denied'
    mysql_admin -e "CREATE USER reader@'%' IDENTIFIED BY '$mysql_password'; GRANT ALL ON sbtest.* TO reader@'%'"
    replica_catch_up
    oltp 1 run "$replica,user=reader"
    one_line 'a user that may not look' 'denied'
    oltp 2 run --verify-replica
    one_line 'no replica' '--verify-replica: say which replica'
    oltp 2 run "$replica" --find-lag-knee=200:100
    one_line 'rates upside down' 'the lowest and the highest rate'
    oltp 2 run "$replica" --find-lag-knee=100:200 --time=5
    one_line 'a step that is too short' 'at least 8 intervals'
    no_heartbeat_is_left 'runs that did not begin'
}

# Each follows the other; the second one through a connection with a name.
pair() {
    read -r file position _ < <(replica_admin -N -e "SHOW MASTER STATUS")
    mysql_admin -e "CHANGE MASTER 'west' TO MASTER_HOST='127.0.0.1', MASTER_PORT=$replica_port, MASTER_USER='$mysql_user',
        MASTER_PASSWORD='$mysql_password', MASTER_LOG_FILE='$file', MASTER_LOG_POS=$position, MASTER_CONNECT_RETRY=1;
        START SLAVE 'west'"
    oltp 0 run "$replica" --time=2 --verify-replica --json=run.json
    check 'the first of a pair' <<'PYTHON'
assert x["caught_up"] and x["is_direct"] and x["channel"] == "" and r["check"]["verdict"] == "same"
PYTHON
    to_port=$replica_port oltp 0 run "--replica=mysql://$mysql_user@127.0.0.1:$mysql_port" --time=2 --verify-replica --json=run.json
    check 'the second of a pair' <<'PYTHON'
assert x["caught_up"] and x["is_direct"] and x["channel"] == "west" and r["check"]["verdict"] == "same"
assert x["heartbeats"] == r["heartbeats"] > 5
PYTHON
    # each of them is a replica too, so that only its server_id tells that this is the source
    oltp 1 run "--replica=socket=$mysql_socket" --time=2
    one_line 'the source by another name' 'is the source itself'
    status=0
    MYSQL_PWD=$mysql_password "$program" verify "--source=mysql://$mysql_user@127.0.0.1:$mysql_port/sbtest" \
        "--replica=socket=$mysql_socket" >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "verify of the source with itself ended with $status: $(cat out err)"
    one_line 'verify of the source with itself' 'is the source itself'
    no_heartbeat_is_left 'a pair'
}

# A replica that applies at most 50 changes per second: each takes 20 ms there.
knee() {
    replica_admin -e "CREATE TRIGGER sbtest.slow1 BEFORE UPDATE ON sbtest.sbtest1 FOR EACH ROW DO SLEEP(0.02);
        CREATE TRIGGER sbtest.slow2 BEFORE UPDATE ON sbtest.sbtest2 FOR EACH ROW DO SLEEP(0.02)"
    oltp 0 oltp_update_index run "$replica" --find-lag-knee=5:150 --knee-precision=60 --time=2 --report-interval=0.2 \
        --heartbeat=40ms --json=run.json
    expect out 'FALLS BEHIND' 'the steps'
    expect out 'the knee lies between' 'the knee'
    check 'the knee of a slow replica' <<'PYTHON'
k = r["knee"]
assert 4 < k["keeps_up_per_s"] < 60 and k["falls_behind_per_s"] <= 150, "it applies 50 per second at most"
assert k["keeps_up_per_s"] < k["falls_behind_per_s"]
assert all(s["falls_behind"] for s in k["steps"] if s["reached_per_s"] > 80)
assert k["steps"][0]["rate"] == 5 and k["steps"][1]["rate"] == 150 and len(k["steps"]) >= 3
best = [s for s in k["steps"] if not s["falls_behind"]][-1]
assert run["job"]["rate"] == best["rate"], "the figures are of the highest rate that is kept up with"
PYTHON
    replica_admin -e "DROP TRIGGER sbtest.slow1; DROP TRIGGER sbtest.slow2"
    oltp 0 oltp_update_index run "$replica" --find-lag-knee=5:20 --time=2 --report-interval=0.2
    expect out 'no knee: all replicas keep up' 'a replica that is quick'
}

# What a killed run leaves is taken away by the next; but not what belongs to a run that goes on, or to another source.
killed() {
    once_it_runs true
    MYSQL_PWD=$mysql_password "$program" oltp oltp_update_index run --db-driver=mysql --db-host=127.0.0.1 \
        --db-port="$mysql_port" --tables=2 --table-size=1000 "$replica" --time=60 --rate=20 --report-interval=0.2 >out 2>err &
    local child=$!
    wait $! 2>/dev/null & # its own end is not told
    until grep -q '^\[' out; do sleep 0.05; done
    local first second
    first=$(heartbeats mysql_admin)
    [ -n "$first" ] || fail 'a run that goes on has no heartbeat'
    # beside it
    oltp 0 oltp_point_select run "$replica" --time=0.5
    [ "$(heartbeats mysql_admin)" = "$first" ] || fail 'the heartbeat of a run that goes on was dropped, or another left'
    kill -KILL "$child"
    wait "$child" 2>/dev/null || true
    [ "$(heartbeats mysql_admin)" = "$first" ] || fail 'a run that was killed left nothing, so that this tests nothing'
    # one that another source has made came by replication, and one of an unlike name is somebody's
    second=isobench_heartbeat_0000000900000001
    mysql_admin -e "CREATE TABLE sbtest.$second (a INT); CREATE SCHEMA isobench_heartbeat_shop;
        CREATE SCHEMA isobench_heartbeat_0000000100000002; CREATE TABLE isobench_heartbeat_0000000100000002.mine (a INT)"
    oltp 0 oltp_point_select run "$replica" --time=0.5
    [ "$(heartbeats mysql_admin | sort | tr '\n' ' ')" = \
        "isobench_heartbeat_0000000100000002 isobench_heartbeat_0000000900000001 isobench_heartbeat_shop " ] ||
        fail "after a run that was killed there is: $(heartbeats mysql_admin)"
    mysql_admin -e "DROP TABLE sbtest.$second; DROP SCHEMA isobench_heartbeat_shop;
        DROP SCHEMA isobench_heartbeat_0000000100000002"

    # mysqlslap's has a schema of its own
    mysql_admin -e "GRANT ALL ON *.* TO '$mysql_user'@'%'"
    MYSQL_PWD=$mysql_password "$program" mysqlslap "${slap_way[@]}" "--port=$mysql_port" "--user=$mysql_user" -a -c 2 \
        --number-of-queries=100000000 --isobench-replica="host=127.0.0.1,port=$replica_port" \
        --isobench-report-interval=0.2 >out 2>err &
    child=$!
    until grep -q '^\[' err; do sleep 0.05; done
    kill -KILL "$child"
    wait "$child" 2>/dev/null || true
    [ -n "$(heartbeats mysql_admin)" ] || fail 'mysqlslap that was killed left nothing, so that this tests nothing'
    mysqlslap 0 -a -c 2 --number-of-queries=50 --isobench-replica="host=127.0.0.1,port=$replica_port"
    replica_catch_up
    no_heartbeat_is_left 'after mysqlslap that was killed'
    mysql_admin -N -e 'SHOW SCHEMAS' | grep -q mysqlslap && fail 'the schema of mysqlslap that was killed is left'

    # a place that the user names
    mysql_admin -e "CREATE SCHEMA beats"
    mysqlslap 0 -a -c 2 --number-of-queries=50 --isobench-replica="host=127.0.0.1,port=$replica_port" --isobench-heartbeat-schema=beats
    [ -z "$(mysql_admin -N -e 'SHOW TABLES IN beats')" ] || fail 'the heartbeat is left in the schema that was named'
    [ -n "$(mysql_admin -N -e "SHOW SCHEMAS LIKE 'beats'")" ] || fail 'the schema that was named was dropped'
    mysqlslap 1 -a --isobench-replica="host=127.0.0.1,port=$replica_port" --isobench-heartbeat-schema=mysqlslap
    one_error 'a place that the run drops' '--isobench-heartbeat-schema=mysqlslap: that one is made and dropped by the run'
}

query() {
    local way=(--db-driver=mysql --db-host=127.0.0.1 "--db-port=$mysql_port")
    on_source 0 query "${way[@]}" --sql='UPDATE sbtest1 SET k = k + 1 WHERE id = :id' --params=id=random:1..1000 \
        --connections=1,4 --time=1 --report-interval=0.5 "$replica" "$replica" --verify-replica --json=run.json
    [ "$(grep -c '^[14]  ' out)" -eq 2 ] && ! grep -q lag out || fail "a ladder with replicas: $(cat out)"
    [ "$(grep -c '^\[.*  1 connections  lag [0-9]' err)" -ge 2 ] && [ "$(grep -c '^\[.*  4 connections  lag [0-9]' err)" -ge 2 ] ||
        fail "the lag of a ladder: $(cat err)"
    [ "$(grep -c '^verify      2 tables with 2000 rows in .*: the same on source and replicas' err)" -eq 2 ] ||
        fail "the check of a ladder: $(cat err)"
    python3 - <<'PYTHON' || fail 'the JSON of a ladder with replicas does not agree'
import json
runs = json.load(open("run.json"))["runs"]
assert [r["job"]["threads"] for r in runs] == [1, 4]
for run in runs:
    replication = run["replication"]
    assert len(replication["replicas"]) == 2, "each --replica adds one"
    assert replication["check"]["verdict"] == "same" and replication["check"]["compared_rows"] == 2000
    for x in replication["replicas"]:
        assert x["caught_up"] and x["heartbeats"] >= 5 and x["missing"] == 0 and len(x["series"]) >= 2
PYTHON
    no_heartbeat_is_left 'a ladder with replicas'
    replica_admin -e "DELETE FROM sbtest.sbtest2 WHERE id = 7"
    on_source 1 query "${way[@]}" --sql='SELECT 1' --time=0.5 "$replica" --verify-replica
    one_error 'a row that is missing' '--verify-replica: the tables differ: sbtest2'
    replica_admin -e "STOP SLAVE SQL_THREAD"
    on_source 1 query "${way[@]}" --sql='SELECT 1' --time=0.5 "$replica"
    one_error 'a replica that is stopped' 'replication is stopped (its applying thread does not run)'
    on_source 2 query "${way[@]}" --sql='SELECT 1' --time=0.5 --verify-replica
    one_error 'no replica' '--verify-replica: say which replica'
    on_source 1 query --db-driver=sqlite --db-file=x.sqlite --sql='SELECT 1' --time=0.5 "$replica"
    one_error 'a database without replicas' '--replica: not supported with --db-driver=sqlite'
}

sysbench() {
    local way=(--mysql-host=127.0.0.1 "--mysql-port=$mysql_port" "--mysql-user=$mysql_user" "--mysql-password=$mysql_password"
        --tables=2 --table-size=1000)
    local ours=("--isobench-replica=host=127.0.0.1,port=$replica_port")
    on_source 0 sysbench oltp_update_index "${way[@]}" "${ours[@]}" "${ours[@]}" --isobench-verify-replica \
        --isobench-heartbeat=50ms --time=2 --report-interval=1 --json=run.json run
    [ "$(grep -c '^\[.* thds: ' out)" -ge 1 ] && ! grep -q lag out || fail "sysbench's layout with replicas: $(cat out)"
    [ "$(grep -c '^\[.* lag [0-9]' err)" -ge 2 ] || fail "the lag beside sysbench: $(cat err)"
    check 'sysbench with replicas' <<'PYTHON'
assert len(r["replicas"]) == 2 and r["check"]["verdict"] == "same" and r["check"]["tables"] == 2
assert x["caught_up"] and x["heartbeats"] >= 20 and x["missing"] == 0
PYTHON
    on_source 0 sysbench --as isobench oltp_update_index "${way[@]}" "${ours[@]}" --time=2 run
    expect out "--replica=host=127.0.0.1,port=$replica_port" 'sysbench as isobench'
    on_source 0 sysbench --as sysbench oltp_update_index "${way[@]}" "${ours[@]}" --time=2 run
    grep '^sysbench' out | grep -q isobench && fail "sysbench's own line has what it does not know: $(cat out)"
    replica_admin -e "STOP SLAVE SQL_THREAD"
    on_source 1 sysbench oltp_update_index "${way[@]}" "${ours[@]}" --time=1 run
    one_error 'a replica that is stopped' '--isobench-replica: 127.0.0.1'
    on_source 1 sysbench oltp_update_index "${way[@]}" --isobench-verify-replica --time=1 run
    one_error 'no replica' '--isobench-verify-replica: say which replica to look at, with --isobench-replica'
    on_source 1 sysbench fileio "${ours[@]}" --file-test-mode=rndrd run
    one_error 'files have no replicas' 'it is one of the tests of databases'
}

# The published series, with fewer statements and clients: CSV as mysqlslap's, lag beside it, a clean checksum.
slap() {
    local load count engine clients=1,10,40 queries=1000
    local ours=("--isobench-replica=host=127.0.0.1,port=$replica_port")
    mysql_admin -e "GRANT ALL ON *.* TO '$mysql_user'@'%'"
    for load in mixed write; do
        mysqlslap 0 -a "--auto-generate-sql-load-type=$load" -c $clients --number-of-queries=$queries \
            --auto-generate-sql-write-number=3000 -e blackhole,myisam --csv "${ours[@]}" --isobench-verify-replica --json=run.json
        for engine in blackhole myisam; do
            for count in ${clients//,/ }; do
                echo "$engine,$load,$count,$((queries / count))"
                grep -qE "^\[.*  $engine, $load, $count clients  lag [0-9]" err || fail "no lag of $engine, $load, $count: $(cat err)"
            done
        done >wanted
        diff wanted <(cut -d , -f 1,2,6,7 out) >diff.out || fail "series $load: $(cat diff.out)"
        grep -vE '^[a-z]+,[a-z]+,([0-9]+\.[0-9]{3},){3}[0-9]+,[0-9]+$' out && fail "columns of $load: $(cat out)"
        [ "$(grep -c 'had all of the load' err)" -eq 6 ] || fail "series $load was not waited for: $(cat err)"
        [ "$(grep -c '^verify      1 table with 0 rows in 1 chunk: nothing to compare, the engine BLACKHOLE' err)" -eq 3 ] ||
            fail "checks of blackhole: $(cat err)"
        # one row less is loaded than asked for; of the 11 statements of mixed, which each client begins anew, 6 are INSERTs
        [ "$load" = mixed ] && echo '3544 3549 3559 ' >wanted || echo '3999 3999 3999 ' >wanted
        sed -nE 's/^verify      1 table with ([1-9][0-9]*) rows in 1 chunk: the same on source and replicas/\1/p' err |
            tr '\n' ' ' | diff <(tr -d '\n' <wanted) - >diff.out || fail "checks of myisam: $(cat diff.out err)"
        python3 - <<'PYTHON' || fail "the JSON of series $load does not agree"
import json
runs = json.load(open("run.json"))["runs"]
assert [(r["job"]["table_engine"], r["job"]["threads"]) for r in runs] == [(e, c) for e in ("blackhole", "myisam") for c in (1, 10, 40)]
for run in runs:
    x = run["replication"]["replicas"][0]
    assert x["caught_up"] and x["missing"] == 0 and x["stops"] == x["losses"] == 0
    assert run["replication"]["check"]["verdict"] == ("same" if run["job"]["table_engine"] == "myisam" else "nothing")
PYTHON
    done
    replica_catch_up
    no_heartbeat_is_left 'the series'
    [ -z "$(mysql_admin -N -e "SHOW SCHEMAS LIKE 'mysqlslap'")" ] || fail 'the series left its schema'

    # its own text is what it is without a replica
    mask() { sed -E 's/[0-9]+\.[0-9]{3}/N/g' out; }
    mysqlslap 0 -a -c 2 --number-of-queries=50 -i 2
    mask >without
    mysqlslap 0 -a -c 2 --number-of-queries=50 -i 2 "${ours[@]}" "${ours[@]}" --isobench-heartbeat=20ms --json=run.json
    diff without <(mask) >diff.out || fail "the report with a replica: $(cat diff.out)"
    [ "$(python3 -c 'import json; print({len(r["replication"]["replicas"]) for r in json.load(open("run.json"))["runs"]})')" = '{2}' ] ||
        fail 'two replicas are two'

    # a row is changed there once it is loaded
    cat >change.sh <<SH
until [ "\$(MYSQL_PWD= mariadb --no-defaults --socket='$replica_socket' --user=root --skip-ssl -N \
    -e 'UPDATE mysqlslap.t1 SET intcol1 = -1 LIMIT 1; SELECT ROW_COUNT()' 2>/dev/null)" = 1 ]; do sleep 0.05; done
SH
    mysqlslap 1 -a -c 2 --number-of-queries=500 --auto-generate-sql-load-type=write --auto-generate-sql-guid-primary "${ours[@]}" \
        --isobench-verify-replica --csv --pre-system='sh ./change.sh'
    one_error 'a row that was changed' '--isobench-verify-replica: the tables differ: t1 differs on 127.0.0.1'
    expect err 'they DIFFER, in 1 row' 'a row that was changed'
    [ -z "$(mysql_admin -N -e "SHOW SCHEMAS LIKE 'mysqlslap'")" ] || fail 'a run with other rows left its schema'
    # the applier stops in mid-run: its table is gone there
    rm -f err
    {
        until grep -q '^\[' err 2>/dev/null; do sleep 0.05; done
        replica_admin -e 'DROP TABLE mysqlslap.t1'
    } &
    mysqlslap 1 -a -c 2 --number-of-queries=20000 --auto-generate-sql-load-type=write "${ours[@]}" --isobench-report-interval=0.1 \
        --isobench-replica-wait=20
    wait $!
    one_error 'a replica that stops' "has not all of the load"
    expect err 'STOPPED 1 time' 'a replica that stops'
    [ -z "$(mysql_admin -N -e "SHOW SCHEMAS LIKE 'mysqlslap'")" ] || fail 'a run with a replica that stops left its schema'
    mysqlslap 1 -a -c 2 --number-of-queries=500 "${ours[@]}"
    one_error 'a replica that is stopped' '--isobench-replica: 127.0.0.1'
    [ -s out ] && fail "a run that did not begin has a report: $(cat out)"
    expect err 'replication is stopped (its applying thread does not run)' 'a replica that is stopped'
    mysqlslap 1 -a --isobench-verify-replica
    one_error 'no replica' '--isobench-verify-replica: say which replica to look at, with --isobench-replica'
    [ -z "$(heartbeats mysql_admin)" ] || fail 'runs that failed left a heartbeat'
}

"$part"
[ "$failures" -eq 0 ] || exit 1
echo "replication: $part: all as expected"
