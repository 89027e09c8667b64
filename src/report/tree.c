/* report/tree.c: the sets that a path stands for. scripts/isobench-suite leaves OUT/TAG/VOLUME, and each VOLUME is a
 * set: who names OUT means all of them. */
#include "platform/path.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 3 /* below the path that was named: of a folder with the trees of several hosts too */
#define FOLDERS_MAX 2000

struct search {
    struct report *report;
    size_t folders;
    struct error why; /* why the last file that was passed over was no result */
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERR_SYSTEM, "not enough memory for the report");
}

static bool begin_set(struct report *report, const char *path, struct error *error)
{
    size_t length = strlen(path);
    if (report->set_count == REPORT_SETS_MAX)
        return error_set(error, ERR_USAGE,
                         "report: at most %d sets of results go into one page, and %s "
                         "is one more; name fewer folders",
                         REPORT_SETS_MAX, path);
    struct report_set *set = &report->sets[report->set_count];
    memset(set, 0, sizeof *set);
    set->path = malloc(length + 1);
    if (!set->path)
        return no_memory(error);
    memcpy(set->path, path, length + 1);
    report->set_count++;
    return true;
}

/* The last one, whose number the next one gets. */
static void drop_set(struct report *report)
{
    struct report_set *set = &report->sets[--report->set_count];
    for (size_t i = 0; i < report->remark_count; i++)
        report->remarks[i].sets &= ~(1U << report->set_count);
    manifest_facts_free(&set->manifest);
    free(set->path);
    memset(set, 0, sizeof *set);
}

/* Below what was named, a folder that cannot be read is told on the page and ends nothing. */
static bool note_unreadable(struct search *search, const struct error *why)
{
    struct report_remark remark = {.code = "unreadable", .is_serious = true};
    snprintf(remark.text, sizeof remark.text, "%.600s", why->text);
    return report_remark(search->report, &remark, SIZE_MAX) || no_memory(search->error);
}

static bool note_empty(struct search *search, const char *folder)
{
    struct report_remark remark = {.code = "no-results", .is_serious = true};
    snprintf(remark.text, sizeof remark.text, "%.400s has the manifest of a plan, and not one result of its runs",
             folder);
    return report_remark(search->report, &remark, SIZE_MAX) || no_memory(search->error);
}

static bool look_into(struct search *search, const char *folder, size_t depth);

static bool look_below(struct search *search, const char *folder, size_t depth)
{
    struct path_names names;
    char path[PATH_BYTES];
    struct error why = ERROR_INIT;
    bool good = true;
    if (depth == DEPTH_MAX)
        return true;
    if (!path_list_directories(folder, &names, &why))
        return note_unreadable(search, &why);
    for (size_t i = 0; good && i < names.count; i++)
        good = names.items[i][0] == '.' ||
               (path_join(path, folder, names.items[i], search->error) && look_into(search, path, depth + 1));
    path_names_free(&names);
    return good;
}

static bool look_into(struct search *search, const char *folder, size_t depth)
{
    struct error why = ERROR_INIT;
    bool found = false;
    if (++search->folders > FOLDERS_MAX)
        return error_set(search->error, ERR_USAGE, "report: more than %d folders have no result; name those that have",
                         FOLDERS_MAX);
    if (!begin_set(search->report, folder, search->error))
        return false;
    size_t before = search->report->readings.count;
    bool good = report_gather(search->report, search->report->set_count - 1, &found, &search->why, &why);
    bool was_planned = search->report->sets[search->report->set_count - 1].has_manifest;
    if (good && found)
        return true;
    drop_set(search->report);
    if (!good && (depth == 0 || search->report->readings.count > before))
        return error_set(search->error, why.kind, "%s", why.text);
    if (!good)
        return note_unreadable(search, &why);
    return (depth == 0 || !was_planned || note_empty(search, folder)) && look_below(search, folder, depth);
}

bool report_add_path(struct report *report, const char *path, struct error *error)
{
    struct search search = {.report = report, .why = ERROR_INIT, .error = error};
    size_t before = report->set_count;
    if (!look_into(&search, path, 0))
        return false;
    return report->set_count > before ||
           error_set(error, ERR_DATA, "%s: no result is in it, nor in the folders below it%s%s", path,
                     search.why.kind ? ": " : "", search.why.text);
}
