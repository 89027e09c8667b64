#!/usr/bin/env bash
# The drivers against real servers, which are started for it: servers.sh mysql|pgsql CONTRACT WAYS
# CONTRACT and WAYS are the programs test_contract and test_ways.
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

kind=$1
contract=$2
ways=$3

# Somebody who takes connections and says nothing, for as long as standard input is open. Prints its port.
listen_silently() {
    python3 -c '
import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(8)
print(s.getsockname()[1], flush=True)
sys.stdin.read()'
}

set_mysql() {
    export ISO_TEST_PASSWORD=$mysql_password
    to="db_driver=mysql;db_user=$mysql_user;db_name=$mysql_database"
    by_socket="$to;db_socket=$mysql_socket"
    by_tcp="$to;db_host=127.0.0.1;db_port=$mysql_port"
    export ISO_TEST_SOCKET=$mysql_socket ISO_TEST_DEFAULTS=$server_home/my.cnf
    printf '[bench]\nuser=%s\npassword="%s"\nhost=127.0.0.1\nport=%s\n' "$mysql_user" "$mysql_password" "$mysql_port" \
        >"$ISO_TEST_DEFAULTS"
}

set_pgsql() {
    export ISO_TEST_PASSWORD=$pgsql_password
    to="db_driver=pgsql;db_user=$pgsql_user;db_name=$pgsql_database"
    by_socket="$to;db_socket=$pgsql_socket;db_port=$pgsql_port"
    by_tcp="$to;db_host=127.0.0.1;db_port=$pgsql_port"
    export ISO_TEST_SOCKET=$pgsql_socket
}

servers_start
cd "$server_home"
if command -v python3 >/dev/null; then
    coproc silent { listen_silently; }
    read -r ISO_TEST_SILENT_PORT <&"${silent[0]}"
    export ISO_TEST_SILENT_PORT
fi
case $kind in
mysql)
    start_mariadb
    set_mysql
    ;;
pgsql)
    start_postgres
    set_pgsql
    ;;
*)
    printf 'servers.sh: mysql or pgsql, not %s\n' "$kind" >&2
    exit 2
    ;;
esac
ISO_TEST_DB=$by_socket "$contract"
ISO_TEST_DB=$by_tcp "$contract"
ISO_TEST_DB=$by_tcp "$ways"
make_certificates
case $kind in
mysql) restart_mariadb "${mysql_tls[@]}" --max-connections=20 ;;
pgsql) restart_postgres "${pgsql_tls[@]}" "max_connections = 20" ;;
esac
ISO_TEST_DB=$by_tcp ISO_TEST_CA=$tls_ca ISO_TEST_OTHER_CA=$tls_other_ca "$ways"
