/* reconcile/sides.h: runs put together: those of one file, one tool and one job are repetitions of each other, and make
 * one side of a comparison. The first side is what the others are held against. */
#ifndef RECONCILE_SIDES_H
#define RECONCILE_SIDES_H

#include "core/reading.h"
#include "reconcile/stats.h"

/* What two sides have in common, whatever their tools call it. */
enum measure {
    MEASURE_RATE,        /* reads and writes, or transactions, per second */
    MEASURE_BYTES_PER_S, /* files */
    MEASURE_MEAN_NS,
    MEASURE_P50_NS,
    MEASURE_P95_NS,
    MEASURE_P99_NS,
    MEASURE_MAX_NS,
    MEASURE_COUNT, /* reads and writes, or transactions */
    MEASURE_ELAPSED_NS,
    MEASURES
};

extern const struct measure_form {
    const char *name, *unit, *key; /* "IO/s", "/s", "rate_per_s"; of databases the first is "transactions" */
    double scale;                  /* printed = value / scale */
    bool is_better_high, is_compared;
} measure_forms[MEASURES];

/* False when the run does not tell it, and when what it tells is impossible (a latency that wrapped below zero). */
bool measure_of(const struct reading *run, enum measure measure, double *out);

/* A latency that cannot be: above 2^63 ns, it went below zero in 64 bits. */
bool figure_wrapped(const struct figure *figure);

struct side {
    char label; /* 'A', 'B' … */
    const struct reading **runs;
    size_t run_count;
    const struct job *job; /* of the first run */
};

struct sides {
    struct side *items;
    size_t count;
};

/* Readings stay the caller's. False when memory is short. */
bool sides_make(const struct readings *readings, struct sides *out);
void sides_free(struct sides *sides);

/* A setting's value on a side, and how it is known there. */
enum provenance side_provenance(const struct side *side, size_t setting);

/* The runs' values of a measure, those that tell it: their number. `out` has room for run_count. */
size_t side_values(const struct side *side, enum measure measure, double *out);

/* (max − min) / mean of the rates, in percent; 0 for one run. */
double side_spread_percent(const struct side *side);

/* Do the rates of the two reach into each other? */
bool sides_overlap(const struct side *a, const struct side *b);

/* b over a. False when one of them does not tell it. */
bool sides_ratio(const struct side *a, const struct side *b, enum measure measure, struct ratio *out);

#endif
