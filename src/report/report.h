/* report/report.h: folders of results, of hosts, volumes or days, as one page to look at, and as tables to paste.
 * Whatever is shown is worked out here and in reconcile/; html.c and the files beside it only draw it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "core/dialect.h"
#include "core/reading.h"
#include "plan/manifest.h"
#include "reconcile/attribute.h"
#include "reconcile/compare.h"
#include "report/host_course.h"

#define REPORT_SETS_MAX 26 /* called A to Z */

struct report_set {
    char *path;
    char name[256];  /* the shortest end of the path that no other set's path has */
    char title[640]; /* the host (its tag, if it has one), and the name where two sets are of one host */
    bool has_manifest;
    struct manifest_facts manifest;
};

/* The runs of one job in one set. */
struct report_cell {
    const struct reading **runs;
    size_t count;
    const struct reading *typical; /* the one whose rate is next to the median; NULL = the set has not run the job */
};

/* Something that is doubtful, impossible or easily misread, wherever it was found. */
struct report_remark {
    char code[NAME_MAX_BYTES];
    char text[640];      /* of the first place */
    char corrected[128]; /* the true value; "" = not told */
    char where[256];     /* the jobs, by name, as many as fit */
    size_t runs, jobs, last_row;
    uint32_t sets;   /* bits */
    bool is_serious; /* a figure is wrong or of something else, not only to be read with care */
};

struct report_attribution {
    char name[256]; /* its file's */
    struct attribute_plan plan;
    struct attribution found;
};

struct report {
    const struct dialect *native;
    const char *title; /* the caller's */
    struct report_set sets[REPORT_SETS_MAX];
    const char *titles[REPORT_SETS_MAX]; /* of the sets, for compare */
    size_t set_count, baseline;
    bool is_named; /* every set's runs have their plan's names */
    struct readings readings;
    struct host_course *hosts;            /* one for each reading; no samples where it has none */
    struct comparison compared[MEASURES]; /* rows are the same in all that are there */
    bool has[MEASURES];
    size_t row_count;
    struct report_cell *cells; /* row_count × set_count */
    struct report_remark *remarks;
    size_t remark_count, remark_room;
    size_t skipped_count; /* files that are no result */
    char skipped[400];    /* their names, as many as fit */
    struct report_attribution *attributions;
    size_t attribution_count;
};

/* Reads the folders and files, which come to at most REPORT_SETS_MAX sets: a folder without results stands for those
 * below it that have some (tree.c). `baseline`: the path of a set, or of a folder whose first set it is; NULL = the
 * first of all. `native` is isobench's own language. An error when one cannot be read, when none has a run, or when
 * memory is short; report_free in any case. */
bool report_make(struct report *out, const char *const *paths, size_t count, const char *baseline,
                 const struct dialect *native, struct error *error);
void report_free(struct report *report);

/* Texts for free(); NULL when memory was short. */
char *report_to_html(const struct report *report);
char *report_to_markdown(const struct report *report);
char *report_to_csv(const struct report *report);

/* ---- for the files of this room ---- */

/* gather.c: what the set's folder or file holds. *found is false where it is a folder without any result; *why then
 * tells of the last file that was passed over. */
bool report_gather(struct report *report, size_t set, bool *found, struct error *why, struct error *error);
/* tree.c: adds `path` as a set, or as many sets as are found below it. */
bool report_add_path(struct report *report, const char *path, struct error *error);
bool report_find_remarks(struct report *report, struct error *error); /* remarks.c */
/* One more place for the remark of that code; `row` is the job's, row_count = of none. False when memory is short. */
bool report_remark(struct report *report, const struct report_remark *remark, size_t row);

static inline const struct compare_row *report_row(const struct report *report, size_t row)
{
    return &report->compared[MEASURE_RATE].rows[row];
}

static inline const struct report_cell *report_cell(const struct report *report, size_t row, size_t set)
{
    return &report->cells[row * report->set_count + set];
}

/* What the plan calls the job; what it does where no plan does. */
const char *report_row_name(const struct report *report, size_t row);
/* What the job does: "rndrd 16K, threads 4". */
const char *report_row_work(const struct report *report, size_t row);
/* What the job is judged by: its rate, or its throughput where it reads or writes in sequence. */
enum measure report_row_measure(const struct report *report, size_t row);
/* The readings' place in report.readings and report.hosts. */
const struct host_course *report_host_course(const struct report *report, const struct reading *run);

#endif
