/* plan/manifest.h: what a folder of results holds: the plan, the host, and which run is in which file. Written anew
 * after every run, so that a suite that was cut off can go on. */
#ifndef PLAN_MANIFEST_H
#define PLAN_MANIFEST_H

#include "plan/plan.h"
#include "platform/host.h"

#define MANIFEST_NAME "manifest.json"
#define TAGS_MAX 32

enum run_state { RUN_OPEN, RUN_DONE, RUN_FAILED, RUN_FORCED /* cut by shutdown_grace; its result says so */ };

struct manifest {
    const struct plan *plan;
    const struct plan_run *runs;
    enum run_state *states; /* one per run */
    size_t run_count;
    struct host_facts host;
    char host_name[HOST_NAME_BYTES];
    const char *tags[TAGS_MAX]; /* "volume=gp3" */
    size_t tag_count;
};

/* "<job>.r2.json" into out; a plan's names fit. */
#define RUN_FILE_BYTES 192
void manifest_run_file(const struct manifest *manifest, size_t run, char out[RUN_FILE_BYTES]);

/* Text for free(); NULL when memory is short. docs/plans.md has the keys. */
char *manifest_to_json(const struct manifest *manifest);

/* Is a folder's manifest (its text) of the same plan? An error that says what differs, or that it is none. */
bool manifest_is_of(const char *text, const char *name, const struct plan *plan, struct error *error);

/* What a folder's manifest tells of it. */
struct manifest_facts {
    char plan[TEXT_MAX];
    char host_name[HOST_NAME_BYTES];
    struct host_facts host;
    char tags[512];                 /* "volume=gp3, note=a b"; cut where they are longer */
    char host_tag[HOST_NAME_BYTES]; /* the one called host, as scripts/isobench-suite gives it; "" = none */
    struct manifest_run {
        char job[PLAN_NAME_BYTES], file[RUN_FILE_BYTES];
        enum run_state state;
    } * runs;
    size_t run_count;
};

/* Reads what manifest_to_json wrote; manifest_facts_free in any case. */
bool manifest_read(const char *text, const char *name, struct manifest_facts *out, struct error *error);
void manifest_facts_free(struct manifest_facts *facts);

#endif
