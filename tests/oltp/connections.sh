#!/usr/bin/env bash
# A thousand connections: what they take of memory and of the process's descriptors, on a real MariaDB.
# usage: connections.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"

program=$(realpath "$1")
connections=1000
memory_mib=512
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

hard=$(ulimit -Hn)
if [ "$hard" != unlimited ] && [ "$hard" -lt 5000 ]; then
    servers_skip "the system allows $hard open files to a process, and client and server need 5000"
fi
servers_start
cd "$server_home"
(ulimit -n 5000) || servers_skip 'the limit of open files cannot be raised'
ulimit -Sn 5000
mysql_tls=()
! command -v openssl >/dev/null || make_certificates
start_mariadb "--max-connections=$((connections + 50))" --max-prepared-stmt-count=100000 ${mysql_tls[@]+"${mysql_tls[@]}"}
export MYSQL_PWD=$mysql_password
way=("--db-driver=mysql" "--db-socket=$mysql_socket" "--db-user=$mysql_user" "--db-name=$mysql_database" --tables=8 --table-size=2000)
"$program" oltp prepare "${way[@]}" >out 2>err || fail "prepare: $(cat err)"

# ---- memory: the largest resident set of the process ----
status=0
python3 - "$program" oltp oltp_read_write run "${way[@]}" "--threads=$connections" --time=10 --report-interval=1 \
    --json=many.json >out 2>err <<'PYTHON' || status=$?
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
open("peak", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(status)
PYTHON
[ "$status" -eq 0 ] || fail "$connections connections: $(head -c 600 err)"
[ "$(cat peak)" -lt "$memory_mib" ] || fail "$connections connections took $(cat peak) MiB, which is not below $memory_mib"
python3 - "$connections" <<'PYTHON' || fail 'not every connection did something, or the figures do not agree'
import json, sys
result = json.load(open("many.json"))
assert result["status"] == "complete", result["status"]
classes = result["classes"]
assert sum(t["events"] > 0 for t in result["threads"]) > 0.9 * int(sys.argv[1])
assert sum(t["events"] for t in result["threads"]) == classes["transaction"]["count"] > 0
PYTHON

# ---- TLS: the bundle of the system's authorities is not read for each connection, which takes 0.9 MB and 30 ms ----
if [ "${#mysql_tls[@]}" -gt 0 ]; then
    for mode in off required; do
        env -u SSL_CERT_FILE python3 - "$program" oltp oltp_point_select run "${way[@]}" --db-socket= \
            --db-host=127.0.0.1 "--db-port=$mysql_port" --threads=200 --time=1 "--db-tls=$mode" >out 2>err <<'PYTHON' || fail "200 connections, TLS $mode: $(head -c 600 err)"
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
open("peak." + sys.argv[-1].split("=")[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(status)
PYTHON
    done
    [ "$(cat peak.required)" -lt $(($(cat peak.off) + 60)) ] ||
        fail "200 connections took $(cat peak.off) MiB without TLS and $(cat peak.required) MiB with it"
fi

# ---- descriptors: a soft limit is raised, a hard one is told before anything starts ----
(
    ulimit -Sn 200
    "$program" oltp oltp_point_select run "${way[@]}" --threads=300 --time=1 >out 2>err
) || fail "a soft limit of 200 open files: $(head -c 600 err)"
if (
    ulimit -n 200
    "$program" oltp oltp_point_select run "${way[@]}" --threads=300 --time=1 >out 2>err
); then fail 'a hard limit of 200 open files is enough for 300 connections?'; fi
[ "$(wc -l <err)" -eq 1 ] || fail "a hard limit of 200 open files: $(head -c 600 err)"
grep -q 'ulimit -n' err || fail "a hard limit of 200 open files: $(cat err)"

# ---- a server with less room than connections ----
if timeout 60 "$program" oltp oltp_point_select run "${way[@]}" --threads=$((connections + 100)) --time=1 >out 2>err; then
    fail 'more connections than the server takes went well'
fi
[ "$(wc -l <err)" -eq 1 ] || fail "too many connections: $(head -c 600 err)"

# ---- a server with less room than prepared statements: 20 connections × 8 tables × 9 kinds; it is told before the start ----
MYSQL_PWD='' mysql_admin -e 'SET GLOBAL max_prepared_stmt_count = 1439'
if "$program" oltp run "${way[@]}" --threads=20 --time=1 >out 2>err; then fail 'more statements than the server keeps went well'; fi
[ "$(wc -l <err)" -eq 1 ] || fail "too many prepared statements: $(head -c 600 err)"
grep -q 'max_prepared_stmt_count = 1440' err || fail "too many prepared statements: $(cat err)"
"$program" oltp run "${way[@]}" --threads=20 --time=1 --db-statements=text >out 2>err || fail "text: $(cat err)"

if [ "$failures" -gt 0 ]; then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
printf 'peak of %s connections: %s MiB\n' "$connections" "$(cat peak)"
