# shellcheck shell=bash disable=SC2154
# What only MySQL and MariaDB have; sourced by load.sh, with its server.

variable() {
    mysql_admin -N -e "SELECT @@GLOBAL.$1"
}

# ---- engines: each holds what it was given, and a black hole nothing ----
mysql_admin -e "INSTALL SONAME 'ha_blackhole'" 2>/dev/null || true
load 0 --ways=infile,multi --parts=2 --rows=1000 --engines=InnoDB,MyISAM,Aria,BLACKHOLE
[ "$(grep -c '^\(infile\|multi\) ' out)" -eq 8 ] || fail "4 engines and 2 ways: $(cat out)"
[ "$(grep -c 'BLACKHOLE .*nothing: it keeps no row$' out)" -eq 2 ] || fail "a black hole: $(cat out)"
[ "$(grep -c '\(MyISAM\|Aria\) .* - .*count, checksum$' out)" -eq 4 ] || fail "MyISAM and Aria have no flush at commit: $(cat out)"
refused 2 '--engines=NoSuch: the server does not have it' --engines=InnoDB,NoSuch

# ---- flush at commit: of the whole server, set back whatever happens ----
load 2 --ways=multi --parts=1 --rows=10 --flush-at-commit=0
grep -q 'SUPER' err || fail "it is not said which right is missing: $(cat err)"
[ "$(wc -l <err)" -eq 1 ] || fail "not one line of error: $(cat err)"
[ "$(variable innodb_flush_log_at_trx_commit)" = 2 ] || fail 'the variable was changed without the right to'
mysql_admin -e "GRANT SUPER ON *.* TO '$mysql_user'@'%'"
load 0 --ways=multi --parts=1 --rows=1000 --flush-at-commit=0,1,2 --engines=InnoDB,MyISAM --json=flush.json
[ "$(awk '$1 == "multi" {print $3 $4}' out | tr '\n' ' ')" = 'InnoDB0 InnoDB1 InnoDB2 MyISAM- ' ] || fail "flush settings: $(cat out)"
[ "$(variable innodb_flush_log_at_trx_commit)" = 2 ] || fail 'the variable is not as it was'
python3 - <<'PYTHON' || fail 'the results do not have the server as it was in their step'
import json
for run in json.load(open("flush.json"))["runs"][:3]:
    variables = {v["name"]: v["value"] for v in run["server"]["variables"]}
    assert variables["innodb_flush_log_at_trx_commit"] == run["load"]["flush_at_commit"]
PYTHON
interrupted --ways=prepared --commit-every=1 --flush-at-commit=1
[ "$(variable innodb_flush_log_at_trx_commit)" = 2 ] || fail 'Ctrl-C: the variable is not as it was'
refused 1 '' --ways=multi --parts=1 --input=twice.csv --columns='a INTEGER PRIMARY KEY, b VARCHAR(10)' --flush-at-commit=0
[ "$(variable innodb_flush_log_at_trx_commit)" = 2 ] || fail 'an error: the variable is not as it was'

# ---- a table without room ----
printf '%s\n' "$(python3 -c 'print("\n".join("%d,%s" % (i, "x" * 200) for i in range(20000)))')" >wide.csv
mysql_admin -e 'SET GLOBAL max_heap_table_size = 16384'
for way in infile multi prepared dump; do
    refused 1 'is full' --ways="$way" --parts=1 --engines=MEMORY --input=wide.csv
done
mysql_admin -e 'SET GLOBAL max_heap_table_size = 16777216'

# ---- the server says no ----
mysql_admin -e 'SET GLOBAL local_infile = 0'
refused 2 'SET GLOBAL local_infile = 1' --rows=10
load 0 --rows=10 --ways=multi,prepared,dump --parts=1
mysql_admin -e 'SET GLOBAL local_infile = 1'
LOAD_PASSWORD=wrong refused 1 'password' --rows=10
mysql_admin -e 'SET GLOBAL max_connections = 20'
refused 2 'max_connections' --rows=1000 --parts=1,30
mysql_admin -e 'SET GLOBAL max_connections = 300'

# ---- the server dies amid a load: one line, and what could not be set back is said ----
"$program" load "${to[@]}" --rows=400000 --parts=2 --ways=prepared --commit-every=1 --flush-at-commit=1 >out 2>err &
child=$!
status=0
until_busy
sleep 0.3
kill_mariadb
wait "$child" || status=$?
[ "$status" -eq 1 ] || fail "a server that dies: status $status: $(cat out err)"
[ "$(wc -l <err)" -eq 1 ] || fail "a server that dies: not one line: $(cat err)"
grep -q 'SET GLOBAL innodb_flush_log_at_trx_commit = 2' err || fail "it is not said what may not be as it was: $(cat err)"
grep -q 'table isobench_load may still be there' err || fail "it is not said that the table may be there: $(cat err)"
restart_mariadb
load 0 --ways=multi --parts=1 --rows=10 # and the next run takes the half table away
! is_there || fail 'the table of the run that died is still there'
