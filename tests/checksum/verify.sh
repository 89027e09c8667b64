#!/usr/bin/env bash
# `isobench verify` on two real MariaDB servers, a source and its replica; pt-table-checksum beside it where it is here.
# usage: verify.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../servers.sh"
# shellcheck source=tests/replicas.sh
. "$(dirname "${BASH_SOURCE[0]}")/../replicas.sh"

program=$(realpath "$1")
failures=0

fail() {
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

# verify STATUS [OPTION…]: runs it into out and err, and expects that status.
verify() {
    local want=$1 status=0
    shift
    MYSQL_PWD=${password:-$mysql_password} "$program" verify "--source=mysql://$mysql_user@127.0.0.1:$mysql_port" "--replica=host=127.0.0.1,port=$replica_port" \
        "$@" >out 2>err || status=$?
    [ "$status" -eq "$want" ] || fail "verify $* ended with $status, not $want: $(cat out err)"
}

# expect FILE TEXT WHAT
expect() {
    grep -qF -- "$2" "$1" || fail "$3: no '$2' in $1: $(cat "$1")"
}

one_line() {
    [ "$(wc -l <err)" -eq 1 ] || fail "$1: not one line of error: $(cat err)"
    expect err "$2" "$1"
}

# The source's data, byte for byte, without what a log or a statistic changes.
dump_source() {
    mariadb-dump --no-defaults --socket="$mysql_socket" --user=root --skip-ssl --skip-dump-date --hex-blob \
        --skip-comments --order-by-primary --databases shop odd
}

servers_start
cd "$server_home"
start_source
start_replica

mysql_admin <<'SQL'
GRANT ALL ON *.* TO sbtest@'%';
CREATE DATABASE shop;
CREATE DATABASE odd;
USE shop;
CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2), a INT, b INT, UNIQUE KEY name (name));
INSERT INTO item SELECT seq, CONCAT('name ', seq), seq / 7, seq, seq * 3 FROM seq_1_to_5000;
CREATE TABLE pair (x INT, y VARCHAR(20) CHARACTER SET latin1, z CHAR(8), v INT, PRIMARY KEY (x, y, z));
INSERT INTO pair SELECT seq MOD 10, CONCAT('é', seq MOD 100), seq, seq FROM seq_1_to_3000;
CREATE TABLE parent (id INT PRIMARY KEY, v INT);
CREATE TABLE child (id INT PRIMARY KEY, parent INT, FOREIGN KEY (parent) REFERENCES parent (id) ON DELETE CASCADE);
INSERT INTO parent VALUES (1, 10), (2, 20), (3, 30);
INSERT INTO child VALUES (1, 1), (2, 2), (3, 2), (4, 3);
CREATE TABLE isam (id INT PRIMARY KEY, v TEXT) ENGINE=MyISAM;
INSERT INTO isam VALUES (1, 'a'), (2, NULL), (3, '');
CREATE TABLE keyless (v INT, w TEXT);
INSERT INTO keyless VALUES (1, 'x'), (1, 'x'), (2, NULL);
CREATE TABLE empty (id INT PRIMARY KEY);
USE odd;
CREATE TABLE types (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, f FLOAT, d DOUBLE, n DECIMAL(40,20), t1 TINYINT(1),
    bits BIT(40), e ENUM('', 'a,b', 'c''d'), s SET('x','y','z'), c CHAR(10), u VARCHAR(30) CHARACTER SET utf16,
    l VARCHAR(30) CHARACTER SET latin1, bin BINARY(6), vb VARBINARY(20), tx MEDIUMTEXT, bl LONGBLOB, js JSON,
    dt DATETIME(6), ts TIMESTAMP(3) NULL, ti TIME(2), da DATE NOT NULL, yr YEAR, g POINT, ip INET6, uu UUID,
    made INT AS (t1 * 2) STORED, virt INT AS (t1 * 3) VIRTUAL, changed TIMESTAMP DEFAULT '2001-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP);
SET sql_mode='NO_AUTO_VALUE_ON_ZERO';
INSERT INTO types (id, f, d, n, t1, bits, e, s, c, u, l, bin, vb, tx, bl, js, dt, ts, ti, da, yr, g, ip, uu) VALUES
    (0, 0.1, 0.1, 1.00000000000000000001, 1, b'1010', 'a,b', 'x,z', 'a ', 'äß', 'ñ''\\', x'000102', x'00ff27', 'te''xt\n',
     x'0027005c0a', '{"a": "b,c"}', '2024-02-29 23:59:59.123456', '2038-01-01 00:00:00.5', '-838:59:59', '0000-00-00', 1999,
     POINT(1.5, -2), '::1', '123e4567-e89b-12d3-a456-426655440000'),
    (18446744073709551615, 3.4e38, 1.7976931348623157e308, -1, 0, b'1111111111111111111111111111111111111111', 'c''d', 'x,y,z',
     '', '', '', '', '', '', '', '[]', '0000-00-00', NULL, '00:00:00.01', '1970-01-01', 0, NULL, NULL, NULL),
    (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     '2000-01-01', NULL, NULL, NULL, NULL),
    (8, 1e-30, 2.2250738585072014e-308, 0, 2, 0, '', '', '-- ', 'a', ',', x'2c', ',''', 'a,b', ',', '"x"', '2024-01-01',
     '1971-01-01', '1:00', '2024-01-01', 2024, POINT(0, 0), '1.2.3.4', NULL);
CREATE TABLE `we``ird, 'table` (`k``ey` VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY, `a;b` INT);
INSERT INTO `we``ird, 'table` VALUES ('it''s', 1), ('B', 2), ('\\', 3), ('', 4);
SQL
mysql_admin -e "UPDATE odd.types SET id=0 WHERE id=0"
replica_catch_up
replica_admin -N -e "SELECT user FROM mysql.user WHERE user='$mysql_user'" | grep -q . || fail 'the user did not replicate'

# ---- the same ----
verify 0 --all --json=same.json
expect out 'the same' 'equal servers'
expect same.json '"status": "same"' 'equal servers in JSON'
verify 0 --all --chunk-size=700
[ "$(grep -c '^shop *item .*source$' out)" -eq 8 ] || fail "5000 rows in chunks of 700: $(cat out)"
[ "$(awk '$1 == "shop" && $2 == "item" && $NF == "source" {n += $6} END {print n}' out)" -eq 5000 ] ||
    fail "the chunks do not have 5000 rows together: $(cat out)"
verify 0 --all --chunk-size=111 --threads=1 --databases=shop,odd --tables=pair,shop.child,odd.types --ignore-tables=parent,odd.item
verify 0 --all --chunk-size=111 --threads=1 --databases=shop --ignore-tables=item,shop.child,parent,isam,keyless,empty
[ "$(awk '$NF == "source" {n += $6} END {print n}' out)" -eq 3000 ] || fail "pair and nothing else has 3000 rows: $(cat out)"

# pt_verdict: 0 = pt-table-checksum finds no difference in shop, 1 = it does.
pt_verdict() {
    local status=0
    PTDEBUG=0 pt-table-checksum --no-version-check --databases=shop --replicate=shop.checksums --no-check-binlog-format \
        --recursion-method="dsn=h=127.0.0.1,P=$mysql_port,u=$mysql_user,p=$mysql_password,D=pt,t=dsns" \
        "h=127.0.0.1,P=$mysql_port,u=$mysql_user,p=$mysql_password" >pt.out 2>pt.err || status=$?
    mysql_admin -e "DROP TABLE IF EXISTS shop.checksums"
    replica_catch_up
    echo $(((status & 16) / 16))
}
have_pt=false
if command -v pt-table-checksum >/dev/null; then
    have_pt=true
    mysql_admin -e "CREATE DATABASE pt; CREATE TABLE pt.dsns (id INT PRIMARY KEY, parent_id INT, dsn VARCHAR(255));
        INSERT INTO pt.dsns VALUES (1, 1, 'h=127.0.0.1,P=$replica_port,u=$mysql_user,p=$mysql_password')"
    replica_catch_up
    [ "$(pt_verdict)" -eq 0 ] || fail "pt-table-checksum finds differences in equal servers: $(cat pt.out pt.err)"
else
    echo 'pt-table-checksum is not here: not run beside'
fi

# ---- what differs is found, named and repaired ----
dump_source >before.sql
replica_admin <<'SQL'
USE shop;
UPDATE item SET price = price + 1 WHERE id = 17;
UPDATE item SET name = NULL WHERE id = 18;
UPDATE item SET name = '' WHERE id = 19;
UPDATE item SET a = b, b = a WHERE id = 20;
UPDATE item SET a = 21 * 3, b = 21 WHERE id = 21;
DELETE FROM item WHERE id IN (1, 2500, 5000);
INSERT INTO item VALUES (-5, 'below', 1, 1, 1), (90000, 'above', 2, 2, 2);
UPDATE item SET name = 'tmp' WHERE id = 30;
UPDATE item SET name = 'name 30' WHERE id = 31;
UPDATE item SET name = 'name 31' WHERE id = 30;
UPDATE pair SET v = v + 1 WHERE x = 3 AND v = 1003;
DELETE FROM pair WHERE v = 2999;
INSERT INTO pair VALUES (11, 'é', 'q', 1);
SET foreign_key_checks = 0;
DELETE FROM parent WHERE id = 3;
UPDATE parent SET v = 21 WHERE id = 2;
DELETE FROM child WHERE id = 4;
UPDATE isam SET v = '' WHERE id = 2;
UPDATE isam SET v = NULL WHERE id = 3;
USE odd;
SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';
DELETE FROM types WHERE id IN (0, 18446744073709551615);
UPDATE types SET f = 2e-30, d = NULL, changed = changed WHERE id = 8;
UPDATE types SET bl = '', changed = changed WHERE id = 7;
UPDATE `we``ird, 'table` SET `a;b` = 9 WHERE `k``ey` = 'it''s';
UPDATE `we``ird, 'table` SET `k``ey` = 'b' WHERE `k``ey` = 'B';
INSERT INTO `we``ird, 'table` VALUES ('extra', 0);
SQL
verify 1 --json=differ.json
expect out 'they DIFFER' 'replica changed'
expect out '(`id`) = (17) changed' 'changed row'
expect out '(`id`) = (18) changed' 'a value for NULL'
expect out "(\`id\`) = (2) changed" 'empty text for NULL'
expect out '(`id`) = (20) changed' 'swapped pair'
expect out '(`id`) = (2500) missing' 'missing row'
expect out '(`id`) = (90000) extra' 'extra row'
expect out '(`id`) = (-5) extra' 'extra row below all others'
expect out "= (11,_latin1 x'E9','q') extra" 'extra row of three key columns'
python3 - <<'PYTHON' || fail "the JSON has not the rows that differ: $(head -c 2000 differ.json)"
import collections, json
report = json.load(open("differ.json"))
assert report["status"] == "differ"
rows = collections.Counter((d["table"], d["what"]) for d in report["differences"])
want = {("item", "changed"): 7, ("item", "missing"): 3, ("item", "extra"): 2, ("pair", "changed"): 1, ("pair", "missing"): 1,
        ("pair", "extra"): 1, ("parent", "changed"): 1, ("parent", "missing"): 1, ("child", "missing"): 1,
        ("isam", "changed"): 2, ("types", "missing"): 2, ("types", "changed"): 2, ("we`ird, 'table", "changed"): 1,
        ("we`ird, 'table", "missing"): 1, ("we`ird, 'table", "extra"): 2}
assert rows == want, (rows - collections.Counter(want), collections.Counter(want) - rows)
assert sum(r["differing_rows"] for r in report["rows"]) == sum(want.values())
PYTHON
verify 1 --print-sync
mv out sync.sql
if grep -vE '^(--|SET |USE |BEGIN;|COMMIT;|REPLACE INTO |DELETE FROM )' sync.sql; then fail 'sync.sql has lines that are neither SQL nor comment'; fi
[ "$(grep -c '^REPLACE\|^DELETE' sync.sql)" -eq 28 ] || fail "not 28 statements: $(cat sync.sql)"
if $have_pt; then
    [ "$(pt_verdict)" -eq 1 ] || fail "pt-table-checksum finds no difference: $(cat pt.out pt.err)"
    for table in item pair parent child isam; do
        awk -v t="shop.$table" '$NF == t && $3 > 0 {found = 1} END {exit !found}' pt.out ||
            fail "pt-table-checksum finds $table the same: $(cat pt.out)"
    done
fi
dump_source | cmp -s - before.sql || fail 'a check without --execute-sync changed the source'
verify 1
verify 0 --execute-sync --chunk-size=500
expect out 'repaired: 28 rows' 'repair'
dump_source >after.sql
diff before.sql after.sql >changed || fail "the repair changed the source: $(head -n 20 changed)"
verify 0
if $have_pt; then
    [ "$(pt_verdict)" -eq 0 ] || fail "pt-table-checksum finds differences after the repair: $(cat pt.out pt.err)"
fi
mariadb-dump --no-defaults --socket="$replica_socket" --user=root --skip-ssl --skip-dump-date --hex-blob \
    --skip-comments --order-by-primary --databases shop odd >replica.sql
diff before.sql replica.sql >changed || fail "the replica is not as the source was: $(head -n 20 changed)"

# ---- the printed statements do the same by themselves ----
replica_admin -e "DELETE FROM shop.item WHERE id BETWEEN 100 AND 300; UPDATE odd.types SET c = 'q', changed = changed"
verify 1 --print-sync
mysql_admin <out
replica_catch_up
verify 0

# ---- no key: told, not repaired ----
replica_admin -e "UPDATE shop.keyless SET w = '' WHERE v = 2"
verify 1
expect out 'no unique key' 'table without a key'
verify 1 --execute-sync
replica_admin -e "UPDATE shop.keyless SET w = NULL WHERE v = 2; DELETE FROM shop.keyless WHERE v = 1"
verify 1 # an equal pair that is gone
mysql_admin -e "TRUNCATE shop.keyless"
replica_catch_up
verify 0

# ---- a table with triggers is left alone ----
mysql_admin -e "CREATE TRIGGER shop.boom BEFORE INSERT ON shop.parent FOR EACH ROW SET NEW.v = NEW.v + 1"
replica_catch_up
replica_admin -e "UPDATE shop.parent SET v = 0 WHERE id = 1"
verify 1 --execute-sync
one_line 'triggers' 'triggers'
mysql_admin -e "DROP TRIGGER shop.boom"
replica_catch_up
verify 0 --execute-sync

# ---- missing tables, other columns ----
replica_admin -e "CREATE TABLE shop.alone (id INT PRIMARY KEY); DROP TABLE shop.empty"
verify 1
expect out 'the table is not on this replica' 'missing table'
expect out 'the table is on this replica alone' 'table of the replica'
replica_admin -e "CREATE TABLE shop.empty (id INT PRIMARY KEY); DROP TABLE shop.alone; ALTER TABLE shop.isam MODIFY v VARCHAR(90)"
verify 2
expect out 'column 2 is `v` text' 'other columns'
replica_admin -e "ALTER TABLE shop.isam MODIFY v TEXT"
mysql_admin -e "CREATE SEQUENCE odd.numbers"
replica_catch_up
verify 2
expect out 'not supported: it is a SEQUENCE' 'sequence'
mysql_admin -e "DROP SEQUENCE odd.numbers"
replica_catch_up

# ---- a table that changes all the time is in flux or the same, never different; a real difference in it is found ----
writer() {
    while [ ! -e stop ]; do
        printf 'UPDATE shop.item SET a = a + 1 WHERE id = %d;\n' $((RANDOM % 5000 + 1))
        printf 'INSERT INTO shop.item VALUES (%d, NULL, 1, 1, 1) ON DUPLICATE KEY UPDATE b = b + 1;\n' $((RANDOM + 10000))
        printf 'DELETE FROM shop.item WHERE id = %d;\n' $((RANDOM + 10000))
    done | mysql_admin
}
writer &
writer_pid=$!
for _ in 1 2 3; do
    status=0
    MYSQL_PWD=${password:-$mysql_password} "$program" verify "--source=mysql://$mysql_user@127.0.0.1:$mysql_port" "--replica=host=127.0.0.1,port=$replica_port" \
        --chunk-size=1000 >out 2>err || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 2 ] || fail "a table that changes: status $status: $(cat out err)"
    if grep -q 'differs' out; then fail "a table that changes differs: $(cat out)"; fi
done
replica_admin -e "UPDATE shop.pair SET v = -1 WHERE v = 77"
verify 1
expect out 'pair' 'a difference beside a table that changes'
verify 0 --execute-sync --tables=pair
touch stop
wait "$writer_pid"
replica_catch_up
verify 0

# ---- what cannot be told ----
verify 2 --tables=nothing
one_line 'no such table' '--tables: there is no nothing'
password=wrong verify 2
one_line 'wrong password' 'Access denied'
verify 2 --source
one_line 'no value' '--source: its value is missing'
verify 2 --replica="mysql://$mysql_user:secret@127.0.0.1:$replica_port"
one_line 'password in the address' 'password'
verify 2 "--replica=host=127.0.0.1,port=$mysql_port"
one_line 'the source again' 'was given before'
replica_admin -e "STOP SLAVE SQL_THREAD"
verify 2
one_line 'stopped replica' 'replication is stopped'
mysql_admin -e "UPDATE shop.parent SET v = 11 WHERE id = 1"
verify 1 --unrelated --databases=shop
expect out '(`id`) = (1) changed' 'two copies'
replica_admin -e "START SLAVE SQL_THREAD"
replica_catch_up
verify 0 --unrelated
mysql_admin -e "CREATE USER reader@'%' IDENTIFIED BY 'r'; GRANT SELECT ON shop.* TO reader@'%'"
replica_catch_up
password=r verify 2 --db-user=reader "--source=host=127.0.0.1,port=$mysql_port"
one_line 'no right to look at replication' 'denied'
status=0
"$program" verify --db-driver=sqlite --source=host=a --replica=host=b >out 2>err || status=$?
[ "$status" -eq 2 ] || fail "sqlite: status $status"
one_line 'sqlite' 'not supported with --db-driver=sqlite'

# ---- a replica that does not come up in time ----
replica_admin -e "LOCK TABLES shop.parent WRITE; SELECT SLEEP(600)" >/dev/null 2>&1 &
until replica_admin -N -e "SELECT id FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'" | grep . >sleeper; do
    sleep 0.1
done
mysql_admin -e "UPDATE shop.parent SET v = 12 WHERE id = 1"
verify 2 --wait=1 --tables=isam
one_line 'late replica' 'did not come up'
replica_admin -e "KILL $(cat sleeper)"
wait $! || true
replica_catch_up
verify 0

[ "$failures" -eq 0 ] || exit 1
