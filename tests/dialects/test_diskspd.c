#include "cli/as.h"
#include "core/settings.h"
#include "dialects/diskspd.h"
#include "platform/clock.h"
#include "tests/dialects/tool_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)

/* ---- command lines ---- */

static void defaults_are_those_of_diskspd(void **state)
{
    static const char *const expected[] = {"target=a.dat",
                                           "mode=seqrd",
                                           "block_size=64K",
                                           "threads=1",
                                           "depth=2",
                                           "time=10",
                                           "warmup=5",
                                           "cache=on",
                                           "through=off",
                                           "data=count-up",
                                           "total_size=0",
                                           "start=0",
                                           "step=0",
                                           "seed=1",
                                           "rate=0",
                                           "think_time=0",
                                           "cpus=",
                                           "fill=written",
                                           "sync_every=0",
                                           "sync_at_end=off",
                                           "histogram=off",
                                           "percentiles=",
                                           "report_interval=0",
                                           "engine=auto",
                                           "events=0",
                                           NULL};
    (void)state;
    tool_expect("diskspd", "a.dat", NULL, expected);
}

static const struct {
    const char *line;
    const char *expected[8];
} right[] = {
    {"-b4K a", {"block_size=4K", NULL}},
    {"-b512 a", {"block_size=512", NULL}},
    {"-b2m a", {"block_size=2M", NULL}},
    {"/b4K /r a", {"block_size=4K", "mode=rndrd", NULL}},
    {"-b4K /tmp/a", {"target=/tmp/a", NULL}},
    {"-d30 -W0 a", {"time=30", "warmup=0", NULL}},
    {"-C0 -d1 a", {"time=1", NULL}},
    {"-c1G a", {"total_size=1G", "start=0", "fill=written", NULL}},
    {"-c2T a", {"total_size=2T", NULL}},
    {"-c16b -b8K a", {"total_size=128K", NULL}},
    {"-c1G -B256M a", {"total_size=768M", "start=256M", NULL}},
    {"-c1G -f512M a", {"total_size=512M", NULL}},
    {"-f1G a", {"total_size=1G", NULL}},
    {"-f1G -B64K a", {"total_size=1048512K", "start=64K", NULL}},
    {"-B1M:2M a", {"total_size=2M", "start=1M", NULL}},
    {"-B3b -b4K a", {"start=12K", "total_size=0", NULL}},
    {"-r a", {"mode=rndrd", "align=0", "random_percent=100", NULL}},
    {"-r4K a", {"mode=rndrd", "align=4K", NULL}},
    {"-rs30 a", {"mode=rndrd", "random_percent=30", NULL}},
    {"-rs30 -r8K -b8K -w50 a",
     {"mode=rndrw", "random_percent=30", "align=0", "step=0", "read_percent=50", "mix=runs", NULL}},
    {"-rs30 -r4K -b8K a", {"mode=rndrd", "random_percent=30", "align=4K", "step=4K", "mix=random", NULL}},
    {"-r16K -rs30 -b8K -w100 a", {"mode=rndwr", "align=16K", "step=16K", "mix=random", NULL}},
    {"-rs100 -r4K -w50 a", {"mode=rndrw", "align=4K", "step=0", "mix=random", NULL}},
    {"-rs100 a", {"mode=rndrd", "random_percent=100", NULL}},
    {"-s a", {"mode=seqrd", "step=0", NULL}},
    {"-s128K a", {"mode=seqrd", "step=128K", NULL}},
    {"-s64K a", {"step=0", NULL}},
    {"-t2 a", {"threads=2", "cursor=thread", "cursor_start=apart", "thread_stride=0", NULL}},
    {"-t4 -T1G a", {"threads=4", "cursor=thread", "cursor_start=apart", "thread_stride=1G", NULL}},
    {"-t4 -si a", {"cursor=shared", "step=0", NULL}},
    {"-t4 -si256K a", {"cursor=shared", "step=256K", NULL}},
    {"-F3 -O7 a", {"threads=3", "depth=7", NULL}},
    {"-F3 -o7 a", {"threads=3", "depth=7", NULL}},
    {"-o32 a", {"depth=32", "engine=auto", NULL}},
    {"-w0 a", {"mode=seqrd", NULL}},
    {"-w30 a", {"mode=seqrw", "read_percent=70", "mix=random", NULL}},
    {"-w100 a", {"mode=seqrewr", NULL}},
    {"-w100 -r a", {"mode=rndwr", NULL}},
    {"-S a", {"cache=off", "through=off", NULL}},
    {"-Su a", {"cache=off", "through=off", NULL}},
    {"-Sb a", {"cache=on", "through=off", NULL}},
    {"-Sw a", {"cache=on", "through=data", NULL}},
    {"-Sh a", {"cache=off", "through=data", NULL}},
    {"-Suw a", {"cache=off", "through=data", NULL}},
    {"-Sw -Su a", {"cache=off", "through=data", NULL}},
    {"-h a", {"cache=off", "through=data", NULL}},
    {"-Sm a", {"engine=mmap", "depth=1", "cache=on", NULL}},
    {"-Z -w100 a", {"data=zero", NULL}},
    {"-Zr -w100 a", {"data=random", NULL}},
    {"-Z1M -w100 a", {"data=random", NULL}},
    {"-g1024 -b64K -t4 a", {"rate=62.5", "latency_from=start", "arrival=uniform", NULL}},
    {"-g100i -t4 a", {"rate=400", "latency_from=start", NULL}},
    {"-i8 -j5 a", {"burst=8", "think_time=5ms", NULL}},
    {"-I3 a", {"mode=seqrd", NULL}},
    {"-a1 a", {"cpus=1", NULL}},
    {"-a0,2,1 a", {"cpus=0,2,1", NULL}},
    {"-ag0,0,1 a", {"cpus=0-1", NULL}},
    {"-a0 -a3 a", {"cpus=0,3", NULL}},
    {"-n a", {"cpus=", NULL}},
    {"-L a",
     {"histogram=on", "percentiles=25,50,75,90,95,99,99.9,99.99,99.999,99.9999,99.99999,99.999999,99.9999999", NULL}},
    {"-D a", {"report_interval=1", NULL}},
    {"-D100 a", {"report_interval=0.1", NULL}},
    {"-P a", {"report_interval=1", NULL}},
    {"-P100 -D50 a", {"report_interval=50ms", NULL}},
    {"-z a", {"seed=0", NULL}},
    {"-z0 a", {"seed=1", NULL}},
    {"-z41 a", {"seed=42", NULL}},
    {"-Rtext -v a", {"mode=seqrd", NULL}},
    {"-Rxml a", {"mode=seqrd", NULL}},
    {"#1", {"target=\\\\.\\PhysicalDrive1", NULL}},
    {"X:", {"target=\\\\.\\X:", NULL}},
    {"#x", {"target=#x", NULL}},
    {"X:a", {"target=X:a", NULL}},
    {"-b8K -d180 -h -L -o32 -t3 -r -w75 -c5G sqldata.dat",
     {"mode=rndrw", "read_percent=25", "total_size=5G", "depth=32", "threads=3", "cache=off", "through=data", NULL}},
};

static void each_option_is_its_setting(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(right); ++i)
        if (right[i].expected[0])
            tool_expect("diskspd", right[i].line, NULL, right[i].expected);
}

static const struct {
    const char *line, *part;
} wrong[] = {
    {"-b0 a", "-b0 is not valid: sizes are whole numbers from 1 to 1G"},
    {"-b a", "-b is not valid"},
    {"-b-4K a", "-b-4K is not valid"},
    {"-b4Kx a", "-b4Kx is not valid"},
    {"-b4X a", "-b4X is not valid"},
    {"-b1.5K a", "-b1.5K is not valid"},
    {"-b2G a", "-b2G is not valid"},
    {"-b18446744073709551616 a", "-b18446744073709551616 is not valid"},
    {"-c99999999999999999T a", "-c99999999999999999T is not valid"},
    {"-c18446744073709551615G a", "-c18446744073709551615G is not valid"},
    {"-c0 a", "-c0 is not valid"},
    {"-c a", "-c is not valid"},
    {"-c32K a", "-c, -f or -B leave no room: the part used must hold a block of 65536 bytes"},
    {"-f1M -B1M a", "-c, -f or -B leave no room"},
    {"-f1G -B0:1M a", "-f and the length in -B exclude each other"},
    {"-B1M: a", "-B1M: is not valid"},
    {"-B: a", "-B: is not valid"},
    {"-f a", "-f is not valid"},
    {"-f0 a", "-f0 is not valid"},
    {"-fr a", "-fr is not supported: hints"},
    {"-frs a", "-frs is not supported: hints"},
    {"-frx a", "-frx is not valid"},
    {"-d0 a", "-d0 is not valid: it must be -d and a whole number from 1"},
    {"-d a", "-d is not valid"},
    {"-d-1 a", "-d-1 is not valid"},
    {"-d1.5 a", "-d1.5 is not valid"},
    {"-dx a", "-dx is not valid"},
    {"-d99999999999999999999 a", "-d99999999999999999999 is not valid"},
    {"-W-1 a", "-W-1 is not valid"},
    {"-C5 a", "-C5 is not supported: nothing runs after the measured part"},
    {"-Cx a", "-Cx is not valid"},
    {"-t0 a", "-t0 is not valid"},
    {"-t100001 a", "-t100001 is not valid: it must be -t and a whole number from 1 to 100000"},
    {"-F0 a", "-F0 is not valid"},
    {"-F2 -t2 a", "-F and -t exclude each other"},
    {"-o0 a", "-o0 is not valid"},
    {"-o4097 a", "-o4097 is not valid"},
    {"-O4 a", "-O goes with -F"},
    {"-F2 -O4 a b", "-O over several targets is not supported"},
    {"-F2 -O4 -g10 a", "-O goes neither with -g nor with -j"},
    {"-w a", "-w is not valid: it must be -w and the percentage of writes from 0 to 100"},
    {"-w101 a", "-w101 is not valid"},
    {"-w-1 a", "-w-1 is not valid"},
    {"-w30% a", "-w30% is not valid"},
    {"-r0 a", "-r0 is not valid"},
    {"-r -r a", "-r is not valid: it must be given once"},
    {"-rs a", "-rs is not valid: it must be -rs and a percentage from 1 to 100"},
    {"-rs0 a", "-rs0 is not valid"},
    {"-rs101 a", "-rs101 is not valid"},
    {"-rs10 -rs20 a", "-rs20 is not valid: it must be given once"},
    {"-rdpct90/10 a", "-rdpct90/10 is not supported"},
    {"-s -r a", "-r is not valid: it must be without -s"},
    {"-r -s a", "-s is not valid: it must be without -r"},
    {"-s -rs5 a", "-rs5 is not valid: it must be without -s"},
    {"-s -s a", "-s is not valid: it must be given once"},
    {"-s0 a", "-s0 is not valid"},
    {"-T1M a", "-T needs several threads of a target"},
    {"-T0 -t2 a", "-T0 is not valid"},
    {"-t2 -T1M -r a", "-T is for sequential IO"},
    {"-t2 -T1M -si a", "-T and -si exclude each other"},
    {"-Sx a", "-Sx is not valid: it must be -S and some of b"},
    {"-Sr a", "-Sr is not supported: the local cache"},
    {"-Sbu a", "-Sbu is not valid: it must be without an earlier word about the cache"},
    {"-h -Su a", "-Su is not valid"},
    {"-Sww a", "-Sww is not valid: it must be without an earlier word about write-through"},
    {"-Sum a", "-Sum is not valid"},
    {"-Smu a", "-Smu is not valid"},
    {"-Smw a", "-Sm: -Sw has no effect on mapped memory"},
    {"-hx a", "-hx is not valid: it must be -h alone"},
    {"-Z0 a", "-Z0 is not valid"},
    {"-Zx a", "-Zx is not valid"},
    {"-Z1K a", "-Z: the buffer with random data must not be smaller than the block"},
    {"-Z1M,c:\\data a", "-Z1M,c:\\data is not supported: data is not taken from a file"},
    {"-g0 a", "-g0 is not valid"},
    {"-gi a", "-gi is not valid"},
    {"-g5x a", "-g5x is not valid"},
    {"-g99999999999 a", "-g99999999999 is not valid"},
    {"-g10 -i1 -j1 a", "-g"},
    {"-i5 a", "-i and -j go together"},
    {"-j5 a", "-i and -j go together"},
    {"-i0 -j5 a", "-i0 is not valid"},
    {"-I1 a", "-I1 is not supported: IOs have the normal priority"},
    {"-I4 a", "-I4 is not valid"},
    {"-a a", "-a is not valid"},
    {"-a0, a", "-a0, is not valid"},
    {"-ax a", "-ax is not valid"},
    {"-a256 a", "-a256 is not valid"},
    {"-ag0 a", "-ag0 is not valid: it must be -a and CPUs behind the group"},
    {"-ag1,0 a", "-ag1,0 is not supported: CPUs have one numbering here"},
    {"-a100,102,104,106,108,110,112,114,116,118,120,122,124,126,128,130,132 a", "the list of CPUs is too long"},
    {"-n -a0 a", "-n and -a exclude each other"},
    {"-nx a", "-nx is not valid"},
    {"-D5 a", "-D5 is not valid"},
    {"-Dx a", "-Dx is not valid"},
    {"-P0 a", "-P0 is not valid"},
    {"-z-1 a", "-z-1 is not valid"},
    {"-zx a", "-zx is not valid"},
    {"-z9223372036854775807 a", "-z9223372036854775807 is not valid"},
    {"-R a", "-R is not valid: it must be -Rtext or -Rxml"},
    {"-Rcsv a", "-Rcsv is not valid"},
    {"-Lx a", "-Lx is not valid"},
    {"-vs a", "-vs is not supported"},
    {"-e a", "-e is not supported: events of the Windows kernel"},
    {"-l a", "-l is not supported"},
    {"-Nv a", "-Nv is not supported"},
    {"-p a", "-p is not supported"},
    {"-x a", "-x is not supported"},
    {"-Xprofile.xml", "-Xprofile.xml is not supported: a profile is not read from XML"},
    {"-ysname a", "-ysname is not supported"},
    {"-k a", "diskspd has no option -k"},
    {"- a", "diskspd has no option -"},
    {"--help", "diskspd has no option --help"},
    {"-b4K", "no target is named"},
    {"a -b4K", "-b4K stands behind a target: options come before the targets"},
    {"\xE2\x80\x93"
     "b8K -d30 a",
     "begins with a dash that is no hyphen"},
    {"*1", "*1: targets that stand for others"},
    {"a,b", "the target 'a,b' is not valid"},
    {"-Su -b1000 a", "-b=1000 with -Su: must be a multiple of 512"},
};

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        tool_refuse("diskspd", wrong[i].line, NULL, wrong[i].part);
}

static void each_target_has_a_job_of_its_own(void **state)
{
    struct tool *tool = tool_make("diskspd", "-t3 -w50 -c1M a b #2", NULL);
    const struct invocation *invocation = tool->invocation;
    (void)state;
    assert_true(tool->good);
    assert_true(invocation->together);
    assert_int_equal(invocation->further_count, 2);
    assert_string_equal(invocation->job.target, "a");
    assert_string_equal(invocation->further[0].target, "b");
    assert_string_equal(invocation->further[1].target, "\\\\.\\PhysicalDrive2");
    assert_int_equal(invocation->further[1].threads, 3);
    assert_string_equal(invocation->overwrite, "a,b,\\\\.\\PhysicalDrive2");
    assert_true(invocation->lay_out);
    tool_free(tool);
}

static void a_read_may_write_to_nothing(void **state)
{
    struct tool *tool = tool_make("diskspd", "-r a", NULL);
    (void)state;
    assert_string_equal(tool->invocation->overwrite, "");
    assert_false(tool->invocation->lay_out);
    assert_false(tool->invocation->together);
    tool_free(tool);
}

static void all_cpus_are_dealt_in_turn(void **state)
{
    struct tool *tool = tool_make("diskspd", "-ag a", NULL);
    (void)state;
    assert_true(tool->good);
    assert_int_equal(tool->invocation->job.cpus[0], '0');
    tool_free(tool);
}

static void without_words_it_says_how_it_is_used(void **state)
{
    static const char *const lines[] = {"", "-?", "/?"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        struct tool *tool = tool_make("diskspd", lines[i], NULL);
        assert_true(tool->good);
        assert_int_equal(tool->invocation->action, ACTION_PRINTED);
        assert_non_null(strstr(tool_text(tool), "usage: diskspd [options] target ..."));
        tool_free(tool);
    }
}

/* As for who only asks what a line means. */
static void without_an_output_nothing_is_printed(void **state)
{
    static char help[] = "-?", profile[] = "-Rp", xml[] = "-Rpxml", name[] = "a";
    char *const lines[][2] = {{help, name}, {profile, name}, {xml, name}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        struct invocation *invocation = calloc(1, sizeof(*invocation));
        struct error error = ERROR_INIT;
        assert_non_null(invocation);
        assert_true(dialect_diskspd.parse(2, lines[i], NULL, invocation, &error));
        assert_int_equal(invocation->action, ACTION_PRINTED);
        invocation_free(invocation);
        free(invocation);
    }
}

/* ---- the layout ---- */

struct part {
    uint64_t count, latency_ns;
};

/* Thread i's IOs, all of one latency in each class. */
static void set_thread(struct result *result, size_t thread, struct part reads, struct part writes)
{
    const struct part parts[] = {reads, writes};
    struct thread_class *rows[] = {&result->threads[thread].read, &result->threads[thread].write};
    for (int op = 0; op < 2; ++op) {
        struct class_tally *tally = &result->total.of[op ? CLASS_WRITE : CLASS_READ];
        *rows[op] = (struct thread_class){parts[op].count, parts[op].count * result->job.block_size_bytes,
                                          parts[op].count * parts[op].latency_ns, 0};
        tally->bytes += rows[op]->bytes;
        for (uint64_t i = 0; i < parts[op].count; ++i)
            histogram_record(&tally->latency, parts[op].latency_ns);
    }
}

static void set_series(struct result *result, const uint64_t reads[], const uint64_t writes[], size_t count)
{
    result->series = calloc(count, sizeof(*result->series));
    assert_non_null(result->series);
    result->series_count = count;
    for (size_t i = 0; i < count; ++i) {
        result->series[i].start_ns = i * NS_PER_S;
        result->series[i].end_ns = (i + 1) * NS_PER_S;
        result->series[i].count[CLASS_READ] = reads[i];
        result->series[i].count[CLASS_WRITE] = writes[i];
    }
}

static struct result *make_result(const struct job *job, uint64_t load_ns)
{
    struct result *result = result_make(job);
    assert_non_null(result);
    result->load_ns = load_ns;
    result->measured = true;
    result->wall_start_ns = UINT64_C(1634145591) * NS_PER_S;
    result->job.total_size_bytes = 5 * 1024 * MIB;
    snprintf(result->job.engine, sizeof(result->job.engine), "iocp");
    snprintf(result->version, sizeof(result->version), "1.2.3");
    result->cpus = calloc(2, sizeof(*result->cpus));
    assert_non_null(result->cpus);
    result->cpus_count = 2;
    result->cpus[0] = (struct cpu_row){7200000, 78100000, 914700000};
    result->cpus[1] = (struct cpu_row){6800000, 76700000, 916500000};
    return result;
}

/* The text with the computer's name masked. */
static const char *masked(struct tool *tool)
{
    const char *text = tool_text(tool);
    char *name = strstr(tool->text, "computer name: ");
    if (name) {
        char *end = strchr(name, '\n');
        memmove(name + 15, end, strlen(end) + 1);
    }
    return text;
}

/* That of published outputs, with figures of our own. */
static const char published_form[] =
    "\n"
    "Command Line: diskspd -b8K -d180 -h -L -o32 -t2 -r -w75 -c5G no-such-sqldata.dat\n"
    "\n"
    "Input parameters:\n"
    "\n"
    "\ttimespan:   1\n"
    "\t-------------\n"
    "\tduration: 180s\n"
    "\twarm up time: 5s\n"
    "\tcool down time: 0s\n"
    "\taffinity disabled\n"
    "\tmeasuring latency\n"
    "\trandom seed: 0\n"
    "\tpath: 'no-such-sqldata.dat'\n"
    "\t\tthink time: 0ms\n"
    "\t\tburst size: 0\n"
    "\t\tsoftware cache disabled\n"
    "\t\thardware write cache disabled, writethrough on\n"
    "\t\tperforming mix test (read/write ratio: 25/75)\n"
    "\t\tblock size: 8KiB\n"
    "\t\tusing random I/O (alignment: 8KiB)\n"
    "\t\tnumber of outstanding I/O operations per thread: 32\n"
    "\t\tthreads per file: 2\n"
    "\t\tusing I/O Completion Ports\n"
    "\t\tIO priority: normal\n"
    "\n"
    "System information:\n"
    "\n"
    "\tcomputer name: \n"
    "\tstart time: 2021/10/13 17:19:51 UTC\n"
    "\n"
    "\n"
    "Results for timespan 1:\n"
    "*******************************************************************************\n"
    "\n"
    "actual test time:\t180.00s\n"
    "thread count:\t\t2\n"
    "proc count:\t\t2\n"
    "\n"
    "CPU |  Usage |  User  |  Kernel |  Idle\n"
    "-------------------------------------------\n"
    "   0|   8.53%|   0.72%|    7.81%|  91.47%\n"
    "   1|   8.35%|   0.68%|    7.67%|  91.65%\n"
    "-------------------------------------------\n"
    "avg.|   8.44%|   0.70%|    7.74%|  91.56%\n"
    "\n"
    "Total IO\n"
    "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "     0 |         3276800 |          400 |       0.02 |       2.22 |    1.750 |     0.433 | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "     1 |         1638400 |          200 |       0.01 |       1.11 |    3.000 |     0.000 | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "total:           4915200 |          600 |       0.03 |       3.33 |    2.167 |     0.687\n"
    "\n"
    "Read IO\n"
    "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "     0 |          819200 |          100 |       0.00 |       0.56 |    1.000 |     0.000 | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "     1 |         1638400 |          200 |       0.01 |       1.11 |    3.000 |     0.000 | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "total:           2457600 |          300 |       0.01 |       1.67 |    2.333 |     0.943\n"
    "\n"
    "Write IO\n"
    "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "     0 |         2457600 |          300 |       0.01 |       1.67 |    2.000 |     0.000 | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "     1 |               0 |            0 |       0.00 |       0.00 |      N/A |       N/A | "
    "no-such-sqldata.dat "
    "(5GiB)\n"
    "-----------------------------------------------------------------------------------------------------\n"
    "total:           2457600 |          300 |       0.01 |       1.67 |    2.000 |     0.000\n"
    "\n"
    "\n"
    "\n"
    "total:\n"
    "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n"
    "----------------------------------------------\n"
    "    min |      1.000 |      2.000 |      1.000\n"
    "   25th |      1.001 |      2.000 |      2.003\n"
    "   50th |      3.000 |      2.000 |      2.003\n"
    "   75th |      3.000 |      2.000 |      3.000\n"
    "   90th |      3.000 |      2.000 |      3.000\n"
    "   95th |      3.000 |      2.000 |      3.000\n"
    "   99th |      3.000 |      2.000 |      3.000\n"
    "3-nines |      3.000 |      2.000 |      3.000\n"
    "4-nines |      3.000 |      2.000 |      3.000\n"
    "5-nines |      3.000 |      2.000 |      3.000\n"
    "6-nines |      3.000 |      2.000 |      3.000\n"
    "7-nines |      3.000 |      2.000 |      3.000\n"
    "8-nines |      3.000 |      2.000 |      3.000\n"
    "9-nines |      3.000 |      2.000 |      3.000\n"
    "    max |      3.000 |      2.000 |      3.000\n";

static void a_run_is_printed_line_by_line(void **state)
{
    struct tool *tool = tool_make("diskspd", "-b8K -d180 -h -L -o32 -t2 -r -w75 -c5G no-such-sqldata.dat", NULL);
    struct result *result = make_result(&tool->invocation->job, 180 * NS_PER_S);
    const struct listener *listener = &tool->invocation->listener;
    (void)state;
    set_thread(result, 0, (struct part){100, NS_PER_MS}, (struct part){300, 2 * NS_PER_MS});
    set_thread(result, 1, (struct part){200, 3 * NS_PER_MS}, (struct part){0, 0});
    listener->run_done(listener->context, result);
    assert_string_equal(masked(tool), published_form);
    result_free(result);
    tool_free(tool);
}

static void several_targets_are_one_report(void **state)
{
    struct tool *tool = tool_make("diskspd", "-b64K -d2 -W0 -o1 -D -L no-such-a no-such-b", NULL);
    static const uint64_t reads[2][3] = {{100, 300, 5}, {400, 200, 5}}, none[3] = {0};
    struct result *results[2];
    const struct listener *listener = &tool->invocation->listener;
    (void)state;
    for (int i = 0; i < 2; ++i) {
        results[i] = make_result(i ? &tool->invocation->further[0] : &tool->invocation->job, 2 * NS_PER_S);
        set_thread(results[i], 0, (struct part){i ? 600 : 400, NS_PER_MS}, (struct part){0, 0});
        set_series(results[i], reads[i], none, 3);
        results[i]->series[2].end_ns = 2 * NS_PER_S + NS_PER_S / 5; /* cut off: in no deviation */
        listener->run_done(listener->context, results[i]);
    }
    assert_string_equal(tool_text(tool), "");
    listener->runs_done(listener->context, (const struct result *const *)results, 2);
    const char *text = masked(tool);
    assert_non_null(strstr(text, "\tgathering IOPS at intervals of 1000ms\n"));
    assert_non_null(strstr(text, "\tpath: 'no-such-a'\n"));
    assert_non_null(strstr(text, "\tpath: 'no-such-b'\n"));
    assert_null(strstr(text, "using I/O Completion Ports")); /* one in flight */
    assert_non_null(strstr(text, "\nactual test time:\t2.00s\nthread count:\t\t2\n"));
    assert_non_null(strstr(
        text,
        "\nTotal IO\n"
        "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | IopsStdDev | LatStdDev |  "
        "file\n"
        "---------------------------------------------------------------------------------------------------"
        "---------------\n"
        "     0 |        26214400 |          400 |      12.50 |     200.00 |    1.000 |     100.00 |     0.000 | "
        "no-such-a (5GiB)\n"
        "     1 |        39321600 |          600 |      18.75 |     300.00 |    1.000 |     100.00 |     0.000 | "
        "no-such-b (5GiB)\n"
        "---------------------------------------------------------------------------------------------------"
        "---------------\n"
        "total:          65536000 |         1000 |      31.25 |     500.00 |    1.000 |       0.00 |     0.000\n"));
    assert_non_null(strstr(text, "total:                 0 |            0 |       0.00 |       0.00 |      N/A |       "
                                 "0.00 |       N/A\n"));
    assert_non_null(strstr(text, "\n\n\nno-such-a\n  %-ile |"));
    assert_non_null(strstr(text, "\nno-such-b\n  %-ile |"));
    assert_non_null(strstr(text, "\ntotal:\n  %-ile |"));
    assert_non_null(strstr(text, "    min |      1.000 |        N/A |      1.000\n"));
    result_free(results[0]);
    result_free(results[1]);
    tool_free(tool);
}

/* Of several threads the deviation of each is not known, and no latencies are asked for. */
static void a_deviation_that_is_not_known_is_no_number(void **state)
{
    struct tool *tool = tool_make("diskspd", "-b4K -t2 -w100 -s -D500 -d1 no-such-a", NULL);
    static const uint64_t none[2] = {0}, writes[2] = {10, 30};
    struct result *result = make_result(&tool->invocation->job, NS_PER_S);
    const struct listener *listener = &tool->invocation->listener;
    (void)state;
    set_thread(result, 0, (struct part){0, 0}, (struct part){40, NS_PER_MS});
    set_series(result, none, writes, 2);
    result->series[0].end_ns = result->series[1].start_ns = NS_PER_S / 2;
    result->series[1].end_ns = NS_PER_S;
    listener->run_done(listener->context, result);
    const char *text = masked(tool);
    assert_non_null(
        strstr(text, "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s | IopsStdDev |  file\n"));
    assert_non_null(strstr(text, "     0 |          163840 |           40 |       0.16 |      40.00 |        N/A | "
                                 "no-such-a (5GiB)\n"));
    assert_non_null(strstr(text, "total:            163840 |           40 |       0.16 |      40.00 |      20.00\n"));
    assert_null(strstr(text, "%-ile"));
    result_free(result);
    tool_free(tool);
}

static void the_profile_tells_each_option(void **state)
{
    static const struct {
        const char *line, *part;
    } rows[] = {
        {"-Rp a", "\tpath: 'a'\n"},
        {"-Rptext -a1,0 a", "\tadvanced affinity round robin (group/core): 0/1, 0/0\n"},
        {"-Rp -a1,0 a", "\tcool down time: 0s\n\trandom seed: 0\n"},
        {"-Rp -z7 -r a", "\trandom seed: 7\n"},
        {"-Rp -D250 a", "\tgathering IOPS at intervals of 250ms\n"},
        {"-Rp -v a", "\tusing verbose mode\n"},
        {"-Rp -Sw a", "\t\tusing software cache\n\t\thardware and software write caches disabled, writethrough on\n"},
        {"-Rp -Su a", "\t\tsoftware cache disabled\n\t\tusing hardware write cache, writethrough off\n"},
        {"-Rp -Sm a", "\t\tmemory mapped I/O enabled\n"},
        {"-Rp -Z -w5 a", "\t\tzeroing write buffers\n\t\tperforming mix test (read/write ratio: 95/5)\n"},
        {"-Rp -Z1M -w100 a", "\t\twrite buffer size: 1MiB\n\t\twrite buffer source: random fill\n\t\tperforming write "
                             "test\n"},
        {"-Rp -Zr -w100 a", "\tgenerating random data for each write IO\n"},
        {"-Rp -b1500 a", "\t\tblock size: 1.46KiB\n\t\tusing sequential I/O (stride: 1.46KiB)\n"},
        {"-Rp -b512 a", "\t\tblock size: 512\n"},
        {"-Rp -t2 -si128K a", "\t\tusing interlocked sequential I/O (stride: 128KiB)\n"},
        {"-Rp -rs30 -r4K a", "\t\tusing mixed random/sequential I/O (30% random) (alignment/stride: 4KiB)\n"},
        {"-Rp -rs100 a", "\t\tusing random I/O (alignment: 64KiB)\n"},
        {"-Rp -B1M -f1G -t2 -T64K a", "\t\tbase file offset: 1MiB\n\t\tmax file size: 1GiB\n\t\tthread stride size: "
                                      "64KiB\n\t\tthreads per file: 2\n"},
        {"-Rp -i4 -j20 a", "\t\tthink time: 20ms\n\t\tburst size: 4\n"},
        {"-Rp -g100i a", "\t\tIO priority: normal\n\t\tthroughput rate-limited to 100 IOPS\n"},
        {"-Rp -g100 a", "\t\tthroughput rate-limited to 100 B/ms\n"},
        {"-Rp -F4 a", "\t\tthreads per file: 4\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make("diskspd", rows[i].line, NULL);
        if (!tool->good)
            fail_msg("%s: %s", rows[i].line, tool->error.text);
        assert_int_equal(tool->invocation->action, ACTION_PRINTED);
        if (!strstr(tool_text(tool), rows[i].part))
            fail_msg("%s: no \"%s\" in: %s", rows[i].line, rows[i].part, tool->text);
        tool_free(tool);
    }
}

static void dots_are_printed_as_ios_end(void **state)
{
    struct tool *tool = tool_make("diskspd", "-P100 a", NULL);
    const struct listener *listener = &tool->invocation->listener;
    struct interval interval = {.count = {[CLASS_READ] = 150, [CLASS_WRITE] = 30}};
    (void)state;
    listener->run_interval(listener->context, &tool->invocation->job, &interval);
    assert_string_equal(tool_text(tool), ".");
    listener->run_interval(listener->context, &tool->invocation->job, &interval);
    assert_string_equal(tool_text(tool), "...");
    tool_free(tool);
}

static void with_verbose_it_says_what_happens(void **state)
{
    static const char *const lines[] = {"-v a", "-v -Rxml a"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        struct tool *tool = tool_make("diskspd", lines[i], NULL);
        const struct listener *listener = &tool->invocation->listener;
        listener->prepare_file(listener->context, "a", PREPARE_CREATE);
        listener->run_warming(listener->context, &tool->invocation->job);
        listener->run_measuring(listener->context, &tool->invocation->job);
        assert_string_equal(tool_text(tool), i ? "" : "filling a...\nstarting warm up...\nstarting measurements...\n");
        tool_free(tool);
    }
}

/* ---- XML ---- */

static void the_xml_has_the_elements_that_scripts_read(void **state)
{
    static const char *const parts[] = {
        "<Results>\n  <System>\n    <ComputerName>",
        "<Version>isobench 1.2.3</Version>",
        "<RunTime>2021/10/13 17:19:51 UTC</RunTime>\n  </System>\n  <Profile>\n",
        "        <CalculateIopsStdDev>true</CalculateIopsStdDev>\n",
        "<Path>no-such-&lt;a&gt;&amp;?</Path>",
        "<DisableOSCache>true</DisableOSCache>\n            <WriteThrough>true</WriteThrough>\n",
        "<Random>4096</Random>\n",
        "<RandomRatio>30</RandomRatio>\n",
        "<Throughput unit=\"IOPS\">50</Throughput>\n",
        "    <TestTimeSeconds>2.00</TestTimeSeconds>\n    <ThreadCount>1</ThreadCount>\n    "
        "<RequestCount>0</RequestCount>\n    <ProcCount>2</ProcCount>\n    <CpuUtilization>\n      <CPU>\n        "
        "<Group>0</Group>\n        <Id>0</Id>\n        <UsagePercent>8.53</UsagePercent>\n        "
        "<UserPercent>0.72</UserPercent>\n        <KernelPercent>7.81</KernelPercent>\n        "
        "<IdlePercent>91.47</IdlePercent>\n      </CPU>\n",
        "      <Average>\n        <UsagePercent>8.44</UsagePercent>\n",
        "      <ReadIopsStdDev>100.000</ReadIopsStdDev>\n      <WriteIopsStdDev>0.000</WriteIopsStdDev>\n      "
        "<IopsStdDev>100.000</IopsStdDev>\n      <Bucket SampleMillisecond=\"1000\" Read=\"100\" Write=\"50\" "
        "Total=\"150\"/>\n",
        "    <Thread>\n      <Id>0</Id>\n      <Target>\n        <Path>no-such-&lt;a&gt;&amp;?</Path>\n        "
        "<BytesCount>2048000</BytesCount>\n        <FileSize>5368709120</FileSize>\n        <IOCount>500</IOCount>\n   "
        "     <ReadBytes>1638400</ReadBytes>\n        <ReadCount>400</ReadCount>\n        "
        "<WriteBytes>409600</WriteBytes>\n        <WriteCount>100</WriteCount>\n        <Iops>\n",
        "</Results>\n",
    };
    static const uint64_t reads[] = {100, 300}, writes[] = {50, 50};
    struct tool *tool = tool_make("diskspd", "-b4K -d2 -Sh -rs30 -w20 -g50i -D -Rxml no-such-<a>&\x01", NULL);
    struct result *result = make_result(&tool->invocation->job, 2 * NS_PER_S);
    const struct listener *listener = &tool->invocation->listener;
    (void)state;
    set_thread(result, 0, (struct part){400, NS_PER_MS}, (struct part){100, 2 * NS_PER_MS});
    set_series(result, reads, writes, 2);
    listener->run_done(listener->context, result);
    tool_text(tool);
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        if (!strstr(tool->text, parts[i]))
            fail_msg("no \"%s\" in: %s", parts[i], tool->text);
    result_free(result);
    tool_free(tool);
}

static void names_that_are_no_utf8_are_masked(void **state)
{
    struct tool *tool = tool_make("diskspd", "-Rpxml a\xFF\xC3\xA4z", NULL);
    (void)state;
    assert_non_null(strstr(tool_text(tool), "<Path>a???z</Path>"));
    tool_free(tool);
    tool = tool_make("diskspd", "-Rpxml a\xC3\xA4", NULL);
    tool_text(tool);
    assert_true(strstr(tool->text, "<Path>a\xC3\xA4</Path>") || strstr(tool->text, "<Path>a&#xE4;</Path>"));
    tool_free(tool);
}

static void dates_are_right(void **state)
{
    static const struct {
        uint64_t seconds;
        const char *text;
    } rows[] = {{0, "1970/01/01 00:00:00 UTC"},          {951782399, "2000/02/28 23:59:59 UTC"},
                {951782400, "2000/02/29 00:00:00 UTC"},  {1709251199, "2024/02/29 23:59:59 UTC"},
                {1767225599, "2025/12/31 23:59:59 UTC"}, {4107542400, "2100/03/01 00:00:00 UTC"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char text[32];
        diskspd_time_text(rows[i].seconds * NS_PER_S, text, sizeof(text));
        assert_string_equal(text, rows[i].text);
    }
}

/* ---- the same load in other words ---- */

static void say(const char *name, const char *line, const char *params, const char *to, const char *expected)
{
    struct tool *tool = tool_make(name, line, params);
    struct error error = ERROR_INIT;
    if (!tool->good)
        fail_msg("%s %s: %s", name, line, tool->error.text);
    if (!as_print(to, tool->invocation, tool->out, &error))
        fail_msg("%s %s --as %s: %s", name, line, to, error.text);
    assert_string_equal(tool_text(tool), expected);
    tool_free(tool);
}

static void the_lines_of_other_tools_become_diskspd(void **state)
{
    (void)state;
    say("sqlio", "-kR -s300 -dC -frandom -b16 -o8 -BH -LS -Fparam.txt testfile.dat", "C:\\testfile.dat 1 0x0 3072\n",
        "diskspd",
        "diskspd -b16K -c3G -d300 -W0 -t1 -o8 -r -w0 -Su -n -z -L C:\\testfile.dat\n"
        "# note: fill is extended, which diskspd cannot say: there it is written\n"
        "# note: percentiles is empty, which diskspd cannot say: there it is "
        "25,50,75,90,95,99,99.9,99.99,99.999,99.9999,99.99999,99.999999,99.9999999\n");
    say("sqlio", "-kW -t4 -s60 -fsequential -b64 -o2 -BN a.dat", NULL, "diskspd",
        "diskspd -b64K -c256M -d60 -W0 -t4 -o2 -si -w100 -Zr -Sh -n a.dat\n"
        "# note: total_size is 0, which diskspd cannot say: there it is 256M\n"
        "# note: fill is extended, which diskspd cannot say: there it is written\n");
    say("sysbench", "--test=fileio --file-total-size=3G --file-test-mode=rndrd --max-time=300 run", NULL, "diskspd",
        "diskspd -b16K -c3G -d300 -W0 -t1 -o1 -r -w0 -n test_file.0\n"
        "# note: target is a set of files, which diskspd cannot say: there it is test_file.0\n"
        "# note: files is 128, which diskspd cannot say: there it is 1\n"
        "# note: events is 10000, which diskspd cannot say: there it is 0\n"
        "# note: percentiles is 95, which diskspd cannot say: there it is empty\n");
    say("seeker", "x", NULL, "diskspd", "diskspd -b512 -d30 -W0 -t1 -o1 -r -w0 -n -z -D x\n");
    say("hdparm", "-t --direct no-such-device", NULL, "diskspd",
        "diskspd -b2M -d3 -W0 -t1 -o1 -w0 -Su -n no-such-device\n"
        "# note: passes is 1, which diskspd cannot say: there it is 0\n");
}

static void diskspd_becomes_the_lines_of_other_tools(void **state)
{
    static const char line[] = "-b16K -d300 -W0 -t1 -o8 -r -Su -n -z C:\\testfile.dat";
    (void)state;
    say("diskspd", line, NULL, "sqlio",
        "sqlio -kR -t1 -s300 -frandom -b16 -o8 -BH C:\\testfile.dat\n"
        "# note: fill is written, which sqlio cannot say: there it is extended\n");
    say("diskspd", line, NULL, "isobench",
        "isobench fileio run --target=C:\\testfile.dat --data=count-up --mode=rndrd --depth=8 "
        "--cache=off "
        "--sync-at-end=off --time=300 --percentiles=\n");
}

static void what_cannot_be_said_is_refused(void **state)
{
    struct tool *tool = tool_make("sysbench", "fileio prepare", NULL);
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(tool->good);
    assert_false(as_print("diskspd", tool->invocation, tool->out, &error));
    assert_non_null(strstr(error.text, "diskspd makes its files when it runs"));
    tool_free(tool);
    tool = tool_make("diskspd", "-w50 -r a", NULL);
    error.kind = ERR_NONE;
    tool->invocation->job.work = WORK_DATABASE;
    assert_false(as_print("diskspd", tool->invocation, tool->out, &error));
    assert_non_null(strstr(error.text, "diskspd loads files and devices, not databases"));
    tool_free(tool);
}

static void targets_together_are_said_so(void **state)
{
    (void)state;
    say("diskspd", "-W0 -t2 -r -z a b", NULL, "diskspd",
        "diskspd -b64K -d10 -W0 -t2 -o2 -r -w0 -n -z a\n"
        "diskspd -b64K -d10 -W0 -t2 -o2 -r -w0 -n -z b\n"
        "# note: lines 1 to 2 are one load: start them at the same time\n");
}

static void it_says_its_own_loads_without_a_note(void **state)
{
    static const char *const lines[] = {
        "-b4K -t2 -r -o32 -d10 -Sh testfile.dat",
        "-c8192K -d1 testfile.dat",
        "-c1G -b4K -t2 -d10 -a0,1 testfile1.dat",
        "-b8K -d180 -h -L -o32 -t3 -r -w75 -c5G sqldata.dat",
        "-b64K -B1M:1G -t4 -T256M -w100 -Sw -Z -D a",
        "-b64K -f1G -t4 -si128K -w30 -g100i -D250 a",
        "-b8K -rs40 -r4K -w1 -Zr -z5 -i3 -j7 a",
        "-b8K -s1M -Sm -W0 #3",
        "-b8K -r -F4 -O16 X:",
        "\\\\.\\",
        "\\\\.\\PhysicalDrive",
        "\\\\.\\1:",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        static const char *const targets[] = {"diskspd", "isobench"};
        for (size_t to = 0; to < COUNT_OF(targets); ++to) {
            struct tool *tool = tool_make("diskspd", lines[i], NULL);
            struct error error = ERROR_INIT;
            if (!tool->good || !as_print(targets[to], tool->invocation, tool->out, &error))
                fail_msg("%s: %s%s", lines[i], tool->error.text, error.text);
            if (strstr(tool_text(tool), "# note: ") && !strstr(tool->text, "not made by isobench"))
                fail_msg("%s: %s", lines[i], tool->text);
            tool_free(tool);
        }
    }
}

static void a_setting_that_it_cannot_say_gets_a_note(void **state)
{
    static const struct {
        const char *setting, *value;
    } rows[] = {{"distribution", "zipfian"},
                {"on_error", "count"},
                {"repeat", "3"},
                {"compress_percent", "50"},
                {"sync_every", "10"},
                {"stack_size", "1M"},
                {"checkpoints", "5"},
                {"drop_cache", "on"},
                {"shutdown_grace", "5"},
                {"sync_each_write", "on"},
                {"steady_state", "iops:5%"},
                {"init_timeout", "60"},
                {"coverage", "once"},
                {"warmup", "1.5"},
                {"time", "2.5"},
                {"sync_at_end", "on"},
                {"events", "5"},
                {"verify", "on"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make("diskspd", "-w100 -Zr -r a", NULL);
        struct error error = ERROR_INIT;
        char note[128];
        assert_true(job_set(&tool->invocation->job, setting_find(rows[i].setting), "x", rows[i].value, &error));
        assert_true(as_print("diskspd", tool->invocation, tool->out, &error));
        snprintf(note, sizeof(note), "# note: %s is ", rows[i].setting);
        if (!strstr(tool_text(tool), note))
            fail_msg("no note about %s in: %s", rows[i].setting, tool->text);
        tool_free(tool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_diskspd),
        cmocka_unit_test(each_option_is_its_setting),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(each_target_has_a_job_of_its_own),
        cmocka_unit_test(a_read_may_write_to_nothing),
        cmocka_unit_test(all_cpus_are_dealt_in_turn),
        cmocka_unit_test(without_words_it_says_how_it_is_used),
        cmocka_unit_test(without_an_output_nothing_is_printed),
        cmocka_unit_test(a_run_is_printed_line_by_line),
        cmocka_unit_test(several_targets_are_one_report),
        cmocka_unit_test(a_deviation_that_is_not_known_is_no_number),
        cmocka_unit_test(the_profile_tells_each_option),
        cmocka_unit_test(dots_are_printed_as_ios_end),
        cmocka_unit_test(with_verbose_it_says_what_happens),
        cmocka_unit_test(the_xml_has_the_elements_that_scripts_read),
        cmocka_unit_test(names_that_are_no_utf8_are_masked),
        cmocka_unit_test(dates_are_right),
        cmocka_unit_test(the_lines_of_other_tools_become_diskspd),
        cmocka_unit_test(diskspd_becomes_the_lines_of_other_tools),
        cmocka_unit_test(what_cannot_be_said_is_refused),
        cmocka_unit_test(targets_together_are_said_so),
        cmocka_unit_test(it_says_its_own_loads_without_a_note),
        cmocka_unit_test(a_setting_that_it_cannot_say_gets_a_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
