/* diskspd_figures.c: what DiskSpd's two layouts show, from the results. Means and deviations of some threads come from
 * their sums and sums of squares, so that a total agrees with its rows. */
#include "dialects/diskspd.h"

#include "platform/path.h"

#include <inttypes.h>
#include <math.h>

#define NS_IN_MS 1e6

/* ---- sums ---- */

static void add_class(struct diskspd_sum *sum, const struct thread_class *part)
{
    double count = (double)part->count, latency = (double)part->latency_sum_ns;
    double mean = part->count ? latency / count : 0;
    sum->count += part->count;
    sum->bytes += part->bytes;
    sum->latency_ns += latency;
    sum->latency_squares_ns2 += count * (part->latency_variance_ns2 + mean * mean);
}

void diskspd_sum_thread(const struct thread_row *row, enum diskspd_section section, struct diskspd_sum *add_to)
{
    if (section != DISKSPD_WRITE)
        add_class(add_to, &row->read);
    if (section != DISKSPD_READ)
        add_class(add_to, &row->write);
}

double diskspd_mean_ms(const struct diskspd_sum *sum)
{
    return sum->count ? sum->latency_ns / (double)sum->count / NS_IN_MS : 0;
}

double diskspd_stddev_ms(const struct diskspd_sum *sum)
{
    double count = (double)sum->count;
    if (sum->count == 0)
        return 0;
    double mean = sum->latency_ns / count, variance = sum->latency_squares_ns2 / count - mean * mean;
    return variance > 0 ? sqrt(variance) / NS_IN_MS : 0;
}

void diskspd_merge_latency(const struct result *result, enum diskspd_section section, struct histogram *add_to)
{
    if (section != DISKSPD_WRITE)
        histogram_merge(add_to, &result->total.of[CLASS_READ].latency);
    if (section != DISKSPD_READ)
        histogram_merge(add_to, &result->total.of[CLASS_WRITE].latency);
}

/* ---- all runs ---- */

double diskspd_seconds(const struct diskspd_runs *runs)
{
    uint64_t longest_ns = 1;
    for (size_t i = 0; i < runs->count; ++i)
        if (runs->results[i]->load_ns > longest_ns)
            longest_ns = runs->results[i]->load_ns;
    return (double)longest_ns / (double)NS_PER_S;
}

uint64_t diskspd_threads(const struct diskspd_runs *runs)
{
    uint64_t threads = 0;
    for (size_t i = 0; i < runs->count; ++i)
        threads += runs->results[i]->job.threads;
    return threads;
}

uint64_t diskspd_file_bytes(const struct result *result)
{
    const struct job *job = &result->job;
    struct error ignored = ERROR_INIT; /* it was there a moment ago; the part that was used is known */
    enum path_kind kind = PATH_ABSENT;
    uint64_t bytes = 0;
    if (path_look(job->target, &kind, &bytes, &ignored) && kind == PATH_FILE && bytes > 0)
        return bytes;
    return job->start_bytes + job->total_size_bytes;
}

/* ---- intervals ---- */

static size_t full_intervals(const struct result *result)
{
    uint64_t whole_ns = result->job.report_interval_ns ? result->job.report_interval_ns : NS_PER_S;
    size_t count = result->series_count;
    while (count > 0 && result->series[count - 1].end_ns - result->series[count - 1].start_ns < whole_ns / 2)
        --count; /* the one that the end cut off */
    return count;
}

size_t diskspd_buckets(const struct diskspd_runs *runs)
{
    size_t least = runs->count ? full_intervals(runs->results[0]) : 0;
    for (size_t i = 1; i < runs->count; ++i) {
        size_t count = full_intervals(runs->results[i]);
        least = count < least ? count : least;
    }
    return least;
}

struct diskspd_bucket diskspd_bucket_at(const struct diskspd_runs *runs, size_t index)
{
    struct diskspd_bucket bucket = {0, 0, 0};
    for (size_t i = 0; i < runs->count; ++i) {
        const struct interval *interval = &runs->results[i]->series[index];
        double seconds = (double)(interval->end_ns - interval->start_ns) / (double)NS_PER_S;
        double end = (double)interval->end_ns / (double)NS_PER_S;
        bucket.seconds = end > bucket.seconds ? end : bucket.seconds;
        if (seconds <= 0)
            continue;
        bucket.reads += (double)interval->count[CLASS_READ] / seconds;
        bucket.writes += (double)interval->count[CLASS_WRITE] / seconds;
    }
    return bucket;
}

static double iops_at(const struct diskspd_runs *runs, size_t index, enum diskspd_section section)
{
    struct diskspd_bucket bucket = diskspd_bucket_at(runs, index);
    return section == DISKSPD_READ    ? bucket.reads
           : section == DISKSPD_WRITE ? bucket.writes
                                      : bucket.reads + bucket.writes;
}

double diskspd_iops_stddev(const struct diskspd_runs *runs, enum diskspd_section section)
{
    size_t count = diskspd_buckets(runs);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; ++i)
        sum += iops_at(runs, i, section);
    for (size_t i = 0; i < count; ++i) {
        double off = iops_at(runs, i, section) - sum / (double)count;
        squares += off * off;
    }
    return count ? sqrt(squares / (double)count) : 0;
}

/* ---- CPUs ---- */

static void add_cpu(struct diskspd_cpu *sum, const struct cpu_row *row)
{
    double user = (double)row->user_ns, kernel = (double)row->system_ns, idle = (double)row->idle_ns;
    double all = user + kernel + idle;
    if (all <= 0)
        return;
    sum->user += user * 100 / all;
    sum->kernel += kernel * 100 / all;
    sum->idle += idle * 100 / all;
    sum->usage += (user + kernel) * 100 / all;
}

struct diskspd_cpu diskspd_cpu_at(const struct result *result, size_t index)
{
    struct diskspd_cpu sum = {0, 0, 0, 0};
    double count = index < result->cpus_count ? 1 : (double)result->cpus_count;
    if (index < result->cpus_count)
        add_cpu(&sum, &result->cpus[index]);
    for (size_t i = 0; index >= result->cpus_count && i < result->cpus_count; ++i)
        add_cpu(&sum, &result->cpus[i]);
    if (count > 0)
        sum = (struct diskspd_cpu){sum.usage / count, sum.user / count, sum.kernel / count, sum.idle / count};
    return sum;
}

size_t diskspd_processors(const struct result *result)
{
    return result->cpus_count ? result->cpus_count : result->host.cpu_count;
}

/* ---- the date ---- */

/* Days since 1970 to a date: years are counted from March, so that a leap day ends one, in cycles of 400 years. */
static void date_of(uint64_t days, uint64_t *year, uint64_t *month, uint64_t *day)
{
    uint64_t shifted = days + 719468, cycle = shifted / 146097, in_cycle = shifted % 146097;
    uint64_t in_years = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
    uint64_t in_year = in_cycle - (365 * in_years + in_years / 4 - in_years / 100);
    uint64_t from_march = (5 * in_year + 2) / 153;
    *day = in_year - (153 * from_march + 2) / 5 + 1;
    *month = from_march < 10 ? from_march + 3 : from_march - 9;
    *year = cycle * 400 + in_years + (*month <= 2);
}

void diskspd_time_text(uint64_t wall_ns, char *out, size_t out_bytes)
{
    uint64_t seconds = wall_ns / NS_PER_S, year, month, day;
    date_of(seconds / 86400, &year, &month, &day);
    snprintf(out, out_bytes, "%" PRIu64 "/%02" PRIu64 "/%02" PRIu64 " %02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " UTC",
             year, month, day, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}
