#!/usr/bin/env bash
# The Windows program under Wine as the client of a MariaDB on this machine, over TCP, and on SQLite: database.sh PROGRAM
# The unit tests of the drivers lie beside PROGRAM.
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

program=$(realpath "$1")
tests=$(dirname "$program")

# Of a run's JSON: did it do the work, with that server, encrypted or not?
check_result() {
    python3 - "$1" "$2" "$3" <<'PYTHON'
import json, sys

name, product, encrypted = sys.argv[1:]
text = json.load(open(name))
result = text["runs"][0] if "runs" in text else text


def find(node, key):
    if isinstance(node, dict):
        if key in node:
            return node[key]
        node = list(node.values())
    for child in node if isinstance(node, list) else []:
        found = find(child, key)
        if found is not None:
            return found
    return None


server = find(result, "server")
assert server["product"] == product, server
assert bool(server.get("tls")) == (encrypted == "tls"), server
assert find(result, "events") or find(result, "transactions"), text
PYTHON
}

# load PRODUCT tls|plain OPTION…: prepare, run and cleanup.
load() {
    local product=$1 encrypted=$2
    shift 2
    wine "$program" oltp prepare --tables=2 --table-size=1000 "$@" >/dev/null
    wine "$program" oltp oltp_read_write run --tables=2 --table-size=1000 --threads=2 --events=100 --time=0 \
        --json=result.json "$@" >/dev/null
    check_result result.json "$product" "$encrypted"
    wine "$program" oltp cleanup --tables=2 "$@" >/dev/null
    printf 'ok: %s\n' "$product $encrypted $*"
}

# bulk_load STEPS OPTION…: of a file with the line endings of Windows, and of generated rows.
bulk_load() {
    local steps=$1
    shift
    printf 'id,word\r\n1,"a, b"\r\n2,"two\r\nlines"\r\n3,\\N\r\n' >words.csv
    wine "$program" load --input=words.csv --header --parts=1 "$@" >bulk.txt 2>/dev/null
    [ "$(grep -c ' count, checksum' bulk.txt)" -eq "$steps" ] || {
        cat bulk.txt
        exit 1
    }
    wine "$program" load --rows=2000 --seed=7 --parts=1 --json=bulk.json "$@" >/dev/null 2>&1
    python3 -c "
import json
runs = json.load(open('bulk.json'))['runs']
assert len(runs) == $steps and all(r['load']['verified'] == 'count, checksum' for r in runs), runs"
    printf 'ok: load %s\n' "$*"
}

servers_start
cd "$server_home"
bulk_load 2 --db-driver=sqlite --db-file=bulk.sqlite
[ ! -e bulk.sqlite ]
load SQLite plain --db-driver=sqlite --db-file=wine.sqlite
start_mariadb
make_certificates
restart_mariadb "${mysql_tls[@]}"
export MYSQL_PWD=$mysql_password
way=(--db-driver=mysql --db-host=127.0.0.1 "--db-port=$mysql_port" "--db-user=$mysql_user" "--db-name=$mysql_database")
load MariaDB plain "${way[@]}" --db-tls=off
load MariaDB tls "${way[@]}" --db-tls=required --db-statements=text
load MariaDB plain "${way[@]}" --db-tls=off --db-compression
bulk_load 4 "${way[@]}"
MYSQL_PWD='' ISO_TEST_PASSWORD=$mysql_password \
    ISO_TEST_DB="db_driver=mysql;db_host=127.0.0.1;db_port=$mysql_port;db_user=$mysql_user;db_name=$mysql_database" \
    wine "$tests/test_contract.exe" </dev/null
