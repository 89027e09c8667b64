/* report/gather.c: what lies in a folder: results of any tool, the plan's manifest, attributions. */
#include "platform/path.h"
#include "reconcile/attribute_print.h"
#include "report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gathering {
    struct report *report;
    size_t set;
    struct error *error;
    struct error last; /* why the last file that was passed over was no result */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the report");
}

static const struct manifest_run *run_of_file(const struct report_set *set, const char *file)
{
    for (size_t i = 0; i < set->manifest.run_count; i++)
        if (strcmp(set->manifest.runs[i].file, file) == 0)
            return &set->manifest.runs[i];
    return NULL;
}

/* ---- a file ---- */

static bool add_attribution(struct gathering *gathering, const char *name, const struct attribute_plan *plan,
                            const struct attribution *found)
{
    struct report *report = gathering->report;
    void *items = realloc(report->attributions, (report->attribution_count + 1) * sizeof *report->attributions);
    if (!items)
        return no_memory(gathering->error);
    report->attributions = items;
    struct report_attribution *added = &report->attributions[report->attribution_count++];
    memset(added, 0, sizeof *added);
    snprintf(added->name, sizeof added->name, "%s", name);
    added->plan = *plan;
    added->found = *found;
    return true;
}

/* False when it is none; what else goes wrong is in gathering->error. */
static bool take_attribution(struct gathering *gathering, const char *text, const char *path, const char *name)
{
    struct attribute_plan *plan = calloc(1, sizeof *plan);
    struct attribution *found = calloc(1, sizeof *found);
    struct error ignored = ERROR_INIT;
    bool is_one = false;
    if (!plan || !found)
        no_memory(gathering->error);
    else if (strstr(text, "\"remainder\"") && attribute_from_json(text, path, plan, found, &ignored))
        is_one = add_attribution(gathering, name, plan, found);
    if (!is_one && plan)
        attribute_free(plan);
    free(plan);
    free(found);
    return is_one;
}

static bool take_hosts(struct gathering *gathering, const char *text, size_t before)
{
    struct report *report = gathering->report;
    size_t added = report->readings.count - before;
    void *items = realloc(report->hosts, (report->readings.count + 1) * sizeof *report->hosts);
    if (!items)
        return no_memory(gathering->error);
    report->hosts = items;
    memset(report->hosts + before, 0, added * sizeof *report->hosts);
    return host_course_read(text, report->hosts + before, added, gathering->error);
}

static bool note_unreadable(struct gathering *gathering, const struct error *why)
{
    struct report_remark remark = {.code = "unreadable", .sets = 1U << gathering->set, .is_serious = true};
    gathering->last = *why;
    snprintf(remark.text, sizeof remark.text, "%.600s", why->text);
    return report_remark(gathering->report, &remark, SIZE_MAX) || no_memory(gathering->error);
}

static void note_skipped(struct report *report, const char *name)
{
    size_t used = strlen(report->skipped), room = sizeof report->skipped - used;
    report->skipped_count++;
    if (strlen(name) + 3 < room)
        snprintf(report->skipped + used, room, "%s%s", used ? ", " : "", name);
}

/* A file that should be a result and cannot be read is told on the page; of others it tells how many there were. */
static bool pass_over(struct gathering *gathering, const char *text, const char *name, const struct error *why)
{
    bool expected =
        run_of_file(&gathering->report->sets[gathering->set], name) != NULL || strstr(text, "\"isobench\":") != NULL;
    gathering->last = *why;
    if (!expected) {
        note_skipped(gathering->report, name);
        return true;
    }
    return note_unreadable(gathering, why);
}

/* `name`: the file's, without its folder. */
static bool take_text(struct gathering *gathering, const char *text, size_t bytes, const char *path, const char *name)
{
    struct report *report = gathering->report;
    struct error error = ERROR_INIT;
    size_t before = report->readings.count;
    if (take_attribution(gathering, text, path, name) || gathering->error->kind)
        return gathering->error->kind == ERR_NONE;
    bool good = readings_find_in(path, text, bytes, (uint32_t)gathering->set, &report->readings, &error);
    if (!take_hosts(gathering, text, before))
        return false;
    return good || pass_over(gathering, text, name, &error);
}

static const char *last_part(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if ((*at == '/' || *at == '\\') && at[1])
            name = at + 1;
    return name;
}

static bool take_file(struct gathering *gathering, const char *path, const char *name, bool is_alone)
{
    char *text = NULL;
    size_t bytes = 0;
    struct error why = ERROR_INIT;
    if (!path_read_text(path, TRANSCRIPT_BYTES_MAX, &text, &bytes, is_alone ? gathering->error : &why))
        return !is_alone && note_unreadable(gathering, &why);
    bool good = take_text(gathering, text, bytes, path, name);
    free(text);
    return good;
}

/* ---- a folder ---- */

static bool take_manifest(struct gathering *gathering, const char *folder)
{
    struct report_set *set = &gathering->report->sets[gathering->set];
    char path[PATH_BYTES], *text = NULL;
    enum path_kind kind;
    if (!path_join(path, folder, MANIFEST_NAME, gathering->error) || !path_look(path, &kind, NULL, gathering->error))
        return false;
    if (kind != PATH_FILE)
        return true;
    if (!path_read_text(path, (size_t)64 << 20, &text, NULL, gathering->error))
        return false;
    set->has_manifest = manifest_read(text, path, &set->manifest, gathering->error);
    free(text);
    return set->has_manifest;
}

/* Numbers in names by their value: depth=4 before depth=16. */
static int by_name(const void *a, const void *b)
{
    const char *one = *(char *const *)a, *other = *(char *const *)b;
    for (; *one && *other; one++, other++) {
        if (isdigit((unsigned char)*one) && isdigit((unsigned char)*other)) {
            char *ends[2];
            unsigned long long x = strtoull(one, &ends[0], 10), y = strtoull(other, &ends[1], 10);
            if (x != y)
                return x < y ? -1 : 1;
            one = ends[0] - 1;
            other = ends[1] - 1;
        } else if (*one != *other) {
            return (unsigned char)*one < (unsigned char)*other ? -1 : 1;
        }
    }
    return (*one != '\0') - (*other != '\0');
}

static bool take_folder(struct gathering *gathering, const char *folder)
{
    struct path_names names;
    char path[PATH_BYTES];
    bool good = take_manifest(gathering, folder);
    if (!good || !path_list(folder, ".json", &names, gathering->error))
        return false;
    if (names.count > 0)
        qsort(names.items, names.count, sizeof *names.items, by_name);
    for (size_t i = 0; good && i < names.count; i++)
        good =
            strcmp(names.items[i], MANIFEST_NAME) == 0 || (path_join(path, folder, names.items[i], gathering->error) &&
                                                           take_file(gathering, path, names.items[i], false));
    path_names_free(&names);
    return good;
}

/* Runs of the plan that left no result. */
static bool note_missing(struct gathering *gathering)
{
    struct report *report = gathering->report;
    const struct manifest_facts *facts = &report->sets[gathering->set].manifest;
    size_t counts[] = {[RUN_OPEN] = 0, [RUN_DONE] = 0, [RUN_FAILED] = 0, [RUN_FORCED] = 0};
    struct report_remark remark = {.code = "missing-runs", .sets = 1U << gathering->set, .is_serious = true};
    for (size_t i = 0; i < facts->run_count; i++)
        counts[facts->runs[i].state]++;
    if (counts[RUN_OPEN] + counts[RUN_FAILED] + counts[RUN_FORCED] == 0)
        return true;
    snprintf(remark.text, sizeof remark.text,
             "of the plan's %zu runs %zu failed, %zu were cut off and %zu were not begun: the means here are of the "
             "others",
             facts->run_count, counts[RUN_FAILED], counts[RUN_FORCED], counts[RUN_OPEN]);
    return report_remark(report, &remark, SIZE_MAX) || no_memory(gathering->error);
}

bool report_gather(struct report *report, size_t set, bool *found, struct error *why, struct error *error)
{
    const char *path = report->sets[set].path;
    struct gathering gathering = {report, set, error, ERROR_INIT};
    size_t before = report->readings.count, attributions = report->attribution_count;
    enum path_kind kind;
    if (!path_look(path, &kind, NULL, error))
        return false;
    if (kind == PATH_ABSENT)
        return error_set(error, ERR_DATA, "%s: there is no such folder or file", path);
    if (kind == PATH_DIRECTORY ? !take_folder(&gathering, path) || !note_missing(&gathering)
                               : !take_file(&gathering, path, last_part(path), true))
        return false;
    *found = report->readings.count > before || report->attribution_count > attributions;
    *why = gathering.last;
    return *found || kind == PATH_DIRECTORY ||
           error_set(error, ERR_DATA, "%s: no result is in it%s%s", path, why->kind ? ": " : "", why->text);
}
