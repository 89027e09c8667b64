#include "run/cpus.h"

#include <stdlib.h>

void cpus_done(struct cpus *cpus)
{
    free(cpus->each);
    *cpus = (struct cpus){0};
}

void cpus_look(struct cpus *cpus)
{
    cpus_done(cpus);
    cpus->count = host_cpus(&cpus->each);
}

/* Idle time goes back on some systems when a CPU wakes. */
static uint64_t grown(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

static uint64_t scaled(uint64_t value, uint64_t to, uint64_t of)
{
    return (uint64_t)((double)value * ((double)to / (double)of));
}

static struct cpu_row row_between(const struct host_cpu *from, const struct host_cpu *to, uint64_t elapsed_ns)
{
    struct cpu_row row = {grown(from->user_ns, to->user_ns), grown(from->system_ns, to->system_ns),
                          grown(from->idle_ns, to->idle_ns)};
    uint64_t sum_ns = row.user_ns + row.system_ns + row.idle_ns;
    if (sum_ns <= elapsed_ns)
        return row;
    return (struct cpu_row){scaled(row.user_ns, elapsed_ns, sum_ns), scaled(row.system_ns, elapsed_ns, sum_ns),
                            scaled(row.idle_ns, elapsed_ns, sum_ns)};
}

struct cpu_row *cpus_between(const struct cpus *from, const struct cpus *to, uint64_t elapsed_ns, size_t *count)
{
    uint64_t ticked_ns = 0;
    *count = 0;
    if (from->count == 0 || from->count != to->count)
        return NULL;
    struct cpu_row *rows = calloc(from->count, sizeof(*rows));
    for (size_t i = 0; rows && i < from->count; ++i) {
        rows[i] = row_between(&from->each[i], &to->each[i], elapsed_ns);
        ticked_ns += rows[i].user_ns + rows[i].system_ns + rows[i].idle_ns;
    }
    if (ticked_ns == 0) {
        free(rows);
        return NULL;
    }
    *count = from->count;
    return rows;
}
