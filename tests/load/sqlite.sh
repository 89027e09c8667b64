# shellcheck shell=bash disable=SC2154
# What only SQLite has; sourced by load.sh.

load 0 --ways=multi --rows=1000 --flush-at-commit=off,normal,full
[ "$(awk '$1 == "multi" {print $4}' out | tr '\n' ' ')" = 'off normal full ' ] || fail "flush settings: $(cat out)"
refused 2 'one writer' --parts=2
refused 2 '--ways=infile' --ways=infile
refused 1 'no-such-folder' --db-file=no-such-folder/x.sqlite --rows=10

# a full disk, where one can be made
full=$server_home/full
mkdir "$full"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1M tmpfs "$full" 2>/dev/null; then
    "$program" load --db-driver=sqlite --db-file="$full/x.sqlite" --rows=20000 >out 2>err && fail 'a full disk is no error'
    [ "$(grep -vc warning err)" -eq 1 ] && grep -q 'full' err || fail "a full disk is not named: $(cat err)"
    [ -z "$(ls "$full")" ] || fail "left on the full disk: $(ls "$full")"
    umount "$full"
fi
