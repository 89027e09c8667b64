#include "dialects/fio.h"

#include "platform/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last interval is left out when it was cut short. */
#define INTERVAL_WHOLE 0.9

double fio_rate(double amount, uint64_t runtime_ns)
{
    return amount * (double)NS_PER_S / (double)(runtime_ns ? runtime_ns : 1);
}

struct fio_spread fio_spread_of(const double *values, size_t count)
{
    struct fio_spread spread = {.samples = count};
    double squares = 0;
    for (size_t i = 0; i < count; ++i) {
        spread.mean += values[i] / (double)count;
        spread.least = i == 0 || values[i] < spread.least ? values[i] : spread.least;
        spread.most = i == 0 || values[i] > spread.most ? values[i] : spread.most;
    }
    for (size_t i = 0; i < count; ++i)
        squares += (values[i] - spread.mean) * (values[i] - spread.mean);
    if (count > 1)
        spread.deviation = sqrt(squares / (double)(count - 1));
    return spread;
}

static size_t whole_intervals(const struct result *result)
{
    size_t count = result->series_count;
    if (count < 2)
        return count;
    const struct interval *first = &result->series[0], *last = &result->series[count - 1];
    bool whole = (double)(last->end_ns - last->start_ns) >= INTERVAL_WHOLE * (double)(first->end_ns - first->start_ns);
    return whole ? count : count - 1;
}

static bool make_room(struct fio_series *series, size_t count)
{
    if (count <= series->count)
        return true;
    double *ios = realloc(series->ios, count * sizeof(*ios));
    if (ios)
        series->ios = ios;
    double *bytes = ios ? realloc(series->bytes, count * sizeof(*bytes)) : NULL;
    if (!bytes)
        return false;
    series->bytes = bytes;
    for (; series->count < count; ++series->count)
        ios[series->count] = bytes[series->count] = 0;
    return true;
}

/* Jobs of one entry began at the same moment: their intervals are added up one by one. */
static bool add_series(struct fio_series *series, const struct result *result, enum op_class op)
{
    size_t count = whole_intervals(result);
    if (!make_room(series, count))
        return false;
    for (size_t i = 0; i < count; ++i) {
        const struct interval *interval = &result->series[i];
        uint64_t length_ns = interval->end_ns - interval->start_ns;
        series->ios[i] += fio_rate((double)interval->count[op], length_ns);
        series->bytes[i] += fio_rate((double)interval->bytes[op], length_ns);
    }
    return true;
}

static bool add_side(struct fio_side *side, const struct result *result, enum op_class op, uint64_t runtime_ns)
{
    const struct class_tally *tally = &result->total.of[op];
    if (tally->latency.count == 0)
        return true;
    histogram_merge(&side->latency, &tally->latency);
    side->bytes += tally->bytes;
    side->runtime_ns = runtime_ns > side->runtime_ns ? runtime_ns : side->runtime_ns;
    return add_series(&side->series, result, op);
}

bool fio_entry_add(struct fio_entry *entry, const struct fio_unit *unit, const struct result *result)
{
    bool first = entry->first == NULL, deep = result->job.depth > 1;
    entry->first = first ? unit : entry->first;
    entry->depth_one = (first || entry->depth_one) && !deep;
    entry->clones += unit->clones;
    if (result->faults_count > 0 && entry->error_code == 0) {
        entry->error_code = result->faults[0].os_code ? result->faults[0].os_code : -1;
        snprintf(entry->error_text, sizeof(entry->error_text), "%.255s", result->faults[0].text);
    }
    histogram_merge(&entry->sync, &result->total.of[CLASS_SYNC].latency);
    entry->busy_ns += result->elapsed_ns * unit->clones;
    entry->wall_end_s = (result->wall_start_ns + result->elapsed_ns) / NS_PER_S;
    if (result->elapsed_ns >= entry->elapsed_ns) { /* of jobs that ran together the longest saw all CPU time */
        entry->elapsed_ns = result->elapsed_ns;
        entry->cpu_user_ns = result->cpu_user_ns;
        entry->cpu_system_ns = result->cpu_system_ns;
    }
    return add_side(&entry->read, result, CLASS_READ, result->load_ns) &&
           add_side(&entry->write, result, CLASS_WRITE, result->elapsed_ns);
}

void fio_entry_done(struct fio_entry *entry)
{
    free(entry->read.series.ios);
    free(entry->read.series.bytes);
    free(entry->write.series.ios);
    free(entry->write.series.bytes);
}

static uint64_t count_between(const struct histogram *latency, uint64_t low_ns, uint64_t high_ns)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; ++i) {
        uint64_t middle = histogram_bucket_middle(i);
        if (middle >= low_ns && middle < high_ns)
            count += latency->counts[i];
    }
    return count;
}

double fio_entry_share(const struct fio_entry *entry, uint64_t low_ns, uint64_t high_ns)
{
    uint64_t all = entry->read.latency.count + entry->write.latency.count;
    uint64_t here =
        count_between(&entry->read.latency, low_ns, high_ns) + count_between(&entry->write.latency, low_ns, high_ns);
    return all ? 100 * (double)here / (double)all : 0;
}
