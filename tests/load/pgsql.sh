# shellcheck shell=bash disable=SC2154
# What only PostgreSQL has; sourced by load.sh, with its server.

load 0 --ways=multi,copy --parts=1 --rows=1000 --flush-at-commit=on,off
[ "$(awk '$1 == "multi" || $1 == "copy" {print $4}' out | tr '\n' ' ')" = 'on on off off ' ] || fail "flush settings: $(cat out)"
load 0 --ways=multi --parts=1 --rows=10
[ "$(awk '$1 == "multi" {print $4}' out)" = off ] || fail "the setting as it is: $(cat out)" # as servers.sh has it
refused 2 '--engines' --engines=InnoDB
LOAD_PASSWORD=wrong refused 1 'password' --rows=10

"$program" load "${to[@]}" --rows=400000 --parts=2 --ways=prepared --commit-every=10 >out 2>err &
child=$!
status=0
until_busy
sleep 0.3
kill_postgres
wait "$child" || status=$?
[ "$status" -eq 1 ] || fail "a server that dies: status $status: $(cat out err)"
[ "$(wc -l <err)" -eq 1 ] || fail "a server that dies: not one line: $(cat err)"
grep -q 'table isobench_load may still be there' err || fail "it is not said that the table may be there: $(cat err)"
pgsql_serve
load 0 --ways=multi --parts=1 --rows=10
! is_there || fail 'the table of the run that died is still there'
