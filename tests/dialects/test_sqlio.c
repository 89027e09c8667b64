#include "dialects/sqlio.h"
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

static void defaults_are_those_of_the_readme(void **state)
{
    static const char *const expected[] = {"target=testfile.dat",
                                           "mode=seqrd",
                                           "stripe_blocks=64",
                                           "stripe_rows=64",
                                           "block_size=2K",
                                           "total_size=8M",
                                           "threads=1",
                                           "time=30",
                                           "depth=1",
                                           "cache=off",
                                           "through=data",
                                           "cursor=thread",
                                           "fill=extended",
                                           "sync_at_end=off",
                                           "sync_every=0",
                                           "histogram=off",
                                           "file_choice=all",
                                           "start=0",
                                           "engine=auto",
                                           "data=random",
                                           "cpus=",
                                           "events=0",
                                           "percentiles=",
                                           "warmup=0",
                                           NULL};
    (void)state;
    tool_expect("sqlio", "testfile.dat", NULL, expected);
    tool_expect("sqlio", "-kR", NULL, expected);
}

static void each_option_is_its_setting(void **state)
{
    static const struct {
        const char *line, *params;
        const char *expected[8];
    } rows[] = {
        {"-kW a.dat", NULL, {"mode=seqrewr", "target=a.dat", NULL}},
        {"-kW -frandom a.dat", NULL, {"mode=rndwr", "stripe_blocks=0", "total_size=0", NULL}},
        {"-kR -frandom a.dat", NULL, {"mode=rndrd", "cursor=shared", NULL}},
        {"-kR -fsequential a.dat", NULL, {"mode=seqrd", "cursor=shared", "stripe_blocks=0", "total_size=0", NULL}},
        {"-f8 -i4 -b4 -t3 a.dat",
         NULL,
         {"stripe_blocks=8", "stripe_rows=4", "total_size=128K", "threads=3", "cursor=thread", NULL}},
        {"-t256 -f256 a.dat", NULL, {"threads=256", NULL}},
        {"-s300 a.dat", NULL, {"time=300", NULL}},
        {"-b16 a.dat", NULL, {"block_size=16K", "total_size=64M", NULL}},
        {"-frandom -o8 a.dat", NULL, {"depth=8", "engine=auto", "file_choice=all", NULL}},
        {"-frandom -o8 a.dat b.dat", NULL, {"depth=16", "file_choice=turn", "target=a.dat,b.dat", NULL}},
        {"-frandom -o0 a.dat b.dat", NULL, {"depth=1", "file_choice=turn", NULL}},
        {"-BN a.dat", NULL, {"cache=off", "through=data", NULL}},
        {"-BY a.dat", NULL, {"cache=on", "through=off", NULL}},
        {"-BH a.dat", NULL, {"cache=off", "through=off", NULL}},
        {"-BS a.dat", NULL, {"cache=on", "through=data", NULL}},
        {"-LS a.dat", NULL, {"histogram=on", NULL}},
        {"-LP a.dat", NULL, {"histogram=on", NULL}},
        {"-S3 -b8 a.dat", NULL, {"start=24K", NULL}},
        {"-p3 a.dat", NULL, {"cpus=3", NULL}},
        {"-a0x8 a.dat", NULL, {"cpus=3", NULL}},
        {"-a8 a.dat", NULL, {"cpus=3", NULL}},
        {"-aR0x10F a.dat", NULL, {"cpus=0-3,8", NULL}},
        {"-aR0x8000000000000000 a.dat", NULL, {"cpus=63", NULL}},
        {"-dDEF test.dat", NULL, {"target=D:test.dat,E:test.dat,F:test.dat", "file_choice=turn", NULL}},
        {"-dE", NULL, {"target=E:testfile.dat", NULL}},
        {"-RD,1", NULL, {"target=\\\\.\\D:,\\\\.\\PhysicalDrive1", NULL}},
        {"-RDE12", NULL, {"target=\\\\.\\D:,\\\\.\\E:,\\\\.\\PhysicalDrive1,\\\\.\\PhysicalDrive2", NULL}},
        {"-R12,D", NULL, {"target=\\\\.\\PhysicalDrive12,\\\\.\\D:", NULL}},
        {"1: x.dat", NULL, {"target=\\\\.\\PhysicalDrive1,x.dat", NULL}},
        {"-frandom -v1.1.1 -64 -D0 a.dat", NULL, {"mode=rndrd", NULL}},
        {"-frandom -Fparam.txt",
         "c:\\testfile.dat 2 0x0 100\n#d:\\testfile.dat 2 0x0 100\n",
         {"target=c:\\testfile.dat", "threads=2", "total_size=100M", "file_choice=all", NULL}},
        {"-frandom -t7 -Fparam.txt", "a 4\r\n", {"target=a", "threads=4", "total_size=0", NULL}},
        {"-frandom -o4 -Fparam.txt",
         "\xEF\xBB\xBF"
         "a 2 0x0 8\n\n  # x\n\tb\t2\t0\t8",
         {"target=a,b", "threads=4", "total_size=16M", "file_choice=own", "depth=4", "cpus=", NULL}},
        {"-frandom -Fparam.txt", "a 1 0x1\nb 1 0x4\n", {"cpus=0,2", "file_choice=own", NULL}},
        {"-f64 -Fparam.txt", "a 1 0x0 5\n", {"total_size=8M", NULL}},
        {"-dc -frandom -Fparam.txt", "testfile.dat 1 0x0 3072\n", {"target=c:testfile.dat", "total_size=3G", NULL}},
        {"-dc -frandom -Fparam.txt", "d:\\testfile.dat 1\n", {"target=d:\\testfile.dat", NULL}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_expect("sqlio", rows[i].line, rows[i].params, rows[i].expected);
}

static void the_published_command_lines_are_taken(void **state)
{
    static const char *const first[] = {"target=C:\\testfile.dat",
                                        "mode=rndrd",
                                        "time=300",
                                        "block_size=16K",
                                        "depth=8",
                                        "cache=off",
                                        "through=off",
                                        "histogram=on",
                                        "total_size=3G",
                                        "threads=1",
                                        NULL};
    static const char *const second[] = {"target=c:testfile.dat", "mode=rndrd",    "time=300",
                                         "block_size=16K",        "depth=1",       "cache=off",
                                         "through=data",          "histogram=off", NULL};
    (void)state;
    tool_expect("sqlio", "-kR -s300 -dC -frandom -b16 -o8 -BH -LS -Fparam.txt testfile.dat",
                "C:\\testfile.dat 1 0x0 3072\n", first);
    tool_expect("sqlio", "-kR -s300 -dc -b16 -frandom -Fparam.txt", "testfile.dat 1 0x0 3072\n", second);
}

static void a_write_may_overwrite_what_it_names_and_a_read_nothing(void **state)
{
    struct tool *tool = tool_make("sqlio", "-kW -frandom a.dat b.dat", NULL);
    (void)state;
    assert_string_equal(tool->invocation->overwrite, "a.dat,b.dat");
    tool_free(tool);
    tool = tool_make("sqlio", "-kR -frandom -b8 a.dat", NULL);
    assert_string_equal(tool->invocation->overwrite, "");
    assert_int_equal(tool->invocation->extend_bytes, 32 * MIB);
    tool_free(tool);
}

static const struct {
    const char *line, *params, *part;
} wrong[] = {
    {"-kX a", NULL, "-kX is not valid: it must be -kR or -kW"},
    {"-k a", NULL, "-k is not valid"},
    {"-t0 a", NULL, "-t0 is not valid: it must be a whole number from 1 to 256"},
    {"-t257 a", NULL, "-t257"},
    {"-t-1 a", NULL, "-t-1"},
    {"-t a", NULL, "-t is not valid"},
    {"-s0 a", NULL, "-s0 is not valid"},
    {"-s1.5 a", NULL, "-s1.5 is not valid"},
    {"-s99999999999999999999 a", NULL, "-s99999999999999999999"},
    {"-b0 a", NULL, "-b0 is not valid"},
    {"-b8K a", NULL, "-b8K is not valid"},
    {"-b1048577 a", NULL, "-b1048577"},
    {"-o4097 a", NULL, "-o4097"},
    {"-o2048 -frandom a b c", NULL, "-o2048 over 3 files"},
    {"-f0 a", NULL, "-f0 is not valid: it must be -frandom, -fsequential"},
    {"-frandon a", NULL, "-frandon is not valid"},
    {"-f2 -t3 a", NULL, "-f2 with 3 threads is not valid: each thread needs a block"},
    {"-i0 a", NULL, "-i0 is not valid"},
    {"-f1000000 -i1000000 -b1048576 a", NULL, "needs too large a file"},
    {"-BX a", NULL, "-BX is not valid"},
    {"-B a", NULL, "-B is not valid"},
    {"-LX a", NULL, "-LX is not valid"},
    {"-LSi a", NULL, "-LSi is not supported"},
    {"-LSx a", NULL, "-LSx is not valid"},
    {"-U a", NULL, "-U is not supported"},
    {"-Up a", NULL, "-Up is not supported"},
    {"-mC4 a", NULL, "-mC4 is not supported"},
    {"-D1 a", NULL, "-D1 is not supported"},
    {"-v1.2 a", NULL, "-v1.2 is not valid: it must be -v1.1.1"},
    {"-v1.1.1 a", NULL, "-v1.1.1 is not supported"},
    {"-65 a", NULL, "-65 is not valid: it must be -64"},
    {"-pI1 a", NULL, "-pI1 is not supported"},
    {"-p9999 a", NULL, "-p9999 is not valid"},
    {"-a0 a", NULL, "-a0 is not valid"},
    {"-a0x a", NULL, "-a0x is not valid"},
    {"-a0xG a", NULL, "-a0xG is not valid"},
    {"-a0x11111111111111111 a", NULL, "-a0x11111111111111111 is not valid"},
    {"-a3 a", NULL, "-a3 is not supported: threads are bound to one CPU each"},
    {"-aRI3 a", NULL, "-aRI3 is not supported"},
    {"-S-1 a", NULL, "-S-1 is not valid"},
    {"-S1125899906842624 -b1048576 a", NULL, "-S1125899906842624 is too large"},
    {"-T70 a", NULL, "-T70 is not supported"},
    {"-x a", NULL, "sqlio has no option -x"},
    {"- a", NULL, "sqlio has no option -"},
    {"--help", NULL, "sqlio has no option --help"},
    {"-d1 a", NULL, "-d1 is not valid"},
    {"-d a", NULL, "-d is not valid"},
    {"-dDE a b", NULL, "-dDE takes one file name"},
    {"-R a", NULL, "-R is not valid"},
    {"-R/ a", NULL, "/ is no device"},
    {"-RDE,1 a", NULL, "DE is no device: a partition has one letter"},
    {"-RD,,1 a", NULL, " is no device"},
    {"a,b", NULL, "the file name 'a,b' is not valid"},
    {"-F", NULL, "-F is not valid"},
    {"-Fno-such-file.txt", NULL, "no-such-file.txt"},
    {"-frandom -Fparam.txt", "", "param.txt names no file"},
    {"-frandom -Fparam.txt", "# only\n", "param.txt names no file"},
    {"-frandom -Fparam.txt", "a\n", "line 1 of param.txt is not valid"},
    {"-frandom -Fparam.txt", "#\na 1 0x0 5 x\n", "line 2 of param.txt is not valid"},
    {"-frandom -Fparam.txt", "a 0\n", "line 1 of param.txt: threads 0 is not valid"},
    {"-frandom -Fparam.txt", "a -2\n", "line 1 of param.txt: threads -2 is not valid"},
    {"-frandom -Fparam.txt", "a two\n", "line 1 of param.txt: threads two is not valid"},
    {"-frandom -Fparam.txt", "a 1 0xZ\n", "line 1 of param.txt: mask 0xZ is not valid"},
    {"-frandom -Fparam.txt", "a 1 0x0 0\n", "line 1 of param.txt: size in MB 0 is not valid"},
    {"-frandom -Fparam.txt", "a 1 0x0 18446744073709551616\n", "line 1 of param.txt: size in MB 18446744073709551616"},
    {"-frandom -b2048 -Fparam.txt", "a 1 0x0 1\n", "line 1 of param.txt: the size is less than one block"},
    {"-frandom -Fparam.txt", "a 2\nb 3\n", "line 2 of param.txt: every file must have as many threads"},
    {"-frandom -Fparam.txt", "a 2 0x0 5\nb 2 0x0 6\n", "line 2 of param.txt: every file must have the size"},
    {"-frandom -Fparam.txt", "a 2 0x1\nb 2\n", "line 2 of param.txt: either every file has a mask"},
    {"-frandom -Fparam.txt", "a 2 0x3\n", "line 1 of param.txt: threads are bound to one CPU each"},
    {"-frandom -p0 -Fparam.txt", "a 2 0x1\n", "line 1 of param.txt: a mask, and -p or -a"},
    {"-frandom -Fparam.txt", "a 200\nb 200\n", "param.txt has 400 threads: at most 256"},
    {"-frandom -Fparam.txt other.dat", "a 2\n", "other.dat is not in param.txt"},
    {"-frandom -RD -Fparam.txt", "a 2\n", "-RD and -Fparam.txt"},
    {"-frandom -dCD -Fparam.txt", "a 2\n", "-dCD: a parameter file takes one drive letter"},
    {"-Fparam.txt", "a 65\n", "-f64 with 65 threads"},
};

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        tool_refuse("sqlio", wrong[i].line, wrong[i].params, wrong[i].part);
}

static void without_words_it_says_how_it_is_used(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        struct tool *tool = tool_make("sqlio", i ? "-?" : "", NULL);
        assert_true(tool->good);
        assert_int_equal(tool->invocation->action, ACTION_PRINTED);
        assert_non_null(strstr(tool_text(tool), "usage: sqlio [options] [file ...]"));
        tool_free(tool);
    }
}

/* ---- the layout ---- */

static void print_run(struct tool *tool, uint64_t have_bytes, struct result *result)
{
    const struct listener *listener = &tool->invocation->listener;
    struct sqlio_printer *printer = listener->context;
    struct job *job = &tool->invocation->job;
    printer->out = tool->out; /* that of read_back is stdout */
    printer->ticks_per_s = 2922685;
    job->files = strchr(job->target, ',') ? 2 : 1;
    if (have_bytes < job->total_size_bytes) {
        listener->expand_started(listener->context, job->target, have_bytes, job->total_size_bytes);
        listener->expand_done(listener->context, job->target);
    }
    if (job->total_size_bytes == 0)
        job->total_size_bytes = have_bytes;
    listener->run_starting(listener->context, job);
    listener->run_opened(listener->context, job);
    listener->run_done(listener->context, result);
}

static struct result *make_result(const struct tool *tool, uint64_t operations, uint64_t load_ns)
{
    struct result *result = result_make(&tool->invocation->job);
    struct class_tally *tally = &result->total.of[mode_writes(tool->invocation->job.mode) ? CLASS_WRITE : CLASS_READ];
    tally->bytes = operations * tool->invocation->job.block_size_bytes;
    tally->latency.count = operations;
    result->load_ns = load_ns;
    return result;
}

static void the_first_published_output_comes_out_as_it_was(void **state)
{
    struct tool *tool = tool_make("sqlio", "-kR -s300 -dc -b16 -frandom -Fparam.txt", "testfile.dat 1 0x0 3072\n");
    struct result *result = make_result(tool, 1150617, 300 * NS_PER_S);
    (void)state;
    print_run(tool, 3072 * MIB, result);
    assert_string_equal(tool_text(tool), "sqlio v1.5.SG\n"
                                         "parameter file used: param.txt\n"
                                         "\tfile c:testfile.dat with 1 thread (0) using mask 0x0 (0)\n"
                                         "1 thread reading for 300 secs from file c:testfile.dat\n"
                                         "\tusing 16KB random IOs\n"
                                         "using specified size: 3072 MB for file: c:testfile.dat\n"
                                         "initialization done\n"
                                         "CUMULATIVE DATA:\n"
                                         "throughput metrics:\n"
                                         "IOs/sec:  3835.39\n"
                                         "MBs/sec:    59.92\n");
    result_free(result);
    tool_free(tool);
}

static void a_run_with_all_lines_is_printed_line_by_line(void **state)
{
    struct tool *tool = tool_make("sqlio", "-kW -s60 -b8 -frandom -o8 -BH -LS -Fparam.txt", "testfile.dat 4 0x0 100\n");
    struct result *result = make_result(tool, 0, 60 * NS_PER_S);
    struct histogram *latency = &result->total.of[CLASS_WRITE].latency;
    (void)state;
    for (int i = 0; i < 1000; ++i)
        histogram_record(latency, i < 300 ? NS_PER_MS / 10 : i < 994 ? 9 * NS_PER_MS + NS_PER_MS / 2 : 300 * NS_PER_MS);
    result->total.of[CLASS_WRITE].bytes = 1000 * 8192;
    print_run(tool, 0, result);
    assert_string_equal(tool_text(tool),
                        "sqlio v1.5.SG\n"
                        "using system counter for latency timings, 2922685 counts per second\n"
                        "parameter file used: param.txt\n"
                        "\tfile testfile.dat with 4 threads (0-3) using mask 0x0 (0)\n"
                        "4 threads writing for 60 secs to file testfile.dat\n"
                        "\tusing 8KB random IOs\n"
                        "\tenabling multiple I/Os per thread with 8 outstanding\n"
                        "\tbuffering set to use hardware disk cache (but not file cache)\n"
                        "size of file testfile.dat needs to be: 104857600 bytes\n"
                        "current file size:\t0 bytes\n"
                        "need to expand by:\t104857600 bytes\n"
                        "expanding testfile.dat ... done.\n"
                        "using specified size: 100 MB for file: testfile.dat\n"
                        "initialization done\n"
                        "CUMULATIVE DATA:\n"
                        "throughput metrics:\n"
                        "IOs/sec:    16.67\n"
                        "MBs/sec:     0.13\n"
                        "latency metrics:\n"
                        "Min_Latency(ms): 0\n"
                        "Avg_Latency(ms): 8\n"
                        "Max_Latency(ms): 300\n"
                        "histogram:\n"
                        "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n"
                        "%: 30  0  0  0  0  0  0  0  0 69  0  0  0  0  0  0  0  0  0  0  0  0  0  0  1\n");
    result_free(result);
    tool_free(tool);
}

static void several_files_and_the_default_pattern_have_their_lines(void **state)
{
    struct tool *tool = tool_make("sqlio", "-t2 -o1 -BN a.dat b.dat", NULL);
    struct result *result = make_result(tool, 100, NS_PER_S);
    (void)state;
    print_run(tool, 16 * MIB, result);
    assert_string_equal(tool_text(tool), "sqlio v1.5.SG\n"
                                         "2 threads reading for 30 secs from files a.dat and b.dat\n"
                                         "\tusing 2KB IOs over 128KB stripes with 64 IOs per run\n"
                                         "\tenabling multiple I/Os per thread with 1 outstanding\n"
                                         "\tbuffering set to not use file nor disk caches (as is SQL Server)\n"
                                         "initialization done\n"
                                         "CUMULATIVE DATA:\n"
                                         "throughput metrics:\n"
                                         "IOs/sec:   100.00\n"
                                         "MBs/sec:     0.19\n");
    result_free(result);
    tool_free(tool);
}

static void threads_are_numbered_on_over_the_lines(void **state)
{
    struct tool *tool = tool_make("sqlio", "-fsequential -Fparam.txt", "a 2 0x1\nb 2 0x4\n");
    struct result *result = make_result(tool, 0, NS_PER_S);
    (void)state;
    print_run(tool, 40 * MIB, result);
    assert_string_equal(tool_text(tool), "sqlio v1.5.SG\n"
                                         "parameter file used: param.txt\n"
                                         "\tfile a with 2 threads (0-1) using mask 0x1 (1)\n"
                                         "\tfile b with 2 threads (2-3) using mask 0x4 (4)\n"
                                         "4 threads reading for 30 secs from files a and b\n"
                                         "\tusing 2KB sequential IOs\n"
                                         "using current size: 20 MB for file: a\n"
                                         "using current size: 20 MB for file: b\n"
                                         "initialization done\n"
                                         "CUMULATIVE DATA:\n"
                                         "throughput metrics:\n"
                                         "IOs/sec:     0.00\n"
                                         "MBs/sec:     0.00\n");
    result_free(result);
    tool_free(tool);
}

/* Published pairs of both figures. */
static void megabytes_are_cut_and_not_rounded(void **state)
{
    static const struct {
        const char *line;
        double iops;
        const char *ios, *mbs;
    } rows[] = {{"-b8 -frandom a", 421.88, "IOs/sec:   421.88\n", "MBs/sec:     3.29\n"},
                {"-b8 -frandom a", 28807.29, "IOs/sec: 28807.29\n", "MBs/sec:   225.05\n"},
                {"-b8 -frandom a", 3434.19, "IOs/sec:  3434.19\n", "MBs/sec:    26.82\n"},
                {"-b2 -frandom a", 183.16, "IOs/sec:   183.16\n", "MBs/sec:     0.35\n"},
                {"-b8 -frandom a", 44373.12, "IOs/sec: 44373.12\n", "MBs/sec:   346.66\n"},
                {"-b16 -frandom a", 3832.00, "IOs/sec:  3832.00\n", "MBs/sec:    59.87\n"},
                {"-b1024 -frandom a", 3, "IOs/sec:     3.00\n", "MBs/sec:     3.00\n"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make("sqlio", rows[i].line, NULL);
        struct result *result = make_result(tool, (uint64_t)(rows[i].iops * 100 + 0.5), 100 * NS_PER_S);
        print_run(tool, 40 * MIB, result);
        assert_non_null(strstr(tool_text(tool), rows[i].ios));
        assert_non_null(strstr(tool_text(tool), rows[i].mbs));
        result_free(result);
        tool_free(tool);
    }
}

static void a_cell_of_a_hundred_percent_takes_the_blank(void **state)
{
    struct tool *tool = tool_make("sqlio", "-LS -frandom a", NULL);
    struct result *result = make_result(tool, 0, NS_PER_S);
    (void)state;
    histogram_record(&result->total.of[CLASS_READ].latency, 1500000);
    print_run(tool, 40 * MIB, result);
    assert_non_null(strstr(tool_text(tool), "\n%:  0100  0  0  0"));
    assert_non_null(strstr(tool_text(tool), "Min_Latency(ms): 1\nAvg_Latency(ms): 1\nMax_Latency(ms): 1\n"));
    result_free(result);
    tool_free(tool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_readme),
        cmocka_unit_test(each_option_is_its_setting),
        cmocka_unit_test(the_published_command_lines_are_taken),
        cmocka_unit_test(a_write_may_overwrite_what_it_names_and_a_read_nothing),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(without_words_it_says_how_it_is_used),
        cmocka_unit_test(the_first_published_output_comes_out_as_it_was),
        cmocka_unit_test(a_run_with_all_lines_is_printed_line_by_line),
        cmocka_unit_test(several_files_and_the_default_pattern_have_their_lines),
        cmocka_unit_test(threads_are_numbered_on_over_the_lines),
        cmocka_unit_test(megabytes_are_cut_and_not_rounded),
        cmocka_unit_test(a_cell_of_a_hundred_percent_takes_the_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
