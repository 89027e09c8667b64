/* fio_read_clones.c: with numjobs=N and without group_reporting fio reports each process by itself. They ran at one
 * time, so they are one run of N threads, and not N repetitions. */
#include "dialects/fio_read.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct figure *find(const struct reading *reading, const struct figure *like)
{
    for (size_t i = 0; i < reading->figures_count; i++) {
        struct figure *figure = &reading->figures[i];
        if (figure->kind == like->kind && figure->op == like->op)
            return figure;
    }
    return NULL;
}

static double count_of(const struct reading *reading, int op)
{
    const struct figure *count = reading_figure(reading, FIGURE_COUNT, op, 0);
    return count ? count->value : 0;
}

/* Averages weigh as many IOs as they are of: to be called before the counts are added up. */
static void add_means(struct reading *all, const struct reading *clone)
{
    for (size_t i = 0; i < all->figures_count; i++) {
        struct figure *mean = &all->figures[i];
        const struct figure *other = mean->kind == FIGURE_MEAN_NS ? find(clone, mean) : NULL;
        double left = count_of(all, mean->op), right = count_of(clone, mean->op);
        if (other && left + right > 0)
            mean->value = (mean->value * left + other->value * right) / (left + right);
    }
}

static void add_figure(struct figure *to, const struct figure *from)
{
    switch (to->kind) {
    case FIGURE_COUNT:
    case FIGURE_BYTES:
    case FIGURE_PER_S:
    case FIGURE_BYTES_PER_S:
        to->value += from->value;
        to->quantum += from->quantum;
        break;
    case FIGURE_MIN_NS:
        to->value = from->value < to->value ? from->value : to->value;
        break;
    case FIGURE_MAX_NS:
    case FIGURE_ELAPSED_NS:
        to->value = from->value > to->value ? from->value : to->value;
        break;
    default:
        break;
    }
    snprintf(to->text, sizeof to->text, "%.6g", to->value);
}

/* What N distributions do not tell of all of them together. */
static void drop_parts(struct reading *reading)
{
    size_t kept = 0;
    for (size_t i = 0; i < reading->figures_count; i++)
        if (reading->figures[i].kind != FIGURE_PERCENTILE_NS && reading->figures[i].kind != FIGURE_STDDEV_NS)
            reading->figures[kept++] = reading->figures[i];
    reading->figures_count = kept;
}

static void add_clone(struct reading *all, const struct reading *clone)
{
    char threads[32];
    add_means(all, clone);
    for (size_t i = 0; i < all->figures_count; i++) {
        const struct figure *other = find(clone, &all->figures[i]);
        if (other && all->figures[i].kind != FIGURE_MEAN_NS && all->figures[i].kind != FIGURE_PERCENTILE_NS)
            add_figure(&all->figures[i], other);
    }
    snprintf(threads, sizeof threads, "%" PRIu64, all->job.threads + clone->job.threads);
    reading_state(all, "threads", threads);
    all->job.rate += clone->job.rate;
    if (all->job.target[0] == '\0') { /* each has files of its own */
        reading_forget(all, "files");
        reading_forget(all, "total_size");
    }
    all->partial = all->partial || clone->partial;
}

void fio_join_clones(struct readings *out, struct fio_group *before, double group)
{
    struct reading *last = out->items[out->count - 1];
    struct reading *first = before->reading;
    bool same_group = first && before->group == group;
    if (same_group && strcmp(first->name, last->name) == 0) {
        if (first->job.threads == 1)
            reading_note(first, "its processes were reported one by one, and are added up here; what percentiles they "
                                "have together is not told (group_reporting tells it)");
        drop_parts(first);
        add_clone(first, last);
        readings_drop_last(out);
        return;
    }
    if (same_group)
        reading_note(last, "it ran at the same time as the other jobs of its group, and shares the device with them");
    *before = (struct fio_group){last, group};
}
