# shellcheck shell=bash disable=SC2034
# Private database servers for tests: source it under `set -euo pipefail`. Each has its data in a folder of its own and
# listens on a socket there and on a free port of 127.0.0.1; it is ended by its process id.
#
#   servers_start           once, before any other; makes the folder $server_home and a trap that removes it
#   start_mariadb [OPTION…] sets mysql_socket, mysql_port, mysql_user, mysql_password, mysql_database
#                           (OPTION goes to the server: --max-connections=20)
#   start_postgres [LINE…]  sets pgsql_socket (a folder), pgsql_port, pgsql_user, pgsql_password, pgsql_database
#                           (LINE is put into postgresql.conf: max_connections=20)
#   stop_mariadb, stop_postgres            as an administrator would
#   kill_mariadb, kill_postgres            as a crash would
#   restart_mariadb [OPTION…]              on the same data, socket and port; also after a kill
#   restart_postgres [LINE…]
#   make_certificates       sets tls_ca, tls_cert, tls_key (of "127.0.0.1") and tls_other_ca; before a start or restart:
#                           restart_mariadb "${mysql_tls[@]}", start_postgres "${pgsql_tls[@]}"
#   mysql_admin [ARGUMENT…], pgsql_admin   the server's own client as its administrator: mysql_admin -e "SELECT 1"
#
# The user may do everything in the database, which is empty, and nothing outside of it. What is missing here (no server
# installed, no right to start it) ends the test with status 77 and the reason.

server_home=
mysql_pid=
pgsql_pid=

servers_skip() {
    printf 'SKIP: %s\n' "$*"
    exit 77
}

servers_start() {
    server_home=$(mktemp -d "${TMPDIR:-/tmp}/isobench-servers.XXXXXX")
    chmod 755 "$server_home"
    trap servers_end EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

servers_end() {
    local status=$?
    trap - EXIT
    kill_mariadb
    kill_postgres
    [ -z "$server_home" ] || rm -rf "$server_home"
    exit "$status"
}

# A port that nobody listens on: below those that the system hands out by itself.
servers_free_port() {
    local port tries
    for tries in {1..200}; do
        port=$((10240 + (RANDOM * 32768 + RANDOM + tries) % 21000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            printf '%s\n' "$port"
            return
        fi
    done
    printf 'no free port on 127.0.0.1\n' >&2
    return 1
}

# server_signal PID SIGNAL: sends it, and waits until the process has gone.
server_signal() {
    kill -s "$2" "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

# servers_as USER: sets the array `as` to what goes before a command that must not run as root. An array and not a
# function around the command: put into the background, that would be a shell, and the server not its process.
as=()
servers_as() {
    if [ "$(id -u)" -eq 0 ]; then
        command -v setpriv >/dev/null || servers_skip "running as root, and there is no setpriv to start a server otherwise"
        as=(setpriv --reuid="$1" --regid="$1" --init-groups)
    fi
}

# make_certificate NAME [CA]: NAME.pem and NAME.key, signed by CA, or by itself without one.
make_certificate() {
    local name=$1 ca=${2:-} folder=$server_home/tls
    openssl req -new -newkey rsa:2048 -nodes -keyout "$folder/$name.key" -out "$folder/$name.csr" \
        -subj "/O=isobench test/CN=$name" 2>/dev/null
    if [ -z "$ca" ]; then
        openssl x509 -req -in "$folder/$name.csr" -signkey "$folder/$name.key" -days 2 -out "$folder/$name.pem" \
            -extfile <(printf 'basicConstraints=critical,CA:TRUE\n') 2>/dev/null
    else
        openssl x509 -req -in "$folder/$name.csr" -CA "$folder/$ca.pem" -CAkey "$folder/$ca.key" -set_serial "$RANDOM" \
            -days 2 -out "$folder/$name.pem" -extfile <(printf 'subjectAltName=IP:%s\n' "$name") 2>/dev/null
    fi
}

make_certificates() {
    command -v openssl >/dev/null || servers_skip "openssl is not here, to make certificates with"
    mkdir -p "$server_home/tls"
    make_certificate authority
    make_certificate other
    make_certificate 127.0.0.1 authority
    tls_ca=$server_home/tls/authority.pem
    tls_other_ca=$server_home/tls/other.pem
    tls_cert=$server_home/tls/127.0.0.1.pem
    tls_key=$server_home/tls/127.0.0.1.key
    mysql_tls=("--ssl-ca=$tls_ca" "--ssl-cert=$tls_cert" "--ssl-key=$tls_key")
    pgsql_tls=("ssl = on" "ssl_ca_file = '$tls_ca'" "ssl_cert_file = '$tls_cert'" "ssl_key_file = '$tls_key'")
}

# server_may_read_key ACCOUNT: the key is nobody else's.
server_may_read_key() {
    [ -z "${tls_key:-}" ] || [ "$(id -u)" -ne 0 ] || chown "$1" "$tls_key"
}

# ---- MariaDB

mysql_folder() {
    printf '%s/%s' "$server_home" "${mysql_name:-mariadb}"
}

mysql_account() { # the account that the server runs as
    if [ "$(id -u)" -ne 0 ]; then
        id -un
    else
        echo mysql
    fi
}

mariadb_program() {
    local name
    for name in "$1" "/usr/sbin/$1" "/usr/libexec/$1" "/usr/local/sbin/$1"; do
        if command -v "$name" >/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

mysql_admin() {
    mariadb --no-defaults --socket="$mysql_socket" --user=root --skip-ssl "$@"
}

mysql_is_up() {
    mysql_admin -e "SELECT 1" >/dev/null 2>&1
}

# mysql_serve [OPTION…]: starts it on the data that is there.
mysql_serve() {
    local folder program tries
    folder=$(mysql_folder)
    program=$(mariadb_program mariadbd)
    server_may_read_key "$(mysql_account)"
    # small, and without the waits for a disk that no test is about; a later option of the caller's wins
    servers_as "$(mysql_account)"
    ${as[@]+"${as[@]}"} "$program" --no-defaults --datadir="$folder/data" --socket="$mysql_socket" \
        --pid-file="$folder/pid" --tmpdir="$folder/tmp" --port="$mysql_port" --bind-address=127.0.0.1 --skip-name-resolve \
        --innodb-buffer-pool-size=64M --innodb-log-file-size=32M --innodb-flush-log-at-trx-commit=2 \
        --performance-schema=OFF --max-connections=300 --log-error="$folder/log" "$@" >/dev/null 2>&1 &
    mysql_pid=$!
    for tries in {1..600}; do
        mysql_is_up && return
        if ! kill -0 "$mysql_pid" 2>/dev/null; then
            tail -n 30 "$folder/log" >&2 || true
            printf 'mariadbd ended while it started\n' >&2
            return 1
        fi
        sleep 0.1
    done
    printf 'mariadbd does not answer after 60 seconds\n' >&2
    return 1
}

start_mariadb() {
    local folder account
    mariadb_program mariadbd >/dev/null || servers_skip "mariadbd is not here: install mariadb-server"
    folder=$(mysql_folder)
    account=$(mysql_account)
    if ! id "$account" >/dev/null 2>&1; then
        servers_skip "mariadbd does not run as root, and there is no user $account"
    fi
    mkdir -p "$folder/tmp" # its own: servers that start at once meet in the system's by the names of their tables
    [ "$(id -u)" -ne 0 ] || chown "$account" "$folder" "$folder/tmp"
    servers_as "$account"
    ${as[@]+"${as[@]}"} mariadb-install-db --no-defaults --datadir="$folder/data" --tmpdir="$folder/tmp" --auth-root-authentication-method=normal \
        --skip-test-db >"$folder.install.log" 2>&1 || {
        cat "$folder.install.log" >&2
        return 1
    }
    mysql_socket=$folder/socket
    mysql_port=$(servers_free_port)
    mysql_user=sbtest
    mysql_password='s3cret pass'
    mysql_database=sbtest
    mysql_serve "$@"
    mysql_admin -e "CREATE DATABASE $mysql_database;
        CREATE USER '$mysql_user'@'%' IDENTIFIED BY '$mysql_password';
        GRANT ALL ON $mysql_database.* TO '$mysql_user'@'%'"
}

stop_mariadb() {
    [ -z "$mysql_pid" ] || server_signal "$mysql_pid" TERM
    mysql_pid=
}

kill_mariadb() {
    [ -z "$mysql_pid" ] || server_signal "$mysql_pid" KILL
    mysql_pid=
}

restart_mariadb() {
    stop_mariadb
    mysql_serve "$@"
}

# ---- PostgreSQL

pgsql_account() {
    if [ "$(id -u)" -ne 0 ]; then
        id -un
    else
        echo postgres
    fi
}

postgres_program() {
    local candidate
    if command -v "$1" >/dev/null; then
        command -v "$1"
        return
    fi
    for candidate in /usr/lib/postgresql/*/bin/"$1" /usr/pgsql-*/bin/"$1"; do
        if [ -x "$candidate" ]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    return 1
}

pgsql_admin() {
    PGCONNECT_TIMEOUT=5 "$(postgres_program psql)" -X -q -v ON_ERROR_STOP=1 -h "$pgsql_socket" -p "$pgsql_port" \
        -U administrator -d postgres "$@"
}

pgsql_is_up() {
    pgsql_admin -c "SELECT 1" >/dev/null 2>&1
}

pgsql_serve() {
    local program tries
    program=$(postgres_program postgres)
    server_may_read_key "$(pgsql_account)"
    servers_as "$(pgsql_account)"
    ${as[@]+"${as[@]}"} "$program" -D "$pgsql_socket/data" >>"$pgsql_socket/log" 2>&1 &
    pgsql_pid=$!
    for tries in {1..600}; do
        pgsql_is_up && return
        if ! kill -0 "$pgsql_pid" 2>/dev/null; then
            tail -n 30 "$pgsql_socket/log" >&2
            printf 'postgres ended while it started\n' >&2
            return 1
        fi
        sleep 0.1
    done
    printf 'postgres does not answer after 60 seconds\n' >&2
    return 1
}

# The administrator comes in by the socket without a password; everybody else needs one.
pgsql_configure() {
    local data=$pgsql_socket/data line
    {
        printf "listen_addresses = '127.0.0.1'\nport = %s\nunix_socket_directories = '%s'\n" "$pgsql_port" "$pgsql_socket"
        printf 'shared_buffers = 64MB\nmax_connections = 300\nfsync = off\nsynchronous_commit = off\n'
        for line in "$@"; do
            printf '%s\n' "$line"
        done
    } >>"$data/postgresql.conf"
    printf '%s\n' "local all administrator trust" "local all all scram-sha-256" \
        "host all all 127.0.0.1/32 scram-sha-256" >"$data/pg_hba.conf"
}

start_postgres() {
    local account program
    postgres_program initdb >/dev/null || servers_skip "initdb is not here: install postgresql"
    account=$(pgsql_account)
    if ! id "$account" >/dev/null 2>&1; then
        servers_skip "postgres does not run as root, and there is no user $account"
    fi
    pgsql_socket=$server_home/pg
    pgsql_port=$(servers_free_port)
    pgsql_user=sbtest
    pgsql_password='s3cret pass'
    pgsql_database=sbtest
    mkdir -p "$pgsql_socket"
    [ "$(id -u)" -ne 0 ] || chown "$account" "$pgsql_socket"
    program=$(postgres_program initdb)
    servers_as "$account"
    ${as[@]+"${as[@]}"} "$program" -D "$pgsql_socket/data" -U administrator -A trust -N \
        --encoding=UTF8 --locale=C >"$server_home/initdb.log" 2>&1 || {
        cat "$server_home/initdb.log" >&2
        return 1
    }
    pgsql_configure "$@"
    pgsql_serve
    pgsql_admin -c "CREATE ROLE $pgsql_user LOGIN PASSWORD '$pgsql_password'" \
        -c "CREATE DATABASE $pgsql_database OWNER $pgsql_user"
}

stop_postgres() { # SIGINT ends open sessions, SIGTERM would wait for them
    [ -z "$pgsql_pid" ] || server_signal "$pgsql_pid" INT
    pgsql_pid=
}

kill_postgres() { # a killed postmaster leaves its children for a moment: SIGQUIT takes them along, as a crash does
    [ -z "$pgsql_pid" ] || server_signal "$pgsql_pid" QUIT
    pgsql_pid=
}

restart_postgres() {
    local line
    stop_postgres
    for line in "$@"; do
        printf '%s\n' "$line" >>"$pgsql_socket/data/postgresql.conf"
    done
    pgsql_serve
}
