#include "core/spread.h"

#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_MIB (1024.0 * 1024.0)

/* A figure of one class of one run. */
typedef double figure(const struct result *run, enum op_class op, double parameter);

static double load_s(const struct result *run)
{
    return (double)run->load_ns / (double)NS_PER_S;
}

static double iops(const struct result *run, enum op_class op, double parameter)
{
    (void)parameter;
    return run->load_ns ? (double)run->total.of[op].latency.count / load_s(run) : 0;
}

static double mib_per_s(const struct result *run, enum op_class op, double parameter)
{
    (void)parameter;
    return run->load_ns ? (double)run->total.of[op].bytes / BYTES_PER_MIB / load_s(run) : 0;
}

static double mean(const struct result *run, enum op_class op, double parameter)
{
    (void)parameter;
    return histogram_mean(&run->total.of[op].latency);
}

static double percentile(const struct result *run, enum op_class op, double parameter)
{
    return (double)histogram_percentile(&run->total.of[op].latency, parameter);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sample_stddev(const double *values, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; ++i)
        sum += values[i];
    for (size_t i = 0; i < count; ++i)
        squares += (values[i] - sum / (double)count) * (values[i] - sum / (double)count);
    return count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

struct making {
    const struct result *const *runs;
    size_t run_count;
    double *values; /* room for run_count */
    struct spread *rows;
    size_t count;
};

static void add_row(struct making *making, enum op_class op, const char *name, bool is_time, figure *of,
                    double parameter)
{
    size_t n = making->run_count;
    struct spread *row = &making->rows[making->count++];
    for (size_t i = 0; i < n; ++i)
        making->values[i] = of(making->runs[i], op, parameter);
    qsort(making->values, n, sizeof(*making->values), compare);
    row->op = op;
    snprintf(row->figure, sizeof(row->figure), "%s", name);
    row->is_time = is_time;
    row->min = making->values[0];
    row->max = making->values[n - 1];
    row->median = (making->values[(n - 1) / 2] + making->values[n / 2]) / 2;
    row->stddev = sample_stddev(making->values, n);
}

static void add_class(struct making *making, enum op_class op)
{
    const struct real_list *percents = &making->runs[0]->job.percentiles;
    if (op != CLASS_END_SYNC) /* those happen once, after the load */
        add_row(making, op, "IOPS", false, iops, 0);
    if (making->runs[0]->total.of[op].bytes)
        add_row(making, op, "MiB/s", false, mib_per_s, 0);
    add_row(making, op, "mean", true, mean, 0);
    for (uint32_t i = 0; i < percents->count; ++i) {
        char name[32] = "p";
        units_real_exact(percents->values[i], name + 1, sizeof(name) - 1);
        add_row(making, op, name, true, percentile, percents->values[i]);
    }
}

static bool in_every_run(const struct making *making, enum op_class op)
{
    for (size_t i = 0; i < making->run_count; ++i) {
        if (making->runs[i]->total.of[op].latency.count == 0)
            return false;
    }
    return true;
}

struct spread *spread_of_runs(const struct result *const *runs, size_t run_count, size_t *count)
{
    size_t most = CLASS_COUNT * (3 + (size_t)runs[0]->job.percentiles.count);
    struct making making = {runs, run_count, calloc(run_count, sizeof(double)), calloc(most, sizeof(struct spread)), 0};
    for (int op = 0; making.values && making.rows && op < CLASS_COUNT; ++op) {
        if (in_every_run(&making, (enum op_class)op))
            add_class(&making, (enum op_class)op);
    }
    if (!making.values) {
        free(making.rows);
        making.rows = NULL;
    }
    free(making.values);
    *count = making.count;
    return making.rows;
}

double spread_percent(const struct spread *spread)
{
    return spread->median > 0 ? (spread->max - spread->min) / spread->median * 100 : 0;
}
