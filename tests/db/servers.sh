#!/usr/bin/env bash
# The contract of db.h against real servers, which are started for it: servers.sh mysql|pgsql PROGRAM…
# Each PROGRAM gets the way to the server in ISO_TEST_DB, the password in ISO_TEST_PASSWORD, and an administrator's in
# ISO_TEST_ADMIN (mysql: a socket to root without password).
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

kind=$1
shift
servers_start
cd "$server_home"
case $kind in
mysql)
    start_mariadb
    export ISO_TEST_PASSWORD=$mysql_password
    way="db_driver=mysql;db_user=$mysql_user;db_name=$mysql_database"
    socket="$way;db_socket=$mysql_socket"
    tcp="$way;db_host=127.0.0.1;db_port=$mysql_port"
    ;;
pgsql)
    start_postgres
    export ISO_TEST_PASSWORD=$pgsql_password
    way="db_driver=pgsql;db_user=$pgsql_user;db_name=$pgsql_database"
    socket="$way;db_socket=$pgsql_socket;db_port=$pgsql_port"
    tcp="$way;db_host=127.0.0.1;db_port=$pgsql_port"
    ;;
*)
    printf 'servers.sh: mysql or pgsql, not %s\n' "$kind" >&2
    exit 2
    ;;
esac
for program in "$@"; do
    for way in "$socket" "$tcp"; do
        ISO_TEST_DB=$way "$program"
    done
done
