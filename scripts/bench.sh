#!/usr/bin/env bash
# How fast is isobench itself? Side by side with a bare loop, sysbench and fio, in interleaved rounds.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/servers.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tests/servers.sh"

usage() {
    cat <<'TEXT'
Usage: scripts/bench.sh [OPTION]…
Measures isobench against a bare timed pread loop, sysbench and fio. In each round every tool runs each case once,
one right after the other, so that what else the machine does hits all alike. Prints medians with min…max as Markdown.

  --rounds=N     rounds (default: 5)
  --seconds=N    length of each run (default: 3)
  --size=SIZE    test file, such as 256M (default: 256M)
  --dir=DIR      put the test file on the volume of DIR; DIR must exist (default: the build folder)
  --program=FILE use this isobench instead of building one
  --parts=LIST   only these, separated by commas: cached,uring,instructions,threads,prepare,oltp
                 (default: all)
  --out=FILE.md  write the tables there too
  --help         this text

Test files go into a new folder of their own, which is removed at the end. oltp starts a MariaDB of its own, with its data
in a folder of TMPDIR.
TEXT
}

rounds=5
seconds=3
size=256M
target_dir=$root/build
out=
program=
scratch=
parts=cached,uring,instructions,threads,prepare,oltp

parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --rounds=* | --seconds=* | --size=* | --dir=* | --program=* | --parts=* | --out=*)
            set_option "${1%%=*}" "${1#*=}"
            ;;
        --rounds | --seconds | --size | --dir | --program | --parts | --out)
            [ $# -ge 2 ] || die_usage "$1 needs a value"
            set_option "$1" "$2"
            shift
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) die_usage "unknown option $1" ;;
        esac
        shift
    done
}

set_option() {
    [ -n "$2" ] || die_usage "$1 needs a value"
    case $1 in
    --rounds | --seconds)
        [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || die_usage "$1 must be a whole number from 1 to 9999, not $2"
        printf -v "${1#--}" %s "$2"
        ;;
    --size)
        [[ $2 =~ ^[1-9][0-9]*[MG]$ ]] || die_usage "--size must be a number with M or G, such as 256M, not $2"
        size=$2
        ;;
    --dir)
        [ -d "$2" ] || die_usage "--dir: $2 is not a directory"
        target_dir=$2
        ;;
    --program)
        [ -x "$2" ] || die_usage "--program: $2 is not a program"
        program=$(realpath "$2")
        ;;
    --parts)
        [[ ,$2, =~ ^(,(cached|uring|instructions|threads|prepare|oltp))+,$ ]] ||
            die_usage "--parts: see --help for the names, not $2"
        parts=$2
        ;;
    --out) out=$2 ;;
    esac
}

remove_scratch() {
    kill_mariadb
    if [ -n "$server_home" ]; then
        rm -rf -- "$server_home"
    fi
    if [ -n "$scratch" ]; then
        rm -rf -- "$scratch"
    fi
}

# ---- figures: lines of PART|CASE|TOOL|ROUND|VALUE ----------------------------------------------------------

# note PART CASE TOOL ROUND COMMAND…: the command prints one number; one that fails is said, and leaves a gap.
note() {
    local part=$1 case=$2 tool=$3 round=$4 value
    shift 4
    if value=$("$@" 2>"$scratch/stderr") && [[ $value =~ ^[0-9]+(\.[0-9]+)?$ ]]; then
        printf '%s|%s|%s|%s|%s\n' "$part" "$case" "$tool" "$round" "$value" >>"$scratch/figures"
    else
        printf 'no figure of %s for %s, %s: %s\n' "$tool" "$part" "$case" "$(tail -n 1 "$scratch/stderr")" >&2
    fi
}

# turned ROUND WORD…: the words, beginning with another one in each round, so that no tool always comes first.
turned() {
    local shift=$(($1 % ($# - 1)))
    shift
    printf '%s\n' "${@:shift+1}" "${@:1:shift}"
}

# table PART UNIT TOOL…: a row for each case, a column for each tool: median (min…max over the rounds). The last
# columns are medians of isobench divided by the other tool in the same round.
table() {
    local part=$1 unit=$2
    shift 2
    awk -F'|' -v part="$part" -v unit="$unit" -v tools="$*" '
        function number(value) { return sprintf(value < 100 ? "%.3g" : "%.0f", value) }
        function sorted(list, count,    i, j, kept) {
            for (i = 2; i <= count; i++) {
                kept = list[i]
                for (j = i - 1; j > 0 && list[j] > kept; j--)
                    list[j + 1] = list[j]
                list[j + 1] = kept
            }
        }
        function median(list, count) {
            sorted(list, count)
            return (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2
        }
        function figure(name, tool,    list, count, round) {
            for (round = 1; round <= rounds; round++)
                if ((name, tool, round) in value)
                    list[++count] = value[name, tool, round]
            if (!count)
                return "–"
            if (count == 1)
                return number(list[1])
            return number(median(list, count)) " (" number(list[1]) "…" number(list[count]) ")"
        }
        function ratio(name, tool,    list, count, round) {
            for (round = 1; round <= rounds; round++)
                if ((name, tool, round) in value && (name, "isobench", round) in value && value[name, tool, round] > 0)
                    list[++count] = value[name, "isobench", round] / value[name, tool, round]
            return count ? sprintf("%.3f", median(list, count)) : "–"
        }
        $1 == part {
            if (!($2 in seen))
                order[++cases] = $2
            seen[$2] = 1
            value[$2, $3, $4] = $5 + 0
            if ($4 > rounds)
                rounds = $4
        }
        END {
            count = split(tools, tool, " ")
            line = "| " unit " |"
            rule = "| --- |"
            for (i = 1; i <= count; i++) {
                line = line " " tool[i] " |"
                rule = rule " ---: |"
            }
            for (i = 1; i <= count; i++)
                if (tool[i] != "isobench") {
                    line = line " ÷ " tool[i] " |"
                    rule = rule " ---: |"
                }
            print line "\n" rule
            for (c = 1; c <= cases; c++) {
                line = "| " order[c] " |"
                for (i = 1; i <= count; i++)
                    line = line " " figure(order[c], tool[i]) " |"
                for (i = 1; i <= count; i++)
                    if (tool[i] != "isobench")
                        line = line " " ratio(order[c], tool[i]) " |"
                print line
            }
        }' "$scratch/figures"
}

# ---- one run of each tool; each prints its figure ----------------------------------------------------------

under=() # what runs the tools: nothing, time or valgrind

isobench_run() {
    ${under[@]+"${under[@]}"} "$program" fileio run --dir="$scratch" --files=1 --total-size="$size" --mode=rndrd "$@"
}

isobench_iops() {
    isobench_run --time="$seconds" "$@" | awk '/^IOPS/ { print $2 }'
}

bare_run() { # BLOCK_BYTES THREADS SECONDS [READS]
    ${under[@]+"${under[@]}"} "$scratch/bare" "$scratch/test_file.0" "$@"
}

sysbench_run() {
    (cd "$scratch" && ${under[@]+"${under[@]}"} sysbench fileio --file-num=1 --file-total-size="$size" \
        --file-test-mode=rndrd "$@" run)
}

sysbench_iops() {
    sysbench_run --time="$seconds" --events=0 "$@" | awk '/reads\/s:/ { print $2 }'
}

# The test file as it is: the same one that the others read.
fio_run() {
    ${under[@]+"${under[@]}"} fio --name=bench --filename="$scratch/test_file.0" --size="$size" --readonly \
        --rw=randread --norandommap --thread --invalidate=0 --group_reporting --output-format=terse --terse-version=3 "$@"
}

fio_iops() {
    fio_run --time_based --runtime="$seconds" "$@" | cut -d';' -f8
}

# ---- cached reads ------------------------------------------------------------------------------------------

cached_one() { # TOOL KIB THREADS
    local bytes=$(($2 * 1024)) threads=$3
    case $1 in
    bare) bare_run "$bytes" "$threads" "$seconds" ;;
    isobench) isobench_iops --engine=sync --cache=on --block-size="$bytes" --threads="$threads" ;;
    sysbench) sysbench_iops --file-block-size="$bytes" --threads="$threads" ;;
    fio) fio_iops --ioengine=psync --bs="$bytes" --numjobs="$threads" ;;
    esac
}

cached_round() {
    local kib threads tool
    cat "$scratch/test_file.0" >/dev/null
    for kib in 4 16; do
        for threads in 1 2; do
            for tool in $(turned "$1" bare isobench sysbench fio); do
                note cached "$kib KiB, threads: $threads" "$tool" "$1" cached_one "$tool" "$kib" "$threads"
            done
        done
    done
}

# ---- io_uring ----------------------------------------------------------------------------------------------

uring_one() { # TOOL DEPTH CACHE DIRECT
    case $1 in
    isobench) isobench_iops --engine=uring --block-size=4K --depth="$2" --cache="$3" ;;
    fio) fio_iops --ioengine=io_uring --bs=4k --iodepth="$2" --direct="$4" ;;
    fio-fixed) fio_iops --ioengine=io_uring --bs=4k --iodepth="$2" --direct="$4" --fixedbufs --registerfiles ;;
    esac
}

uring_round() {
    local depth cache direct tool
    for cache in off on; do
        direct=1
        [ "$cache" = off ] || direct=0
        for depth in 1 8 32; do
            for tool in $(turned "$1" isobench fio fio-fixed); do
                note uring "depth $depth, OS cache $cache" "$tool" "$1" uring_one "$tool" "$depth" "$cache" "$direct"
            done
        done
    done
}

# ---- instructions: the slope between two lengths, so that start and report cancel out ----------------------

short_reads=20000
long_reads=220000

instructions_run() { # TOOL READS
    local under=(valgrind --tool=callgrind --callgrind-out-file=/dev/null)
    case $1 in
    bare) bare_run 4096 1 0 "$2" ;;
    isobench) isobench_run --engine=sync --block-size=4K --time=0 --events="$2" ;;
    sysbench) sysbench_run --file-block-size=4096 --time=0 --events="$2" ;;
    fio) fio_run --ioengine=psync --bs=4k --io_size=$(($2 * 4096)) ;;
    esac
}

# Of the whole process and of what it starts.
instructions_of() {
    instructions_run "$@" 2>&1 >/dev/null | awk '/Collected/ { sum += $4 } END { if (sum) print sum; else exit 1 }'
}

instructions_one() {
    local few many
    few=$(instructions_of "$1" "$short_reads") && many=$(instructions_of "$1" "$long_reads") || return
    awk -v few="$few" -v many="$many" -v reads=$((long_reads - short_reads)) \
        'BEGIN { printf "%.1f\n", (many - few) / reads }'
}

# ---- many threads ------------------------------------------------------------------------------------------

many=1000

# A run of one second; leaves all its seconds and its largest resident set in KiB in $scratch/time.
many_run() { # TOOL
    local under=(time -q -f '%e %M' -o "$scratch/time")
    rm -f "$scratch/time"
    case $1 in
    isobench) isobench_run --engine=sync --block-size=4K --threads="$many" --time=1 ;;
    sysbench) sysbench_run --file-block-size=4096 --threads="$many" --time=1 --events=0 ;;
    fio) fio_run --ioengine=psync --bs=4k --numjobs="$many" --time_based --runtime=1 ;;
    esac
}

many_overhead_s() {
    awk '{ printf "%.2f\n", ($1 > 1 ? $1 - 1 : 0) }' "$scratch/time"
}

many_memory_mib() {
    awk '{ printf "%.1f\n", $2 / 1024 }' "$scratch/time"
}

threads_round() {
    local tool
    for tool in $(turned "$1" isobench sysbench fio); do
        many_run "$tool" >/dev/null 2>"$scratch/many" || rm -f "$scratch/time"
        note threads 'start and report, s' "$tool" "$1" many_overhead_s
        note threads 'most memory, MiB' "$tool" "$1" many_memory_mib
    done
}

# ---- prepare -----------------------------------------------------------------------------------------------

# MiB/s until the data is on the device, whatever the tool itself syncs.
prepare_one() { # TOOL FILES
    local start end
    rm -rf "$scratch/prepare"
    mkdir "$scratch/prepare"
    sync -f "$scratch"
    start=$(date +%s%N)
    case $1 in
    isobench) "$program" fileio prepare --dir="$scratch/prepare" --files="$2" --total-size="$size" >/dev/null ;;
    sysbench) (cd "$scratch/prepare" && sysbench fileio --file-num="$2" --file-total-size="$size" prepare >/dev/null) ;;
    esac
    sync -f "$scratch"
    end=$(date +%s%N)
    rm -rf "$scratch/prepare"
    awk -v ns=$((end - start)) -v mib="$(size_mib)" 'BEGIN { printf "%.1f\n", mib * 1e9 / ns }'
}

size_mib() {
    case $size in
    *G) echo $((${size%G} * 1024)) ;;
    *) echo "${size%M}" ;;
    esac
}

prepare_round() {
    local files tool
    for files in 1 16; do
        for tool in $(turned "$1" isobench sysbench); do
            note prepare "files: $files" "$tool" "$1" prepare_one "$tool" "$files"
        done
    done
}

# ---- databases: the same command line for both tools, on one server ------------------------------------------------

oltp_tables=(--tables=4 --table-size=25000)
load_rows=1000000

oltp_start() {
    servers_start
    trap remove_scratch EXIT
    trap 'exit 130' INT TERM
    start_mariadb --innodb-buffer-pool-size=512M --innodb-log-file-size=256M
    oltp_way=("--mysql-socket=$mysql_socket" "--mysql-user=$mysql_user" "--mysql-password=$mysql_password"
        "--mysql-db=$mysql_database")
    oltp_run isobench oltp_read_write "${oltp_tables[@]}" prepare >/dev/null
}

oltp_run() { # TOOL TEST OPTION… COMMAND
    local tool=(sysbench)
    [ "$1" = sysbench ] || tool=("$program" sysbench)
    shift
    ${under[@]+"${under[@]}"} "${tool[@]}" "$@" "${oltp_way[@]}"
}

oltp_one() { # TOOL TEST THREADS
    oltp_run "$1" "$2" "${oltp_tables[@]}" --rand-type=uniform --threads="$3" --time="$seconds" run |
        awk '/^ *transactions:/ { sub(/[(]/, "", $3); print $3 }'
}

load_one() { # TOOL: rows per second, into an empty database
    local start end status=0
    oltp_run isobench oltp_read_write "${oltp_tables[@]}" cleanup >/dev/null
    start=$(date +%s%N)
    oltp_run "$1" oltp_read_write --table-size="$load_rows" prepare >/dev/null || status=$?
    end=$(date +%s%N)
    oltp_run isobench oltp_read_write cleanup >/dev/null
    oltp_run isobench oltp_read_write "${oltp_tables[@]}" prepare >/dev/null
    [ "$status" -eq 0 ] || return "$status"
    awk -v ns=$((end - start)) -v rows="$load_rows" 'BEGIN { printf "%.0f\n", rows * 1e9 / ns }'
}

oltp_round() {
    local test threads tool
    for test in oltp_point_select oltp_read_write; do
        for threads in 1 16 64; do
            for tool in $(turned "$1" isobench sysbench); do
                note oltp "$test, threads: $threads" "$tool" "$1" oltp_one "$tool" "$test" "$threads"
            done
        done
    done
    for tool in $(turned "$1" isobench sysbench); do
        note load "$load_rows rows" "$tool" "$1" load_one "$tool"
    done
}

oltp_instructions_of() { # TOOL TEST EVENTS
    local under=(valgrind --tool=callgrind --callgrind-out-file=/dev/null)
    oltp_run "$1" "$2" "${oltp_tables[@]}" --rand-seed=1 --time=0 --events="$3" run 2>&1 >/dev/null |
        awk '/Collected/ { sum += $4 } END { if (sum) print sum; else exit 1 }'
}

oltp_instructions_one() { # TOOL TEST FEW MANY
    local few many
    few=$(oltp_instructions_of "$1" "$2" "$3") && many=$(oltp_instructions_of "$1" "$2" "$4") || return
    awk -v few="$few" -v many="$many" -v events=$(($4 - $3)) 'BEGIN { printf "%.0f\n", (many - few) / events }'
}

oltp_instructions() {
    local tool
    for tool in isobench sysbench; do
        say "instructions of statements: $tool"
        note oltp-instructions 'oltp_point_select' "$tool" 1 oltp_instructions_one "$tool" oltp_point_select 500 2500
        note oltp-instructions 'oltp_read_write' "$tool" 1 oltp_instructions_one "$tool" oltp_read_write 50 250
    done
}

# ---- all of it ---------------------------------------------------------------------------------------------

wants() {
    [[ ,$parts, == *,$1,* ]]
}

measure() {
    local round part tool
    for ((round = 1; round <= rounds; round++)); do
        for part in cached uring threads prepare oltp; do
            if wants "$part"; then
                say "round $round of $rounds: $part"
                "${part}_round" "$round"
            fi
        done
    done
    if wants instructions; then # they do not vary: once
        for tool in bare isobench sysbench fio; do
            say "instructions: $tool"
            note instructions "instructions per read" "$tool" 1 instructions_one "$tool"
        done
    fi
    if wants oltp; then
        oltp_instructions
    fi
}

heading() {
    printf '\n## %s\n\n' "$1"
}

report() {
    local cpu
    cpu=$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    printf '# How fast isobench itself is\n\nMade by scripts/bench.sh: %s rounds, %s s a run, a file of %s. ' \
        "$rounds" "$seconds" "$size"
    printf 'Medians (min…max) over the rounds;\n÷ is isobench divided by the other tool, the median of all rounds.\n\n'
    printf -- '- %s, %s, %s\n' "$("$program" version)" "$(sysbench --version)" "$(fio --version)"
    printf -- '- %s, %s CPUs, Linux %s, %s\n' "$cpu" "$(nproc)" "$(uname -r)" "$(findmnt -n -o FSTYPE -T "$scratch")"
    if wants cached; then
        heading 'Random reads from the OS cache'
        table cached IOPS bare isobench sysbench fio
    fi
    if wants uring; then
        heading 'Random reads of 4 KiB through io_uring, one thread'
        printf 'fio-fixed is fio with registered buffers and files.\n\n'
        table uring IOPS isobench fio fio-fixed
    fi
    if wants instructions; then
        heading 'User-space instructions of a cached random read of 4 KiB'
        printf 'The slope between %s and %s reads under callgrind. Less is better.\n\n' "$short_reads" "$long_reads"
        table instructions ' ' bare isobench sysbench fio
    fi
    if wants threads; then
        heading "$many threads"
        printf 'What a run of one second takes on top of it, and the largest resident set. Less is better.\n\n'
        table threads ' ' isobench sysbench fio
    fi
    if wants prepare; then
        heading 'Preparing files'
        printf "MiB/s with all data on the device. isobench writes random bytes, sysbench zeros.\n\n"
        table prepare MiB/s isobench sysbench
    fi
    if wants oltp; then
        heading 'Databases: transactions per second'
        printf 'MariaDB %s on the same machine, prepared statements, 4 tables of 25000 rows, rows drawn uniformly.\n\n' \
            "$(mysql_admin -N -B -e 'SELECT VERSION()')"
        table oltp 'transactions/s' isobench sysbench
        heading 'Databases: loading a table'
        table load 'rows/s' isobench sysbench
        heading 'Databases: user-space instructions of the client per event, one connection'
        printf 'The slope between two lengths of a run under callgrind. Less is better.\n\n'
        table oltp-instructions ' ' isobench sysbench
    fi
}

parse_options "$@"
packages=(gcc libc6-dev sysbench fio valgrind time util-linux)
if wants oltp; then
    packages+=(mariadb-server)
fi
if [ -z "$program" ]; then
    packages+=("${build_packages[@]}")
fi
need_packages "${packages[@]}"
if [ -z "$program" ]; then
    configure_options=(-DISO_WERROR=OFF)
    say "building (preset release)"
    build_preset release isobench
    program=$root/build/release/bin/isobench
fi
mkdir -p "$target_dir"
trap remove_scratch EXIT
trap 'exit 130' INT TERM
scratch=$(mktemp -d "$(realpath "$target_dir")/isobench-bench.XXXXXX")
: >"$scratch/figures"
gcc -std=gnu11 -O2 -o "$scratch/bare" "$root/scripts/bench/bare.c" -pthread
"$program" fileio prepare --dir="$scratch" --files=1 --total-size="$size" >/dev/null
if wants oltp; then
    oltp_start
fi
measure
report >"$scratch/report.md"
cat "$scratch/report.md"
if [ -n "$out" ]; then
    cp "$scratch/report.md" "$out"
    say "the same in $out"
fi
