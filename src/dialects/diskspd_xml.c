/* diskspd_xml.c: DiskSpd's XML, element by element, through libxml2, whose types stay in this file. What DiskSpd has
 * and isobench does not measure is left out: the topology of the processors, latencies in the buckets of -D, and those
 * buckets for one of several threads. */
#include "dialects/diskspd.h"

#include "core/cpu_list.h"
#include "platform/host.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct xml {
    xmlTextWriterPtr writer;
    const struct diskspd_given *given;
    bool good;
};

#define WORD(text) ((const xmlChar *)(text))

/* ---- writing ---- */

static void check(struct xml *xml, int written)
{
    xml->good = xml->good && written >= 0;
}

static void begin(struct xml *xml, const char *name)
{
    check(xml, xmlTextWriterStartElement(xml->writer, WORD(name)));
}

static void end(struct xml *xml)
{
    check(xml, xmlTextWriterEndElement(xml->writer));
}

void diskspd_xml_clean(char *text)
{
    bool utf8 = xmlCheckUTF8((const unsigned char *)text) != 0;
    for (char *at = text; *at; ++at) {
        unsigned char byte = (unsigned char)*at;
        if ((byte < ' ' && byte != '\t' && byte != '\n') || (byte > '~' && !utf8))
            *at = '?';
    }
}

static void put_text(struct xml *xml, const char *name, const char *text)
{
    char clean[TEXT_MAX];
    snprintf(clean, sizeof(clean), "%s", text);
    diskspd_xml_clean(clean);
    check(xml, xmlTextWriterWriteElement(xml->writer, WORD(name), WORD(clean)));
}

static void put_count(struct xml *xml, const char *name, uint64_t count)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, count);
    put_text(xml, name, text);
}

static void put_real(struct xml *xml, const char *name, int digits, double value)
{
    char text[64];
    snprintf(text, sizeof(text), "%.*f", digits, value);
    put_text(xml, name, text);
}

static void put_flag(struct xml *xml, const char *name, bool flag)
{
    put_text(xml, name, flag ? "true" : "false");
}

static void put_attribute(struct xml *xml, const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof(text), "%.0f", value);
    check(xml, xmlTextWriterWriteAttribute(xml->writer, WORD(name), WORD(text)));
}

/* ---- the profile ---- */

static void put_data(struct xml *xml)
{
    static const char *const patterns[] = {
        [DATA_RANDOM] = "random", [DATA_ZERO] = "zero", [DATA_COUNT_UP] = "sequential"};
    const struct diskspd_given *given = xml->given;
    begin(xml, "WriteBufferContent");
    put_text(xml, "Pattern", patterns[given->data]);
    if (given->buffer_bytes > 0) {
        begin(xml, "RandomDataSource");
        put_count(xml, "SizeInBytes", given->buffer_bytes);
        end(xml);
    }
    end(xml);
}

static void put_caches(struct xml *xml)
{
    const struct diskspd_given *given = xml->given;
    if (given->uncached)
        put_flag(xml, "DisableOSCache", true);
    if (given->through)
        put_flag(xml, "WriteThrough", true);
    if (given->mapped)
        put_flag(xml, "MemoryMappedIo", true);
}

static void put_order(struct xml *xml)
{
    const struct diskspd_given *given = xml->given;
    bool random = given->random || given->mixed;
    uint64_t distance = random ? given->align_bytes : given->stride_bytes;
    distance = distance ? distance : given->block_bytes;
    if (random) {
        put_count(xml, "Random", distance);
        if (given->random_percent < 100)
            put_count(xml, "RandomRatio", given->random_percent);
        return;
    }
    put_count(xml, "StrideSize", distance);
    put_flag(xml, "InterlockedSequential", given->interlocked);
}

static void put_pace(struct xml *xml)
{
    const struct diskspd_given *given = xml->given;
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, given->rate);
    begin(xml, "Throughput");
    if (given->rate_in_ios)
        check(xml, xmlTextWriterWriteAttribute(xml->writer, WORD("unit"), WORD("IOPS")));
    check(xml, xmlTextWriterWriteString(xml->writer, WORD(text)));
    end(xml);
}

static void put_bursts(struct xml *xml)
{
    if (xml->given->burst == 0)
        return;
    put_count(xml, "BurstSize", xml->given->burst);
    put_count(xml, "ThinkTime", xml->given->think_ms);
}

static void put_target(struct xml *xml, const struct job *job, const char *name)
{
    const struct diskspd_given *given = xml->given;
    begin(xml, "Target");
    put_text(xml, "Path", name);
    put_count(xml, "BlockSize", given->block_bytes);
    put_count(xml, "BaseFileOffset", given->base_bytes);
    put_flag(xml, "SequentialScan", false);
    put_flag(xml, "RandomAccess", false); /* the hint; the pattern is <Random> */
    put_flag(xml, "TemporaryFile", false);
    put_flag(xml, "UseLargePages", false);
    put_caches(xml);
    put_data(xml);
    put_flag(xml, "ParallelAsyncIO", false);
    put_bursts(xml);
    if (given->create_bytes > 0)
        put_count(xml, "FileSize", given->create_bytes);
    put_order(xml);
    put_count(xml, "ThreadStride", given->thread_stride_bytes);
    put_count(xml, "MaxFileSize", given->range_bytes ? given->base_bytes + given->range_bytes : given->end_bytes);
    put_count(xml, "RequestCount", job->depth);
    put_count(xml, "WriteRatio", given->write_percent);
    put_pace(xml);
    put_count(xml, "ThreadsPerFile", job->threads);
    put_count(xml, "IOPriority", 3);
    end(xml);
}

static void put_binding(struct xml *xml, const struct job *job)
{
    if (job->cpus[0] == '\0')
        return;
    begin(xml, "Affinity");
    for (uint32_t i = 0, count = cpu_list_count(job->cpus); i < count; ++i) {
        begin(xml, "AffinityGroupAssignment");
        put_attribute(xml, "Group", 0);
        put_attribute(xml, "Processor", cpu_list_at(job->cpus, i));
        end(xml);
    }
    end(xml);
}

static void put_time_span(struct xml *xml, const struct job *job)
{
    const struct diskspd_given *given = xml->given;
    begin(xml, "TimeSpan");
    put_flag(xml, "CompletionRoutines", false);
    put_flag(xml, "MeasureLatency", given->latency);
    put_flag(xml, "CalculateIopsStdDev", given->interval);
    put_flag(xml, "DisableAffinity", job->cpus[0] == '\0');
    put_count(xml, "Duration", given->duration_s);
    put_count(xml, "Warmup", given->warmup_s);
    put_count(xml, "Cooldown", 0);
    put_count(xml, "ThreadCount", 0); /* each target has threads of its own */
    put_count(xml, "RequestCount", 0);
    put_count(xml, "IoBucketDuration", given->interval_ms);
    if (job->seed > 0)
        put_count(xml, "RandSeed", job->seed - 1);
    put_binding(xml, job);
    begin(xml, "Targets");
    for (size_t i = 0; i < given->target_count; ++i)
        put_target(xml, job, given->targets[i]);
    end(xml);
    end(xml);
}

static void put_profile(struct xml *xml, const struct job *job)
{
    begin(xml, "Profile");
    put_count(xml, "Progress", xml->given->dot_every);
    put_text(xml, "ResultFormat", "xml");
    put_flag(xml, "Verbose", xml->given->verbose);
    begin(xml, "TimeSpans");
    put_time_span(xml, job);
    end(xml);
    end(xml);
}

/* ---- results ---- */

static void put_system(struct xml *xml, const struct result *result)
{
    char name[HOST_NAME_BYTES], text[NAME_MAX_BYTES + 16];
    host_name(name);
    begin(xml, "System");
    put_text(xml, "ComputerName", name);
    begin(xml, "Tool");
    snprintf(text, sizeof(text), "isobench %s", result->version);
    put_text(xml, "Version", text);
    end(xml);
    diskspd_time_text(result->wall_start_ns, text, sizeof(text));
    put_text(xml, "RunTime", text);
    end(xml);
}

static void put_cpu(struct xml *xml, const struct result *result, size_t index)
{
    struct diskspd_cpu cpu = diskspd_cpu_at(result, index);
    bool one = index < result->cpus_count;
    begin(xml, one ? "CPU" : "Average");
    if (one) {
        put_count(xml, "Group", 0);
        put_count(xml, "Id", index);
    }
    put_real(xml, "UsagePercent", 2, cpu.usage);
    put_real(xml, "UserPercent", 2, cpu.user);
    put_real(xml, "KernelPercent", 2, cpu.kernel);
    put_real(xml, "IdlePercent", 2, cpu.idle);
    end(xml);
}

static void put_cpus(struct xml *xml, const struct result *result)
{
    if (result->cpus_count == 0)
        return;
    begin(xml, "CpuUtilization");
    for (size_t i = 0; i <= result->cpus_count; ++i)
        put_cpu(xml, result, i);
    end(xml);
}

static struct diskspd_sum sum_all(const struct diskspd_runs *runs, enum diskspd_section section)
{
    struct diskspd_sum sum = {0, 0, 0, 0};
    for (size_t i = 0; i < runs->count; ++i)
        for (uint64_t thread = 0; thread < runs->results[i]->job.threads; ++thread)
            diskspd_sum_thread(&runs->results[i]->threads[thread], section, &sum);
    return sum;
}

struct latency_names {
    enum diskspd_section section;
    const char *mean, *stddev;
};

static void put_mean(struct xml *xml, const struct latency_names *names, const struct diskspd_sum *sum)
{
    if (sum->count == 0)
        return;
    put_real(xml, names->mean, 3, diskspd_mean_ms(sum));
    put_real(xml, names->stddev, 3, diskspd_stddev_ms(sum));
}

static void put_means(struct xml *xml, const struct diskspd_runs *runs)
{
    static const struct latency_names names[] = {{DISKSPD_READ, "AverageReadMilliseconds", "ReadLatencyStdev"},
                                                 {DISKSPD_WRITE, "AverageWriteMilliseconds", "WriteLatencyStdev"},
                                                 {DISKSPD_TOTAL, "AverageTotalMilliseconds", "LatencyStdev"}};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        struct diskspd_sum sum = sum_all(runs, names[i].section);
        put_mean(xml, &names[i], &sum);
    }
}

static void put_percentile(struct xml *xml, double percent, int digits, const struct histogram latency[])
{
    static const struct {
        enum diskspd_section section;
        const char *name;
    } columns[] = {
        {DISKSPD_READ, "ReadMilliseconds"}, {DISKSPD_WRITE, "WriteMilliseconds"}, {DISKSPD_TOTAL, "TotalMilliseconds"}};
    begin(xml, "Bucket");
    put_real(xml, "Percentile", digits, percent);
    for (size_t i = 0; i < COUNT_OF(columns); ++i) {
        const struct histogram *of = &latency[columns[i].section];
        uint64_t ns = percent <= 0 ? of->min_ns : percent >= 100 ? of->max_ns : histogram_percentile(of, percent);
        if (of->count > 0)
            put_real(xml, columns[i].name, 3, (double)ns / 1e6);
    }
    end(xml);
}

/* 0 to 99, 99.9 to nine nines, 100 */
static void put_percentiles(struct xml *xml, const struct histogram latency[])
{
    static const double nines[] = {99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999};
    for (int percent = 0; percent <= 99; ++percent)
        put_percentile(xml, percent, 0, latency);
    for (size_t i = 0; i < COUNT_OF(nines); ++i)
        put_percentile(xml, nines[i], (int)i + 1, latency);
    put_percentile(xml, 100, 0, latency);
}

static void put_latency(struct xml *xml, const struct diskspd_runs *runs)
{
    struct histogram *latency = calloc(DISKSPD_SECTIONS, sizeof(*latency));
    if (!latency) {
        xml->good = false;
        return;
    }
    for (size_t i = 0; i < runs->count; ++i)
        for (int section = 0; section < DISKSPD_SECTIONS; ++section)
            diskspd_merge_latency(runs->results[i], (enum diskspd_section)section, &latency[section]);
    begin(xml, "Latency");
    put_means(xml, runs);
    put_percentiles(xml, latency);
    end(xml);
    free(latency);
}

static void put_bucket(struct xml *xml, const struct diskspd_runs *runs, size_t index)
{
    struct diskspd_bucket bucket = diskspd_bucket_at(runs, index);
    begin(xml, "Bucket");
    put_attribute(xml, "SampleMillisecond", bucket.seconds * 1000);
    put_attribute(xml, "Read", bucket.reads);
    put_attribute(xml, "Write", bucket.writes);
    put_attribute(xml, "Total", bucket.reads + bucket.writes);
    end(xml);
}

static void put_iops(struct xml *xml, const struct diskspd_runs *runs)
{
    begin(xml, "Iops");
    if (xml->given->write_percent < 100)
        put_real(xml, "ReadIopsStdDev", 3, diskspd_iops_stddev(runs, DISKSPD_READ));
    if (xml->given->write_percent > 0)
        put_real(xml, "WriteIopsStdDev", 3, diskspd_iops_stddev(runs, DISKSPD_WRITE));
    put_real(xml, "IopsStdDev", 3, diskspd_iops_stddev(runs, DISKSPD_TOTAL));
    for (size_t i = 0, count = diskspd_buckets(runs); i < count; ++i)
        put_bucket(xml, runs, i);
    end(xml);
}

static void put_thread_latency(struct xml *xml, const struct diskspd_sum sums[DISKSPD_SECTIONS])
{
    static const struct latency_names names[] = {
        {DISKSPD_READ, "AverageReadLatencyMilliseconds", "ReadLatencyStdev"},
        {DISKSPD_WRITE, "AverageWriteLatencyMilliseconds", "WriteLatencyStdev"},
        {DISKSPD_TOTAL, "AverageLatencyMilliseconds", "LatencyStdev"}};
    for (size_t i = 0; xml->given->latency && i < COUNT_OF(names); ++i)
        put_mean(xml, &names[i], &sums[names[i].section]);
}

static void put_thread_target(struct xml *xml, const struct diskspd_runs *alone, const char *name, uint64_t thread)
{
    const struct result *result = alone->results[0];
    struct diskspd_sum sums[DISKSPD_SECTIONS] = {{0, 0, 0, 0}};
    for (int section = 0; section < DISKSPD_SECTIONS; ++section)
        diskspd_sum_thread(&result->threads[thread], (enum diskspd_section)section, &sums[section]);
    begin(xml, "Target");
    put_text(xml, "Path", name);
    put_count(xml, "BytesCount", sums[DISKSPD_TOTAL].bytes);
    put_count(xml, "FileSize", diskspd_file_bytes(result));
    put_count(xml, "IOCount", sums[DISKSPD_TOTAL].count);
    put_count(xml, "ReadBytes", sums[DISKSPD_READ].bytes);
    put_count(xml, "ReadCount", sums[DISKSPD_READ].count);
    put_count(xml, "WriteBytes", sums[DISKSPD_WRITE].bytes);
    put_count(xml, "WriteCount", sums[DISKSPD_WRITE].count);
    put_thread_latency(xml, sums);
    if (xml->given->interval && result->job.threads == 1)
        put_iops(xml, alone);
    end(xml);
}

/* Threads are numbered on from target to target. */
static void put_threads(struct xml *xml, const struct diskspd_runs *runs)
{
    uint64_t number = 0;
    for (size_t run = 0; run < runs->count; ++run) {
        struct diskspd_runs alone = {&runs->results[run], 1};
        for (uint64_t thread = 0; thread < runs->results[run]->job.threads; ++thread) {
            begin(xml, "Thread");
            put_count(xml, "Id", number++);
            put_thread_target(xml, &alone, xml->given->targets[run], thread);
            end(xml);
        }
    }
}

static void put_results(struct xml *xml, const struct job *job, const struct diskspd_runs *runs)
{
    const struct result *first = runs->results[0];
    begin(xml, "Results");
    put_system(xml, first);
    put_profile(xml, job);
    begin(xml, "TimeSpan");
    put_real(xml, "TestTimeSeconds", 2, diskspd_seconds(runs));
    put_count(xml, "ThreadCount", diskspd_threads(runs));
    put_count(xml, "RequestCount", xml->given->all_outstanding);
    put_count(xml, "ProcCount", diskspd_processors(first));
    put_cpus(xml, first);
    if (xml->given->latency)
        put_latency(xml, runs);
    if (xml->given->interval)
        put_iops(xml, runs);
    put_threads(xml, runs);
    end(xml);
    end(xml);
}

/* ---- the document ---- */

/* `job` is that of the first target; `runs` is NULL for the profile alone. */
static bool write_document(FILE *out, const struct diskspd_given *given, const struct job *job,
                           const struct diskspd_runs *runs)
{
    xmlBufferPtr buffer = xmlBufferCreate();
    struct xml xml = {buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL, given, false};
    if (xml.writer) {
        xml.good =
            xmlTextWriterSetIndent(xml.writer, 1) == 0 && xmlTextWriterSetIndentString(xml.writer, WORD("  ")) == 0;
        if (runs)
            put_results(&xml, job, runs);
        else
            put_profile(&xml, job);
        check(&xml, xmlTextWriterEndDocument(xml.writer));
        xmlFreeTextWriter(xml.writer);
    }
    if (xml.good)
        fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), out);
    xmlBufferFree(buffer);
    return xml.good;
}

bool diskspd_xml_profile(FILE *out, const struct diskspd_given *given, const struct job *job)
{
    return write_document(out, given, job, NULL);
}

bool diskspd_xml_runs(FILE *out, const struct diskspd_given *given, const struct diskspd_runs *runs)
{
    return write_document(out, given, &runs->results[0]->job, runs);
}
