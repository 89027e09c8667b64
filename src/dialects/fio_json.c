/* fio_json.c: the report for scripts, with fio's keys. What isobench does not measure has no key: slat_ns, ctx, majf,
 * minf, the depths, disk_util. `isobench` holds what fio has no place for. */
#include "dialects/fio.h"

#include "core/json_fields.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct fio_printer *printer;
    bool ok;
};

static void put(struct making *making, json_t *object, const char *key, json_t *value)
{
    json_put(object, key, value, &making->ok);
}

/* ---- latencies ---- */

static json_t *of_percentiles(struct making *making, const struct histogram *latency, const struct real_list *list)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < list->count; ++i) {
        char key[32];
        snprintf(key, sizeof(key), "%f", list->values[i]);
        put(making, object, key, json_of_uint(histogram_percentile(latency, list->values[i])));
    }
    return object;
}

/* json+: how many were in each bucket of the histogram, by its middle. */
static json_t *of_bins(struct making *making, const struct histogram *latency)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; ++i) {
        char key[32];
        snprintf(key, sizeof(key), "%" PRIu64, histogram_bucket_middle(i));
        if (latency->counts[i] > 0)
            put(making, object, key, json_of_uint(latency->counts[i]));
    }
    return object;
}

static json_t *of_latency(struct making *making, const struct histogram *latency, const struct real_list *percentiles)
{
    json_t *object = json_object();
    put(making, object, "min", json_of_uint(latency->min_ns));
    put(making, object, "max", json_of_uint(latency->max_ns));
    put(making, object, "mean", json_real(histogram_mean(latency)));
    put(making, object, "stddev", json_real(histogram_stddev(latency)));
    put(making, object, "N", json_of_uint(latency->count));
    if (percentiles && latency->count > 0) {
        put(making, object, "percentile", of_percentiles(making, latency, percentiles));
        if (making->printer->format == FIO_JSON_PLUS)
            put(making, object, "bins", of_bins(making, latency));
    }
    return object;
}

/* ---- reads and writes ---- */

static void put_spread(struct making *making, json_t *object, const struct fio_series *series, double group_rate)
{
    struct fio_spread bytes = fio_spread_of(series->bytes, series->count);
    struct fio_spread ios = fio_spread_of(series->ios, series->count);
    double share = group_rate > 0 ? 100 * bytes.mean / group_rate : 0;
    put(making, object, "bw_min", json_of_uint((uint64_t)(bytes.least / 1024)));
    put(making, object, "bw_max", json_of_uint((uint64_t)(bytes.most / 1024)));
    put(making, object, "bw_agg", json_real(share > 100 ? 100 : share));
    put(making, object, "bw_mean", json_real(bytes.mean / 1024));
    put(making, object, "bw_dev", json_real(bytes.deviation / 1024));
    put(making, object, "bw_samples", json_of_uint(bytes.samples));
    put(making, object, "iops_min", json_of_uint((uint64_t)ios.least));
    put(making, object, "iops_max", json_of_uint((uint64_t)ios.most));
    put(making, object, "iops_mean", json_real(ios.mean));
    put(making, object, "iops_stddev", json_real(ios.deviation));
    put(making, object, "iops_samples", json_of_uint(ios.samples));
}

static double group_rate(const struct making *making, const struct fio_entry *of, bool writes)
{
    const struct fio_printer *printer = making->printer;
    uint64_t bytes = 0, longest_ns = 0;
    for (size_t i = 0; i < printer->plan.entries; ++i) {
        const struct fio_entry *entry = &printer->entries[i];
        const struct fio_side *side = writes ? &entry->write : &entry->read;
        if (!entry->first || entry->first->group != of->first->group)
            continue;
        bytes += side->bytes;
        longest_ns = side->runtime_ns > longest_ns ? side->runtime_ns : longest_ns;
    }
    return fio_rate((double)bytes, longest_ns);
}

static json_t *of_side(struct making *making, const struct fio_entry *entry, bool writes)
{
    const struct fio_side *side = writes ? &entry->write : &entry->read;
    const struct fio_given *given = entry->first->given;
    double rate = side->bytes ? fio_rate((double)side->bytes, side->runtime_ns) : 0;
    json_t *object = json_object();
    put(making, object, "io_bytes", json_of_uint(side->bytes));
    put(making, object, "io_kbytes", json_of_uint(side->bytes / 1024));
    put(making, object, "bw_bytes", json_of_uint((uint64_t)rate));
    put(making, object, "bw", json_of_uint((uint64_t)(rate / 1024)));
    put(making, object, "iops", json_real(side->bytes ? fio_rate((double)side->latency.count, side->runtime_ns) : 0));
    put(making, object, "runtime", json_of_uint((side->runtime_ns + NS_PER_MS / 2) / NS_PER_MS));
    put(making, object, "total_ios", json_of_uint(side->latency.count));
    put(making, object, "short_ios", json_of_uint(0));
    put(making, object, "drop_ios", json_of_uint(0));
    put(making, object, "clat_ns", of_latency(making, &side->latency, given->show_clat ? &given->percentiles : NULL));
    put(making, object, "lat_ns", of_latency(making, &side->latency, given->show_lat ? &given->percentiles : NULL));
    put_spread(making, object, &side->series, group_rate(making, entry, writes));
    return object;
}

static json_t *of_syncs(struct making *making, const struct fio_entry *entry)
{
    json_t *object = json_object();
    put(making, object, "total_ios", json_of_uint(entry->sync.count));
    put(making, object, "lat_ns", of_latency(making, &entry->sync, &entry->first->given->percentiles));
    return object;
}

static json_t *of_buckets(struct making *making, const struct fio_entry *entry, uint64_t unit_ns)
{
    json_t *object = json_object();
    uint64_t low = unit_ns == 1 ? 0 : unit_ns;
    for (int i = 0; i < FIO_BOUNDS; ++i) {
        char key[16];
        uint64_t high = fio_bounds[i] * unit_ns;
        snprintf(key, sizeof(key), "%" PRIu32, fio_bounds[i]);
        put(making, object, key, json_real(fio_entry_share(entry, low, high)));
        low = high;
    }
    if (unit_ns == NS_PER_MS) {
        put(making, object, "2000", json_real(fio_entry_share(entry, low, 2 * NS_PER_S)));
        put(making, object, ">=2000", json_real(fio_entry_share(entry, 2 * NS_PER_S, UINT64_MAX)));
    }
    return object;
}

/* ---- options ---- */

static json_t *of_options(struct making *making, bool global, uint32_t section)
{
    const struct fio_lines *lines = &making->printer->lines;
    json_t *object = json_object();
    for (size_t i = 0; i < lines->count; ++i) {
        const struct fio_line *line = &lines->lines[i];
        if (global ? lines->sections[line->section].global : line->section == section)
            put(making, object, line->key, json_of_text(line->value ? line->value : "1"));
    }
    return object;
}

static json_t *of_entry(struct making *making, const struct fio_entry *entry)
{
    const struct fio_given *given = entry->first->given;
    double busy = (double)(entry->busy_ns ? entry->busy_ns : 1);
    json_t *object = json_object();
    put(making, object, "jobname", json_of_text(given->name));
    put(making, object, "groupid", json_of_uint(entry->first->group));
    put(making, object, "error", json_integer(entry->error_code));
    put(making, object, "eta", json_of_uint(INT32_MAX)); /* not known, as fio says it */
    put(making, object, "elapsed", json_of_uint((entry->elapsed_ns + NS_PER_S - 1) / NS_PER_S));
    if (given->description)
        put(making, object, "desc", json_of_text(given->description));
    put(making, object, "job options", of_options(making, false, given->section));
    put(making, object, "read", of_side(making, entry, false));
    put(making, object, "write", of_side(making, entry, true));
    put(making, object, "sync", of_syncs(making, entry));
    put(making, object, "job_runtime", json_of_uint(entry->busy_ns / NS_PER_MS));
    if (entry->cpu_known) {
        put(making, object, "usr_cpu", json_real(100 * (double)entry->cpu_user_ns / busy));
        put(making, object, "sys_cpu", json_real(100 * (double)entry->cpu_system_ns / busy));
    }
    put(making, object, "latency_ns", of_buckets(making, entry, 1));
    put(making, object, "latency_us", of_buckets(making, entry, 1000));
    put(making, object, "latency_ms", of_buckets(making, entry, NS_PER_MS));
    put(making, object, "latency_depth", json_of_uint(given->depth));
    put(making, object, "latency_target", json_of_uint(0));
    put(making, object, "latency_percentile", json_real(100));
    put(making, object, "latency_window", json_of_uint(0));
    return object;
}

/* ---- the document ---- */

static json_t *of_notes(struct making *making)
{
    json_t *array = json_array();
    const char *text = making->printer->notes.text;
    while (text && *text) {
        char note[512];
        size_t length = strcspn(text, "\n");
        snprintf(note, sizeof(note), "%.*s", length < sizeof(note) ? (int)length : (int)sizeof(note) - 1, text);
        json_append(array, json_of_text(note), &making->ok);
        text += length + (text[length] == '\n');
    }
    return array;
}

static json_t *of_program(struct making *making)
{
    json_t *object = json_object();
    put(making, object, "version", json_of_text(ISOBENCH_VERSION));
    put(making, object, "notes", of_notes(making));
    return object;
}

static void put_time(struct making *making, json_t *root)
{
    uint64_t now_ns = clock_wall_ns();
    char when[FIO_WHEN_BYTES];
    put(making, root, "timestamp", json_of_uint(now_ns / NS_PER_S));
    put(making, root, "timestamp_ms", json_of_uint(now_ns / NS_PER_MS));
    put(making, root, "time", json_of_text(fio_when(now_ns / NS_PER_S, when, sizeof(when))));
}

void fio_print_json(struct fio_printer *printer)
{
    struct making making = {printer, true};
    json_t *root = json_object(), *jobs = json_array(), *global;
    put(&making, root, "fio version", json_of_text("fio-3.33"));
    put(&making, root, "isobench", of_program(&making));
    put_time(&making, root);
    global = of_options(&making, true, 0);
    if (json_object_size(global) > 0)
        put(&making, root, "global options", global);
    else
        json_decref(global);
    for (size_t i = 0; i < printer->plan.entries; ++i)
        if (printer->entries[i].first)
            json_append(jobs, of_entry(&making, &printer->entries[i]), &making.ok);
    put(&making, root, "jobs", jobs);
    char *text = json_finish(root, making.ok, 15);
    if (text)
        fio_text_add(&printer->report, "%s", text);
    else
        printer->failed = true;
    free(text);
}
