# shellcheck shell=bash disable=SC2034,SC2154
# A second private MariaDB that replicates from the first: source it after tests/servers.sh.
#
#   start_source [OPTION…]   as start_mariadb, with a binary log; the user may also look at the replication
#   start_replica [OPTION…]  sets replica_socket, replica_port; it follows the source by its position in the log
#   stop_replica             ends its process; called at the end by itself
#   replica_admin [ARGUMENT…]  the client as the replica's administrator
#   replica_catch_up         waits until the replica has all that the source has written

replica_pid=

# as_replica COMMAND…: what servers.sh does to its one server, done to the second.
as_replica() {
    local mysql_name=replica mysql_pid=$replica_pid mysql_socket=${replica_socket:-} mysql_port=${replica_port:-}
    "$@"
    replica_pid=$mysql_pid
    replica_socket=$mysql_socket
    replica_port=$mysql_port
}

replica_admin() {
    as_replica mysql_admin "$@"
}

stop_replica() {
    [ -z "$replica_pid" ] || server_signal "$replica_pid" KILL
    replica_pid=
}

start_source() {
    start_mariadb --server-id=1 --log-bin=source-bin --binlog-format=ROW "$@"
    trap 'status=$?; set +e; stop_replica; (exit "$status"); servers_end' EXIT
    mysql_admin -e "GRANT BINLOG MONITOR, SLAVE MONITOR, BINLOG ADMIN, REPLICATION SLAVE ON *.* TO '$mysql_user'@'%'"
}

# The user comes with the log. What the source's installation wrote is not in it.
start_replica() {
    as_replica start_mariadb --server-id=2 --log-bin=replica-bin --log-slave-updates=OFF --relay-log=relay-bin "$@"
    replica_admin -e "DROP USER '$mysql_user'@'%'; DROP DATABASE $mysql_database; RESET MASTER;
        CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=$mysql_port, MASTER_USER='$mysql_user',
            MASTER_PASSWORD='$mysql_password', MASTER_LOG_FILE='source-bin.000001', MASTER_LOG_POS=4,
            MASTER_CONNECT_RETRY=1;
        START SLAVE"
    replica_catch_up
}

replica_catch_up() {
    local file position reached
    read -r file position _ < <(mysql_admin -N -e "SHOW MASTER STATUS")
    reached=$(replica_admin -N -e "SELECT MASTER_POS_WAIT('$file', $position, 60)")
    case $reached in
    NULL | -1)
        replica_admin -e "SHOW SLAVE STATUS\G" >&2
        return 1
        ;;
    esac
}
