#!/usr/bin/env bash
# From one database load's settings to another's, measured here: which steps it walks, and that nothing is left in the
# database. usage: attribute-db.sh sqlite|mysql|pgsql PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

kind=$1
program=$(realpath "$2")
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# walk 'STEP STEP …' ARG…: these settings are walked, in this order, and every job between them has a rate.
walk() {
    local steps=$1
    shift
    "$program" attribute "$@" --budget=2s --rounds=2 --json=walk.json >out 2>err || fail "$*: $(cat err)"
    python3 - "$steps" <<'PYTHON' || fail "$*: $(cat out)"
import json, sys
document = json.load(open("walk.json"))
names = [effect["step"].split(":")[0] for effect in document["effects"]]
assert names == sys.argv[1].split(), names
assert all(rate > 0 for run in document["runs"] for rate in run["rate_per_s"])
PYTHON
}

refuses() {
    local words=$1 status=0
    shift
    "$program" attribute "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, not 2"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(wc -l <err) lines on stderr, not 1"
    grep -qF -- "$words" err || fail "$*: says \"$(cat err)\", not \"$words\""
}

servers_start
cd "$server_home"
sqlite='isobench oltp oltp_read_only run --db-driver=sqlite --table-size=100'
case $kind in
sqlite) way='--db-driver=sqlite' ;;
mysql)
    start_mariadb
    way="--db-driver=mysql --db-socket=$mysql_socket --db-user=$mysql_user --db-name=$mysql_database"
    export MYSQL_PWD=$mysql_password
    ;;
pgsql)
    start_postgres
    way="--db-driver=pgsql --db-socket=$pgsql_socket --db-port=$pgsql_port --db-user=$pgsql_user --db-name=$pgsql_database"
    export PGPASSWORD=$pgsql_password
    ;;
esac
from="isobench oltp oltp_read_only run $way --table-size=100"

walk 'threads tables' --from="$from" --to="$from --threads=2 --tables=2"
walk 'workload db_statements' --from="$from" --to="isobench oltp oltp_insert run $way --table-size=100 --db-statements=text"
case $kind in
sqlite)
    walk 'table_size sqlite_synchronous' --from="isobench oltp run $way --table-size=100" \
        --to="isobench oltp run $way --table-size=200 --sqlite-synchronous=off"
    [ -z "$(find . -name '*attribute*')" ] || fail "left behind: $(find . -name '*attribute*')"
    touch isobench_attribute_0.db
    "$program" attribute --from="$from" --to="$from --threads=2" >out 2>err && fail 'a database that is there'
    grep -q 'isobench_attribute_0.db is there already' err || fail "a database that is there: $(cat err)"
    [ ! -s isobench_attribute_0.db ] || fail 'a database that was there is touched'
    refuses '--from loads a database and --to loads files' --from="$from" --to='isobench fileio run --mode=rndrd'
    ;;
mysql)
    walk 'db_driver' --from="$sqlite" --to="$from"
    left=$(unset MYSQL_PWD && mysql_admin -N -e "SELECT table_name FROM information_schema.tables WHERE table_schema = '$mysql_database'")
    refuses 'its db_socket is another than that of --from' --from="$from" --to="$from --db-socket=other"
    ;;
pgsql)
    walk 'db_driver' --from="$sqlite" --to="$from"
    left=$(unset PGPASSWORD && pgsql_admin -At -d "$pgsql_database" -c "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ;;
esac
[ -z "${left:-}" ] || fail "left behind: $left"

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
