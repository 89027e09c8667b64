/* Every finding: text in which it is found, and a near miss in which it is not. */
#include "core/dialect.h"
#include "core/reading.h"
#include "reconcile/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_BYTES 8192
#define CHANGES 4

/* ---- texts in which nothing is wrong ---- */

#define SYSBENCH                                                                                                       \
    "$ sysbench --test=fileio --num-threads=2 --max-time=60 --max-requests=0 --file-num=1 --file-extra-flags=direct "  \
    "--file-total-size=128M --file-test-mode=rndrd run\n"                                                              \
    "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\n"                                                 \
    "Running the test with following options:\nNumber of threads: 2\n\n"                                               \
    "Extra file open flags: 16384\n1 files, 128Mb each\n128Mb total file size\nBlock size 16Kb\n"                      \
    "Number of random requests for random IO: 0\nCalling fsync() at the end of test, Enabled.\n"                       \
    "Using synchronous I/O mode\nDoing random read test\nThreads started!\nTime limit exceeded, exiting...\nDone.\n\n" \
    "Operations performed:  60000 Read, 0 Write, 0 Other = 60000 Total\n"                                              \
    "Read 937.5Mb  Written 0b  Total transferred 937.5Mb  (15.625Mb/sec)\n"                                            \
    " 1000.00 Requests/sec executed\n\nTest execution summary:\n"                                                      \
    "    total time:                          60.0000s\n"                                                              \
    "    total number of events:              60000\n"                                                                 \
    "    total time taken by event execution: 119.4000\n"                                                              \
    "    per-request statistics:\n"                                                                                    \
    "         min:                                  0.50ms\n"                                                          \
    "         avg:                                  1.99ms\n"                                                          \
    "         max:                                 40.00ms\n"                                                          \
    "         approx.  95 percentile:               9.00ms\n\n"                                                        \
    "Threads fairness:\n    events (avg/stddev):           30000.0000/100.00\n"                                        \
    "    execution time (avg/stddev):   59.7000/0.00\n"

#define SQLIO_HEAD                                                                                                     \
    "C:\\>sqlio -kR -t1 -s300 -frandom -b8 -BH -LS -Fparam.txt\nsqlio v1.5.SG\n"                                       \
    "using system counter for latency timings, 2922685 counts per second\nparameter file used: param.txt\n"            \
    "\tfile c:testfile.dat with 1 thread (0) using mask 0x0 (0)\n"                                                     \
    "1 thread reading for 300 secs from file c:testfile.dat\n\tusing 8KB random IOs\n"                                 \
    "\tbuffering set to use hardware disk cache (but not file cache)\n"
#define SQLIO_THERE "using specified size: 3072 MB for file: c:testfile.dat\n"
#define SQLIO_TAIL                                                                                                     \
    "initialization done\nCUMULATIVE DATA:\nthroughput metrics:\nIOs/sec:   126.88\nMBs/sec:     0.99\n"               \
    "latency metrics:\nMin_Latency(ms): 4\nAvg_Latency(ms): 7\nMax_Latency(ms): 62\n"
#define SQLIO SQLIO_HEAD SQLIO_THERE SQLIO_TAIL
#define SQLIO_EXPANDS                                                                                                  \
    "size of file c:testfile.dat needs to be: 3221225472 bytes\ncurrent file size:\t0 bytes\n"                         \
    "need to expand by:\t3221225472 bytes\nexpanding c:testfile.dat ... done.\n"
#define SQLIO_FAST_TAIL                                                                                                \
    "initialization done\nCUMULATIVE DATA:\nthroughput metrics:\nIOs/sec:  1230.94\nMBs/sec:     9.61\n"

#define DISKSPD                                                                                                        \
    "Command Line: diskspd -b64K -d30 -W0 -o4 -t2 -Su -r -L file.dat\n\nInput parameters:\n\n"                         \
    "\ttimespan:   1\n\t-------------\n\tduration: 30s\n\twarm up time: 0s\n\tmeasuring latency\n\trandom seed: 0\n"   \
    "\tpath: 'file.dat'\n\t\tsoftware cache disabled\n\t\tusing hardware write cache, writethrough off\n"              \
    "\t\tperforming read test\n\t\tblock size: 64KiB\n\t\tusing random I/O (alignment: 64KiB)\n"                       \
    "\t\tnumber of outstanding I/O operations per thread: 4\n\nResults for timespan 1:\n\n"                            \
    "actual test time:\t30.00s\nthread count:\t\t2\n\nTotal IO\n"                                                      \
    "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"               \
    "total:       39321600000 |       600000 |    1250.00 |   20000.00 |    0.400 |     0.100\n"

/* Intervals of sysbench 1.0, of one second each. */
#define SERIES(a, b)                                                                                                   \
    "sysbench fileio --file-num=1 --file-total-size=128M --file-test-mode=rndrd --time=12 --report-interval=1 run\n"   \
    "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\n"                  \
    "Number of threads: 1\nReport intermediate results every 1 second(s)\n\nExtra file open flags: (none)\n"           \
    "1 files, 128MiB each\n128MiB total file size\nBlock size 16KiB\nDoing random read test\nThreads started!\n\n" a b
#define SECOND(n, mib) "[ " n "s ] reads: " mib " MiB/s writes: 0.00 MiB/s fsyncs: 0.00/s latency (ms,95%): 0.011\n"
#define STEADY_6(base)                                                                                                 \
    SECOND(base "1", "15.60")                                                                                          \
    SECOND(base "2", "15.70")                                                                                          \
    SECOND(base "3", "15.50")                                                                                          \
    SECOND(base "4", "15.65") SECOND(base "5", "15.55") SECOND(base "6", "15.62")
#define SLOW_6(base)                                                                                                   \
    SECOND(base "1", "1.60")                                                                                           \
    SECOND(base "2", "1.70")                                                                                           \
    SECOND(base "3", "1.50") SECOND(base "4", "1.65") SECOND(base "5", "1.55") SECOND(base "6", "1.62")
#define RISING_12                                                                                                      \
    SECOND("1", "8.00")                                                                                                \
    SECOND("2", "8.70")                                                                                                \
    SECOND("3", "9.40")                                                                                                \
    SECOND("4", "10.10")                                                                                               \
    SECOND("5", "10.80")                                                                                               \
    SECOND("6", "11.50")                                                                                               \
    SECOND("7", "12.20")                                                                                               \
    SECOND("8", "12.90") SECOND("9", "13.60") SECOND("10", "14.30") SECOND("11", "15.00") SECOND("12", "15.70")

#define SEEKER(size, seeks, ms)                                                                                        \
    "Seeker v2.0, 2007-01-15, http://www.linuxinsight.com/how_fast_is_your_disk.html\n"                                \
    "Benchmarking /dev/sda [" size "MB], wait 30 seconds..............................\n"                              \
    "Results: " seeks " seeks/second, " ms " ms random access time\n"

/* ---- the table ---- */

struct change {
    const char *from, *to;
};

static const struct row {
    const char *code, *text;
    struct change found[CHANGES], missed[CHANGES]; /* made in the text, for either outcome */
    const char *miss;                              /* the near miss, where it is another text */
    const char *corrected;
} rows[] = {
    {"timer-overflow", SYSBENCH, {{"40.00ms", "18446744073709.47ms"}}, {{"40.00ms", "70732.80ms"}}, NULL, "-0.08 ms"},
    {"timer-overflow",
     SYSBENCH,
     {{"Done.\n", "WARNING: Operation time (18446744073709226000.000000) is greater than maximal counted value\n"}},
     {{"Done.\n", "WARNING: Operation time (10000000000000.000000) is greater than maximal counted value\n"}},
     NULL,
     "-325616 ns"},
    {"request-limit",
     SYSBENCH,
     {{"--max-time=60 --max-requests=0", "--max-time=300 --max-requests=60000"}, {"random IO: 0", "random IO: 60000"}},
     {{"--max-requests=0", "--max-requests=60000"}, {"random IO: 0", "random IO: 60000"}},
     NULL,
     NULL},
    {"clock-tick", SYSBENCH, {{"9.00ms", "15.39ms"}}, {{"9.00ms", "13.00ms"}}, NULL, NULL},
    {"clock-tick",
     SYSBENCH,
     {{"9.00ms", "15.60ms"}},
     {{"9.00ms", "15.60ms"}, {"1.99ms", "12.00ms"}}, /* a slow device reaches it by itself */
     NULL,
     NULL},
    {"clock-tick",
     SYSBENCH,
     {{"9.00ms", "15.60ms"}},
     {{"9.00ms", "15.60ms\n         approx.  50 percentile:               0.10ms"}}, /* a clock that is finer */
     NULL,
     NULL},
    {"resolution", SYSBENCH, {{"1.99ms", "0.01ms"}}, {{"1.99ms", "0.09ms"}}, NULL, NULL},
    {"resolution", SQLIO, {{"2922685 counts", "64 counts"}}, {{"2922685 counts", "1000 counts"}}, NULL, NULL},
    {"throughput-mismatch", SYSBENCH, {{"15.625Mb", "31.25Mb"}}, {{"15.625Mb", "15.7Mb"}}, NULL, NULL},
    {"throughput-mismatch", /* 4.2 IO/s of 8 KB are 0.033 MB, cut to 0.03 */
     SQLIO,
     {{"126.88", "4.20"}, {"0.99", "0.07"}},
     {{"126.88", "4.20"}, {"0.99", "0.03"}},
     NULL,
     NULL},
    {"units", SYSBENCH, {{"15.625Mb", "16.384Mb"}}, {{"15.625Mb", "15.7Mb"}}, NULL, NULL},
    {"mib-as-mb", SYSBENCH, {{0}}, {{0}}, DISKSPD, NULL},
    {"mib-as-mb", SQLIO, {{0}}, {{0}}, SERIES(STEADY_6(""), STEADY_6("1")), NULL},
    {"concurrency", SYSBENCH, {{"1.99ms", "5.00ms"}}, {{"1.99ms", "2.05ms"}}, NULL, NULL},
    {"concurrency", DISKSPD, {{"0.400", "0.800"}}, {{"0.400", "0.410"}}, NULL, NULL},
    {"idle-threads", SYSBENCH, {{"1.99ms", "0.80ms"}}, {{"1.99ms", "1.70ms"}}, NULL, NULL},
    {"event-time", SYSBENCH, {{"119.4000", "500.0000"}}, {{"119.4000", "121.0000"}}, NULL, NULL},
    {"above-maximum", SYSBENCH, {{"9.00ms", "50.00ms"}}, {{"9.00ms", "40.00ms"}}, NULL, NULL},
    {"below-minimum", SYSBENCH, {{"1.99ms", "0.30ms"}}, {{"1.99ms", "0.50ms"}}, NULL, NULL},
    {"starved-threads", SYSBENCH, {{"/100.00", "/14000.00"}}, {{"/100.00", "/5000.00"}}, NULL, NULL},
    {"two-levels", SERIES(STEADY_6(""), SLOW_6("1")), {{0}}, {{0}}, SERIES(STEADY_6(""), STEADY_6("1")), NULL},
    {"drift", SERIES(RISING_12, ""), {{0}}, {{0}}, SERIES(STEADY_6(""), STEADY_6("1")), NULL},
    {"never-written", SQLIO_HEAD SQLIO_EXPANDS SQLIO_FAST_TAIL, {{0}}, {{0}}, SQLIO, NULL},
    {"never-written",
     SQLIO_HEAD SQLIO_EXPANDS SQLIO_FAST_TAIL,
     {{0}},
     {{"reading for 300 secs from", "writing for 300 secs to"}}, /* writes touch the disk */
     NULL,
     NULL},
    {"unlike-runs", SQLIO SQLIO, {{"126.88", "1230.94"}}, {{"126.88", "170.11"}}, NULL, NULL},
    {"cached-set",
     SEEKER("1025", "5741", "0.17") SEEKER("152688", "177", "5.62"),
     {{0}},
     {{"5741 seeks/second, 0.17", "881 seeks/second, 1.13"}},
     NULL,
     NULL},
    {"cached-set", /* the smaller set is the slower one */
     SEEKER("1025", "5741", "0.17") SEEKER("152688", "177", "5.62"),
     {{0}},
     {{"[1025MB]", "[252688MB]"}},
     NULL,
     NULL},
    {"impossible-rate",
     DISKSPD,
     {{"1250.00 |   20000.00", "625000.00 | 10000000.00"}},
     {{"1250.00 |   20000.00", "50000.00 | 800000.00"}},
     NULL,
     NULL},
    {"impossible-rate", /* through the OS cache memory may answer */
     DISKSPD,
     {{"1250.00 |   20000.00", "70000.00 | 1120000.00"}},
     {{"1250.00 |   20000.00", "70000.00 | 1120000.00"},
      {" -Su", ""},
      {"software cache disabled", "using software cache"}},
     NULL,
     NULL},
    {"length", SQLIO SYSBENCH, {{"60.0000s", "3.0000s"}}, {{"300 secs", "100 secs"}, {"-s300", "-s100"}}, NULL, NULL},
    {"partial", SYSBENCH, {{"    total time taken by event execution: 119.4000\n", ""}}, {{0}}, NULL, NULL},
    {"reading", SYSBENCH, {{"$ sysbench", "$ other"}}, {{0}}, NULL, NULL},
};

/* ---- checks ---- */

/* The first of each `from` becomes its `to`, which must be in the text. */
static void make_text(const char *text, const struct change *changes, char out[TEXT_BYTES])
{
    assert_true(strlen(text) < TEXT_BYTES);
    strcpy(out, text);
    for (size_t i = 0; i < CHANGES && changes[i].from; i++) {
        char *at = strstr(out, changes[i].from);
        if (!at)
            fail_msg("'%s' is not in the text", changes[i].from);
        size_t from = strlen(changes[i].from), to = strlen(changes[i].to);
        assert_true(strlen(out) + to < TEXT_BYTES);
        memmove(at + to, at + from, strlen(at + from) + 1);
        memcpy(at, changes[i].to, to);
    }
}

struct looked {
    struct readings readings;
    struct sides sides;
    struct findings findings;
};

static void look(struct looked *looked, const char *text)
{
    struct transcript transcript;
    struct error error = ERROR_INIT;
    memset(looked, 0, sizeof *looked);
    if (!transcript_make(&transcript, "x.txt", text, strlen(text), &error) ||
        !readings_find(&transcript, &looked->readings, &error))
        fail_msg("%s", error.text);
    transcript_free(&transcript);
    assert_true(sides_make(&looked->readings, &looked->sides));
    assert_true(findings_make(&looked->sides, &looked->findings));
}

static void look_done(struct looked *looked)
{
    findings_free(&looked->findings);
    sides_free(&looked->sides);
    readings_free(&looked->readings);
}

static const struct finding *find(const struct looked *looked, const char *code)
{
    for (size_t i = 0; i < looked->findings.count; i++)
        if (strcmp(looked->findings.items[i].code, code) == 0)
            return &looked->findings.items[i];
    return NULL;
}

static void each_is_found_where_it_is_and_not_where_it_is_nearly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[TEXT_BYTES];
        struct looked looked;
        make_text(rows[i].text, rows[i].found, text);
        look(&looked, text);
        const struct finding *finding = find(&looked, rows[i].code);
        if (!finding)
            fail_msg("row %u: no %s is found in\n%s", (unsigned)i, rows[i].code, text);
        if (rows[i].corrected)
            assert_string_equal(finding->corrected, rows[i].corrected);
        look_done(&looked);
        make_text(rows[i].miss ? rows[i].miss : rows[i].text, rows[i].missed, text);
        look(&looked, text);
        finding = find(&looked, rows[i].code);
        if (finding)
            fail_msg("row %u: %s is found, '%s', in\n%s", (unsigned)i, rows[i].code, finding->text, text);
        look_done(&looked);
    }
}

/* Where nothing is wrong, nothing is found but that sysbench's and SQLIO's MB are MiB. */
static void sound_text_has_no_findings(void **state)
{
    static const char *const sound[] = {SYSBENCH, SQLIO, DISKSPD};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sound); i++) {
        struct looked looked;
        look(&looked, sound[i]);
        for (size_t k = 0; k < looked.findings.count; k++)
            if (strcmp(looked.findings.items[k].code, "mib-as-mb") != 0)
                fail_msg("%s: %s", looked.findings.items[k].code, looked.findings.items[k].text);
        look_done(&looked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_found_where_it_is_and_not_where_it_is_nearly),
        cmocka_unit_test(sound_text_has_no_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
