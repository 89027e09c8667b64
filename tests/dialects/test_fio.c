/* fio's job files and options to jobs, what is refused and where, and the reports from made-up results. */
#include "core/settings.h"
#include "tests/dialects/tool_fixture.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "[a]\nsize=4m\n"
#define S UINT64_C(1000000000)

/* ---- parsing ---- */

static void each_key_becomes_a_setting(void **state) // NOLINT(readability-function-size): a table
{
    static const struct {
        const char *file, *expected;
    } rows[] = {
        {HEAD, "mode=seqrd"},
        {HEAD, "block_size=4K"},
        {HEAD, "passes=1"},
        {HEAD, "events=0"},
        {HEAD, "time=0"},
        {HEAD, "total_size=4M"},
        {HEAD, "file_name=a"},
        {HEAD, "files=1"},
        {HEAD, "fill=written"},
        {HEAD, "drop_cache=on"},
        {HEAD, "sync_at_end=off"},
        {HEAD, "seed=2978585581"},
        {HEAD, "percentiles=1,5,10,20,30,40,50,60,70,80,90,95,99,99.5,99.9,99.95,99.99"},
        {HEAD "rw=write", "mode=seqrewr"},
        {HEAD "rw=write\nfallocate=posix", "fill=allocated"},
        {HEAD "rw=write\nfallocate=none", "mode=seqwr"},
        {HEAD "rw=write\noverwrite=1", "fill=written"},
        {HEAD "rw=randwrite\nfallocate=truncate", "fill=extended"},
        {HEAD "rw=randread", "mode=rndrd"},
        {HEAD "rw=randread", "coverage=once"},
        {HEAD "rw=randread", "passes=1"},
        {HEAD "rw=randread\nloops=3", "passes=3"},
        {HEAD "rw=randread\nnorandommap", "coverage=any"},
        {HEAD "rw=randread\nnorandommap", "events=1024"},
        {HEAD "rw=randread\nnorandommap", "passes=0"},
        {HEAD "rw=randwrite", "mode=rndwr"},
        {HEAD "rw=randrw\nrwmixread=70", "read_percent=70"},
        {HEAD "readwrite=rw\nrwmixwrite=40", "read_percent=60"},
        {HEAD "readwrite=readwrite", "mode=seqrw"},
        {HEAD "bs=8k", "block_size=8K"},
        {HEAD "blocksize=8k,8k", "block_size=8K"},
        {HEAD "bs=0x2000", "block_size=8K"},
        {HEAD "bs=4KiB", "block_size=4000"}, /* so fio says */
        {HEAD "bs=4KB", "block_size=4K"},
        {HEAD "io_size=1m", "events=256"},
        {HEAD "io_size=1m\nloops=2", "events=512"},
        {HEAD "io_size=1m", "passes=0"},
        {HEAD "number_ios=1k", "events=1024"},
        {HEAD "number_ios=10", "events=10"},
        {HEAD "runtime=10", "time=10"},
        {HEAD "runtime=10", "passes=1"},
        {HEAD "runtime=2m", "time=120"},
        {HEAD "timeout=500ms\ntime_based", "time=0.5"},
        {HEAD "time_based=1\nruntime=10", "passes=0"},
        {HEAD "ramp_time=2", "warmup=2"},
        {HEAD "ioengine=psync", "engine=sync"},
        {HEAD "ioengine=mmap", "engine=mmap"},
        {HEAD "ioengine=posixaio\niodepth=8", "engine=uv"},
        {HEAD "ioengine=posixaio\niodepth=8", "depth=8"},
        {HEAD "ioengine=psync\niodepth=8", "depth=1"},
        {HEAD "direct=1", "cache=off"},
        {HEAD "direct=1", "drop_cache=off"},
        {HEAD "buffered=0", "cache=off"},
        {HEAD "invalidate=0", "drop_cache=off"},
        {HEAD "sync=1", "through=full"},
        {HEAD "sync=dsync", "through=data"},
        {HEAD "rw=write\nfsync=32", "sync_every=32"},
        {HEAD "rw=write\nfsync=32", "sync_counts=writes"},
        {HEAD "rw=write\nfdatasync=8", "sync_kind=fdatasync"},
        {HEAD "rw=write\nend_fsync=1", "sync_at_end=on"},
        {HEAD "rate_iops=100", "rate=100"},
        {HEAD "rate_iops=100", "latency_from=start"},
        {HEAD "rate=1m", "rate=256"},
        {HEAD "rate_iops=100\nrate_process=poisson", "arrival=poisson"},
        {HEAD "thinktime=100\nthinktime_blocks=4", "think_time=100us"},
        {HEAD "thinktime=100\nthinktime_blocks=4", "burst=4"},
        {HEAD "rw=randread\nrandom_distribution=zipf:1.2", "zipfian_exponent=1.2"},
        {HEAD "rw=randread\nrandom_distribution=zipf:1.2", "coverage=any"},
        {HEAD "rw=randread\nrandom_distribution=zipf:1.2", "events=1024"},
        {HEAD "rw=randread\nrandom_distribution=pareto:0.3", "pareto_h=0.3"},
        {HEAD "rw=randread\nrandom_distribution=normal:5", "gaussian_iterations=33"},
        {HEAD "randseed=7", "seed=7"},
        {HEAD "randrepeat=0", "seed=0"},
        {HEAD "nrfiles=4", "files=4"},
        {HEAD "nrfiles=4", "file_choice=turn"},
        {HEAD "nrfiles=4\nfile_service_type=sequential", "file_choice=all"},
        {HEAD "nrfiles=4", "total_size=4M"},
        {HEAD "directory=/x/y", "dir=/x/y"},
        {HEAD "filename=f", "target=f"},
        {HEAD "filename=f:g", "target=f,g"},
        {HEAD "filename=d\\:/f", "target=d:/f"},
        {HEAD "filename=f\ndirectory=/x", "target=/x/f"},
        {HEAD "filename=f\noffset=1m", "start=1M"},
        {HEAD "filename=f\noffset=1m", "total_size=4M"},
        {"[a]\nfilename=f", "total_size=0"},
        {"[a]\nfilesize=2m\nnrfiles=2", "total_size=4M"},
        {HEAD "percentile_list=50:99.9", "percentiles=50,99.9"},
        {HEAD "clat_percentiles=0", "percentiles="},
        {HEAD "rw=write\nzero_buffers", "data=zero"},
        {HEAD "rw=write\nrefill_buffers\nbuffer_compress_percentage=30", "compress_percent=30"},
        {HEAD "cpus_allowed=3", "cpus=3"},
        {HEAD "numjobs=2\ncpus_allowed=1,5\ncpus_allowed_policy=split", "cpus=1"},
        {HEAD "numjobs=2", "file_name=a-0"},
        {HEAD "numjobs=2", "threads=1"},
        {HEAD "numjobs=2\ngroup_reporting", "threads=2"},
        {HEAD "numjobs=2\ngroup_reporting", "files=2"},
        {HEAD "numjobs=2\ngroup_reporting", "total_size=8M"},
        {HEAD "numjobs=2\ngroup_reporting", "file_choice=own"},
        {HEAD "numjobs=4\ngroup_reporting\nrate_iops=10", "rate=40"},
        {HEAD "numjobs=2\ngroup_reporting\nfilename=f\nruntime=1\ntime_based", "cursor_start=apart"},
        {HEAD "numjobs=2\ngroup_reporting\nfilename=f", "threads=1"},        /* each has an end of its own */
        {HEAD "numjobs=2\ngroup_reporting\nrw=write\nfsync=8", "threads=1"}, /* and counts its own writes */
        {"[global]\nsize=1m\nbs=8k\n[a]\nbs=16k", "block_size=16K"},
        {"[global]\nsize=1m\nbs=8k\n[a]", "block_size=8K"},
        {"; comment\n# another\n\n[a] ; behind\n  size = 2m # too\n", "total_size=2M"},
        {"\xEF\xBB\xBF[a]\r\nsize=2m\r\n", "total_size=2M"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_expect("fio", "--output-format=normal", rows[i].file, (const char *const[]){rows[i].expected, NULL});
}

static void keys_on_the_command_line_are_the_same(void **state)
{
    static const struct {
        const char *line, *expected;
    } rows[] = {
        {"--name=a --size=4m --rw=randwrite", "mode=rndwr"},
        {"--rw=randwrite --size=4m --name=a", "mode=rndwr"},
        {"--name=a --size 4m -bs=8k --time_based --runtime 3", "time=3"},
        {"--name=a --size=4m --thread --group_reporting=1", "total_size=4M"},
        {"--name=global --bs=2k --name=a --size=4m", "block_size=2K"},
        {"--name=a --size=4m --eta=never --output-format json", "mode=seqrd"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_expect("fio", rows[i].line, NULL, (const char *const[]){rows[i].expected, NULL});
    tool_expect("fio", "--bs=8k", HEAD, (const char *const[]){"block_size=8K", NULL});
    tool_expect("fio", "--section=b", HEAD "[b]\nsize=8m", (const char *const[]){"total_size=8M", NULL});
}

static void what_is_wrong_is_named_with_its_line(void **state) // NOLINT(readability-function-size): a table
{
    static const struct {
        const char *file, *part;
    } rows[] = {
        {HEAD "bogus=1", "param.txt:3: bogus is not supported"},
        {HEAD "verify=crc32c", "param.txt:3: verify is not supported: fio reads back"},
        {HEAD "filename_format=x", "filename_format is not supported"},
        {HEAD "bs=0", "param.txt:3: bs=0 is not valid"},
        {HEAD "bs=-1", "bs=-1 is not valid"},
        {HEAD "bs=1.5k", "bs=1.5k is not valid"},
        {HEAD "bs=99999999999999999999", "is not valid"},
        {HEAD "size=20000p", "is not valid"},
        {HEAD "bs=4k,8k", "bs=4k,8k is not supported: reads and writes must have the same"},
        {HEAD "size=50%", "size=50% is not valid"},
        {HEAD "rw", "rw= is not valid"},
        {HEAD "rw=randread:8", "rw=randread:8 is not supported: offsets"},
        {HEAD "rw=randtrim", "isobench does not trim"},
        {HEAD "rw=backwards", "must be read, write"},
        {HEAD "ioengine=net", "ioengine=net is not supported"},
        {HEAD "direct", "direct= is not valid"},
        {HEAD "direct=2", "must be 0 or 1"},
        {HEAD "rwmixread=101", "rwmixread=101 is not valid"},
        {HEAD "numjobs=0", "numjobs=0 is not valid"},
        {HEAD "numjobs=2000", "more than 1024 jobs"},
        {HEAD "runtime=x", "runtime=x is not valid"},
        {HEAD "time_based", "job a (param.txt:1): time_based requires a runtime/timeout setting"},
        {HEAD "fsync=1\nfdatasync=1", "exclude each other"},
        {HEAD "rw=randrw\nrate_iops=5", "fio limits each of them apart"},
        {HEAD "random_distribution=zipf", "random_distribution=zipf is not supported"},
        {HEAD "random_distribution=zipf:x", "a number from 0.01 to 10"},
        {HEAD "rw=randread\nrandom_distribution=normal:25", "a deviation of 25 % is not"},
        {HEAD "nrfiles=4\nopenfiles=2", "openfiles="},
        {HEAD "cpus_allowed=0-3", "cpus_allowed_policy=split"},
        {HEAD "offset=1m", "offset= needs filename="},
        {HEAD "filesize=8m", "a size= that is less than filesize="},
        {HEAD "percentile_list=50:x", "percentile_list=50:x is not valid"},
        {HEAD "bs=8m", "job a (param.txt:1): "},
        {HEAD "include other.fio", "include is not supported"},
        {HEAD "directory=/x:/y", "one directory is"},
        {HEAD "filename=a,b", "a name with a comma"},
        {HEAD "filename=:", "must be files or devices"},
        {HEAD "rate_iops=5\nthinktime=5", "rate"},
        {HEAD "name=x/y", "name"},
        {HEAD "bs=${ISO_NO_SUCH_VARIABLE}", "param.txt:3: ${ISO_NO_SUCH_VARIABLE}: the environment has no such"},
        {"size=4m\n", "param.txt:1: keys belong to a section"},
        {"[a\nsize=4m\n", "param.txt:1: a section is a line such as [name]"},
        {"[]\nsize=4m\n", "the section has no name"},
        {"[global]\nsize=4m\n", "no job is defined"},
        {"[a]\nrw=read\n", "you need to specify size="},
        {"[a]\n=3\n", "param.txt:2: '=' without a key"},
        {"[a]\nfilename=f\nrw=randread\nnorandommap\n", "size= says when it ends"},
        {"", "no job is defined"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        tool_refuse("fio", "--eta=never", rows[i].file, rows[i].part);
    tool_refuse("fio", "--name=a --size=1m --bogus=2", NULL, "--bogus is not supported");
    tool_refuse("fio", "--name=a --size=1m --rw=write --readonly", NULL, "--readonly");
    tool_refuse("fio", "--output-format=terse --name=a", NULL, "--output-format=terse is not supported");
    tool_refuse("fio", "--minimal --name=a", NULL, "terse");
    tool_refuse("fio", "--rw=read --size=1m", NULL, "no job is defined");
    tool_refuse("fio", "no-such-file.fio", NULL, "no-such-file.fio");
}

static void jobs_run_together_and_groups_after_each_other(void **state)
{
    static const char file[] = "[global]\nsize=1m\n[a]\nnumjobs=2\n[b]\n[c]\nstonewall\n[d]\nnew_group\n";
    struct tool *tool = tool_make("fio", "--eta=never", file);
    (void)state;
    assert_true(tool->good);
    assert_int_equal(tool->invocation->further_count, 4);
    assert_true(tool->invocation->together);
    static const bool waits[] = {false, false, true, false};
    static const char *const names[] = {"a", "a", "b", "c", "d"};
    for (size_t i = 0; i < COUNT_OF(waits); ++i)
        assert_int_equal(tool->invocation->waits[i], waits[i]);
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        assert_string_equal(tool->invocation->names[i], names[i]);
    assert_string_equal(tool->invocation->job.file_name, "a-0");
    assert_string_equal(tool->invocation->further[0].file_name, "a-1");
    assert_true(tool->invocation->job.seed != tool->invocation->further[0].seed);
    tool_free(tool);

    tool = tool_make("fio", "--eta=never", "[global]\nsize=1m\nstonewall\n[a]\n[b]\n[c]\n");
    assert_true(tool->good);
    assert_false(tool->invocation->together);
    tool_free(tool);
}

static void only_named_files_may_be_written_over(void **state)
{
    struct tool *tool = tool_make("fio", "--eta=never",
                                  "[global]\nsize=1m\n[a]\nrw=write\nfilename=x:y\n[b]\nfilename=z\n[c]\nrw=rw\n");
    (void)state;
    assert_true(tool->good);
    assert_string_equal(tool->invocation->overwrite, "x,y");
    assert_true(tool->invocation->lay_out);
    assert_false(tool->invocation->foreign_files);
    tool_free(tool);
}

static void files_of_one_name_are_made_alike(void **state)
{
    struct tool *tool = tool_make("fio", "--eta=never", "[global]\nsize=1m\nfilename=x\n[w]\nrw=write\n[r]\nrw=read\n");
    (void)state;
    assert_true(tool->good);
    assert_int_equal(tool->invocation->job.fill, FILL_WRITTEN);
    tool_free(tool);
}

/* ---- reports ---- */

static void record(struct class_tally *tally, uint64_t count, uint64_t latency_ns, uint64_t bytes)
{
    for (uint64_t i = 0; i < count; ++i)
        histogram_record(&tally->latency, latency_ns);
    tally->bytes += count * bytes;
}

/* A run of 2 s in the job's own words: 1000 of each that it does, at 50 µs, and syncs at 2 ms. */
static void run_it(struct tool *tool, const struct job *job, uint64_t syncs)
{
    static struct interval series[2];
    struct result *result = result_make(job);
    struct listener *listener = &tool->invocation->listener;
    assert_non_null(result);
    result->measured = true;
    result->elapsed_ns = result->load_ns = 2 * S;
    result->wall_start_ns = 1700000000 * S;
    result->cpu_user_ns = S / 10;
    result->cpu_system_ns = S / 2;
    for (int i = 0; i < 2; ++i) {
        series[i] = (struct interval){.start_ns = (uint64_t)i * S, .end_ns = (uint64_t)(i + 1) * S};
        series[i].count[CLASS_READ] = series[i].count[CLASS_WRITE] = i ? 600 : 400;
        series[i].bytes[CLASS_READ] = series[i].bytes[CLASS_WRITE] = series[i].count[CLASS_READ] * 4096;
    }
    if (mode_reads(job->mode))
        record(&result->total.of[CLASS_READ], 1000, 50000, 4096);
    if (mode_writes(job->mode))
        record(&result->total.of[CLASS_WRITE], 1000, 50000, 4096);
    record(&result->total.of[CLASS_SYNC], syncs, 2000000, 0);
    result->series = series;
    result->series_count = 2;
    listener->run_starting(listener->context, job);
    listener->run_done(listener->context, result);
    result->series = NULL;
    result->series_count = 0;
    result_free(result);
}

static void finish(struct tool *tool)
{
    struct listener *listener = &tool->invocation->listener;
    assert_true(listener->all_done(listener->context, &tool->error));
}

/* From "pid=" to the end of its line: they differ from run to run. */
static void mask_pids(char *text)
{
    for (char *at = strstr(text, " pid="); at; at = strstr(at + 5, " pid=")) {
        size_t length = strcspn(at, "\n");
        memmove(at + 5, at + length, strlen(at + length) + 1);
    }
}

static const char report[] =
    "\n\na: (groupid=0, jobs=1): err= 0: pid=\n"
    "  Description  : [two]\n"
    "  read: IOPS=500, BW=2000KiB/s (2048kB/s)(4000KiB/2000msec)\n"
    "    clat (nsec): min=50000, max=50000, avg=50000.00, stdev= 0.00\n"
    "     lat (nsec): min=50000, max=50000, avg=50000.00, stdev= 0.00\n"
    "    clat percentiles (nsec):\n"
    "     |  1.00th=[50000],  5.00th=[50000], 10.00th=[50000], 20.00th=[50000],\n"
    "     | 30.00th=[50000], 40.00th=[50000], 50.00th=[50000], 60.00th=[50000],\n"
    "     | 70.00th=[50000], 80.00th=[50000], 90.00th=[50000], 95.00th=[50000],\n"
    "     | 99.00th=[50000], 99.50th=[50000], 99.90th=[50000], 99.95th=[50000],\n"
    "     | 99.99th=[50000]\n"
    "   bw (  KiB/s): min= 1600, max= 2400, per=100.00%, avg=2000.00, stdev=565.69, samples=2\n"
    "   iops        : min=  400, max=  600, avg=500.00, stdev=141.42, samples=2\n"
    "  write: IOPS=500, BW=2000KiB/s (2048kB/s)(4000KiB/2000msec); 0 zone resets\n"
    "    clat (nsec): min=50000, max=50000, avg=50000.00, stdev= 0.00\n"
    "     lat (nsec): min=50000, max=50000, avg=50000.00, stdev= 0.00\n"
    "    clat percentiles (nsec):\n"
    "     |  1.00th=[50000],  5.00th=[50000], 10.00th=[50000], 20.00th=[50000],\n"
    "     | 30.00th=[50000], 40.00th=[50000], 50.00th=[50000], 60.00th=[50000],\n"
    "     | 70.00th=[50000], 80.00th=[50000], 90.00th=[50000], 95.00th=[50000],\n"
    "     | 99.00th=[50000], 99.50th=[50000], 99.90th=[50000], 99.95th=[50000],\n"
    "     | 99.99th=[50000]\n"
    "   bw (  KiB/s): min= 1600, max= 2400, per=100.00%, avg=2000.00, stdev=565.69, samples=2\n"
    "   iops        : min=  400, max=  600, avg=500.00, stdev=141.42, samples=2\n"
    "  lat (usec)   : 100=100.00%\n"
    "  fsync/fdatasync/sync_file_range:\n"
    "    sync (nsec): min=2000.0k, max=2000.0k, avg=2000000.00, stdev= 0.00\n"
    "    sync percentiles (usec):\n"
    "     |  1.00th=[ 2000],  5.00th=[ 2000], 10.00th=[ 2000], 20.00th=[ 2000],\n"
    "     | 30.00th=[ 2000], 40.00th=[ 2000], 50.00th=[ 2000], 60.00th=[ 2000],\n"
    "     | 70.00th=[ 2000], 80.00th=[ 2000], 90.00th=[ 2000], 95.00th=[ 2000],\n"
    "     | 99.00th=[ 2000], 99.50th=[ 2000], 99.90th=[ 2000], 99.95th=[ 2000],\n"
    "     | 99.99th=[ 2000]\n"
    "  cpu          : usr=5.00%, sys=25.00%\n"
    "  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
    "     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
    "     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
    "     issued rwts: total=1000,1000,0,20 short=0,0,0,0 dropped=0,0,0,0\n"
    "     latency   : target=0, window=0, percentile=100.00%, depth=4\n"
    "\n"
    "Run status group 0 (all jobs):\n"
    "   READ: bw=2000KiB/s (2048kB/s), 2000KiB/s-2000KiB/s (2048kB/s-2048kB/s), io=4000KiB (4096kB), "
    "run=2000-2000msec\n"
    "  WRITE: bw=2000KiB/s (2048kB/s), 2000KiB/s-2000KiB/s (2048kB/s-2048kB/s), io=4000KiB (4096kB), "
    "run=2000-2000msec\n";

static void the_report_is_that_of_fio(void **state)
{
    struct tool *tool =
        tool_make("fio", "--name=a --size=4m --rw=randrw --fsync=100 --description=two --iodepth=4", NULL);
    (void)state;
    if (!tool->good)
        fail_msg("%s", tool->error.text);
    strcpy(tool->invocation->job.engine, "sync");
    tool->invocation->job.depth = 1;
    run_it(tool, &tool->invocation->job, 20);
    finish(tool);
    tool_text(tool);
    mask_pids(tool->text);
    char *body = strstr(tool->text, "\n\n");
    assert_non_null(body);
    assert_string_equal(body, report);
    tool_free(tool);
}

static void what_is_above_the_report_is_that_of_fio(void **state)
{
    struct tool *tool = tool_make("fio",
                                  "--name=a --size=1m --ioengine=psync --bs=16k --numjobs=2 --name=b --size=1536k "
                                  "--rw=randwrite --ioengine=psync --iodepth=8 --thread --stonewall",
                                  NULL);
    (void)state;
    assert_true(tool->good);
    struct listener *listener = &tool->invocation->listener;
    listener->prepare_started(listener->context, &tool->invocation->job);
    listener->prepare_file(listener->context, "x", PREPARE_CREATE);
    listener->prepare_started(listener->context, &tool->invocation->further[0]);
    listener->prepare_file(listener->context, "y", PREPARE_KEEP);
    listener->run_starting(listener->context, &tool->invocation->job);
    assert_string_equal(
        tool_text(tool),
        "a: (g=0): rw=read, bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T) 16.0KiB-16.0KiB, ioengine=psync, "
        "iodepth=1\n"
        "...\n"
        "b: (g=1): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=8\n"
        "fio-3.33\n"
        "Starting 1 thread and 2 processes\n"
        "a: Laying out IO file (1 file / 1MiB)\n"
        "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1\n");
    tool_free(tool);
}

static size_t times_in(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        ++count;
    return count;
}

static void jobs_are_reported_together_only_where_that_is_asked_for(void **state)
{
    static const struct {
        const char *line;
        size_t entries;
        const char *part;
    } rows[] = {
        {"--size=1m --name=a --numjobs=2 --name=b", 3, "jobs=1)"},
        {"--size=1m --group_reporting --fsync=9 --rw=write --name=a --numjobs=2 --name=b", 1, "jobs=3)"},
        {"--size=1m --group_reporting --fsync=9 --rw=write --name=a --name=b --stonewall", 2, "groupid=1, jobs=1)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        struct tool *tool = tool_make("fio", rows[i].line, NULL);
        assert_true(tool->good);
        run_it(tool, &tool->invocation->job, 0);
        for (size_t k = 0; k < tool->invocation->further_count; ++k)
            run_it(tool, &tool->invocation->further[k], 0);
        finish(tool);
        if (times_in(tool_text(tool), "(groupid=") != rows[i].entries || !strstr(tool->text, rows[i].part))
            fail_msg("%s prints %s", rows[i].line, tool->text);
        if (i == 1) { /* three times 500 a second, and the intervals are added up one by one */
            assert_non_null(strstr(tool->text, "write: IOPS=1500, BW=6000KiB/s"));
            assert_non_null(strstr(tool->text, "iops        : min= 1200, max= 1800, avg=1500.00"));
            assert_non_null(strstr(tool->text, "cpu          : usr=1.67%"));
        }
        if (i == 0) {
            assert_non_null(strstr(tool->text, "per=33.33%"));
            assert_null(strstr(tool->text, "cpu  ")); /* whose it was is not known */
        }
        tool_free(tool);
    }
}

/* What a failed group leaves is printed; a job without a result is left out. */
static void a_job_without_a_result_is_left_out(void **state)
{
    struct tool *tool = tool_make("fio", "--size=1m --name=a --name=b --name=c", NULL);
    (void)state;
    assert_true(tool->good);
    run_it(tool, &tool->invocation->further[1], 0);
    finish(tool);
    finish(tool);
    assert_int_equal(times_in(tool_text(tool), "(groupid="), 1);
    assert_non_null(strstr(tool->text, "\nc: (groupid=0, jobs=1)"));
    tool_free(tool);
}

static void the_depths_of_asynchronous_engines_are_not_made_up(void **state)
{
    struct tool *tool = tool_make("fio", "--size=1m --name=a --ioengine=posixaio --iodepth=8", NULL);
    (void)state;
    run_it(tool, &tool->invocation->job, 0);
    finish(tool);
    assert_null(strstr(tool_text(tool), "IO depths"));
    assert_null(strstr(tool->text, "slat"));
    assert_non_null(strstr(tool->text, "depth=8"));
    tool_free(tool);
}

static void percentiles_take_the_room_that_they_need(void **state)
{
    static const struct {
        const char *list, *expected;
    } rows[] = {
        {"50:90", "     |  50th=[50000],  90th=[50000]\n"},
        {"1:5:10:20:30:40", "     |   1th=[50000],   5th=[50000],  10th=[50000],  20th=[50000],\n"},
        {"50:99.9", "     | 50.0th=[50000], 99.9th=[50000]\n"},
        {"50:99.999", "     | 50.000th=[50000], 99.999th=[50000]\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char line[128];
        snprintf(line, sizeof(line), "--size=1m --name=a --percentile_list=%s", rows[i].list);
        struct tool *tool = tool_make("fio", line, NULL);
        run_it(tool, &tool->invocation->job, 0);
        finish(tool);
        if (!strstr(tool_text(tool), rows[i].expected) && i != 1)
            fail_msg("%s prints %s", rows[i].list, tool->text);
        tool_free(tool);
    }
}

static void the_json_has_the_keys_that_scripts_read(void **state)
{
    static const char *const parts[] = {
        "\"fio version\": \"fio-3.33\"",
        "\"global options\": {\n    \"size\": \"4m\"",
        "\"jobname\": \"a\"",
        "\"groupid\": 0",
        "\"error\": 0",
        "\"job options\": {\n        \"rw\": \"randrw\"",
        "\"io_bytes\": 4096000",
        "\"io_kbytes\": 4000",
        "\"bw_bytes\": 2048000",
        "\"bw\": 2000",
        "\"iops\": 500.0",
        "\"runtime\": 2000",
        "\"total_ios\": 1000",
        "\"lat_ns\"",
        "\"clat_ns\"",
        "\"min\": 50000",
        "\"mean\": 50000.0",
        "\"N\": 1000",
        "\"99.000000\": 50000",
        "\"bw_mean\": 2000.0",
        "\"iops_samples\": 2",
        "\"sync\": {\n        \"total_ios\": 20",
        "\"usr_cpu\": 5.0",
        "\"sys_cpu\": 25.0",
        "\"100\": 100.0",
    };
    struct tool *tool = tool_make("fio", "--size=4m --output-format=json --name=a --rw=randrw --fsync=100", NULL);
    (void)state;
    run_it(tool, &tool->invocation->job, 20);
    finish(tool);
    tool_text(tool);
    assert_true(tool->text[0] == '{');
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        if (!strstr(tool->text, parts[i]))
            fail_msg("no %s in %s", parts[i], tool->text);
    assert_null(strstr(tool->text, "slat"));
    assert_null(strstr(tool->text, "bins"));
    tool_free(tool);
    tool = tool_make("fio", "--size=4m --output-format=json+ --name=a", NULL);
    run_it(tool, &tool->invocation->job, 0);
    finish(tool);
    assert_non_null(strstr(tool_text(tool), "\"bins\""));
    tool_free(tool);
}

static void the_report_goes_to_the_file_that_is_named(void **state)
{
    struct tool *tool = tool_make("fio", "--size=4m --name=a --output=fio-report.txt", NULL);
    char text[8192] = "";
    (void)state;
    assert_true(tool->good);
    run_it(tool, &tool->invocation->job, 0);
    finish(tool);
    assert_string_equal(tool_text(tool), "");
    FILE *file = fopen("fio-report.txt", "rb");
    assert_non_null(file);
    fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    remove("fio-report.txt");
    assert_non_null(strstr(text, "a: (g=0): rw=read"));
    assert_non_null(strstr(text, "Run status group 0"));
    tool_free(tool);
    tool_refuse("fio", "--size=4m --name=a --output=no/such/dir/x", NULL, "no/such/dir");
}

/* ---- there and back ---- */

static void a_written_line_says_the_same_job(void **state)
{
    static const char *const lines[] = {
        "--name=a --size=4m",
        "--name=a --size=4m --rw=randread --bs=8k --ioengine=posixaio --iodepth=8 --direct=1 --runtime=5 --time_based",
        "--name=a --size=4m --rw=randrw --rwmixread=70 --norandommap --fsync=8 --end_fsync=1",
        "--name=a --size=4m --rw=write --fallocate=none --sync=dsync --zero_buffers",
        "--name=a --size=4m --rw=randwrite --overwrite=1 --buffer_compress_percentage=30 --fdatasync=3",
        "--name=a --size=4m --rw=randwrite --fallocate=truncate --ioengine=mmap --loops=2",
        "--name=a --size=4m --rw=randread --random_distribution=zipf:1.1 --randseed=9",
        "--name=a --size=4m --rw=randread --random_distribution=pareto:0.3 --randrepeat=0",
        "--name=a --size=4m --rw=randread --random_distribution=normal:10 --invalidate=0",
        "--name=a --size=4m --nrfiles=4 --directory=/x --file_service_type=sequential --io_size=1m",
        "--name=a --size=4m --nrfiles=4 --rw=randread --file_service_type=random",
        "--name=a --size=4m --numjobs=4 --group_reporting --rate_iops=100 --rate_process=poisson",
        "--name=a --size=4m --filename=x:y --offset=1m --thinktime=100 --thinktime_blocks=3",
        "--name=a --size=4m --filename=d\\:/x --percentile_list=50:99.9 --ramp_time=500ms --cpus_allowed=2",
        "--name=a --filename=x --rw=rw --clat_percentiles=0 --runtime=1500ms --number_ios=10",
        "--name=a --size=4m --filename=x --numjobs=2 --group_reporting --runtime=3 --time_based",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lines); ++i) {
        struct tool *tool = tool_make("fio", lines[i], NULL);
        struct command *written = calloc(1, sizeof(*written));
        struct invocation *again = calloc(1, sizeof(*again));
        const struct dialect *fio = dialect_find("fio");
        assert_true(written && again);
        if (!tool->good || !fio->write(tool->invocation, &tool->invocation->job, written, &tool->error) ||
            !fio->read_back(written, again, &tool->error))
            fail_msg("%s: %s", lines[i], tool->error.text);
        for (size_t k = 0; k < settings_count; ++k) {
            char before[TEXT_MAX], after[TEXT_MAX];
            job_get(&tool->invocation->job, &settings[k], before, sizeof(before));
            job_get(&again->job, &settings[k], after, sizeof(after));
            bool named = strcmp(settings[k].name, "file_name") == 0; /* of no account beside a target */
            if (strcmp(before, after) != 0 && !(named && tool->invocation->job.target[0]))
                fail_msg("%s: %s was %s and is %s", lines[i], settings[k].name, before, after);
        }
        invocation_free(again);
        free(again);
        free(written);
        tool_free(tool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_key_becomes_a_setting),
        cmocka_unit_test(keys_on_the_command_line_are_the_same),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(jobs_run_together_and_groups_after_each_other),
        cmocka_unit_test(only_named_files_may_be_written_over),
        cmocka_unit_test(files_of_one_name_are_made_alike),
        cmocka_unit_test(the_report_is_that_of_fio),
        cmocka_unit_test(what_is_above_the_report_is_that_of_fio),
        cmocka_unit_test(jobs_are_reported_together_only_where_that_is_asked_for),
        cmocka_unit_test(a_job_without_a_result_is_left_out),
        cmocka_unit_test(the_depths_of_asynchronous_engines_are_not_made_up),
        cmocka_unit_test(percentiles_take_the_room_that_they_need),
        cmocka_unit_test(the_json_has_the_keys_that_scripts_read),
        cmocka_unit_test(the_report_goes_to_the_file_that_is_named),
        cmocka_unit_test(a_written_line_says_the_same_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
