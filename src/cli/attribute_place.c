#include "cli/attribute_place.h"

#include "core/settings.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct listener silent = {0};

/* ---- the two ends ---- */

/* Files of our own stand for whatever A and B load. */
static bool settle_files(struct job *job, const char *option, struct error *error)
{
    if (job->total_size_bytes == 0)
        return error_set(error, ERR_USAGE,
                         "--%s: it loads all of %.200s; say how much (total_size), as files of that size "
                         "are made here",
                         option, job->target);
    if (job->target[0]) {
        job->files = 1;
        for (const char *at = job->target; (at = strchr(at, ',')) != NULL; at++)
            job->files++;
        job->target[0] = '\0';
    }
    job->start_bytes = 0;
    job->passes = 0;
    job->ledger[0] = '\0';
    return true;
}

static bool settle(struct job *job, const char *option, struct error *error)
{
    job->repeat = 1;
    job->report_interval_ns = 0;
    job->sample_ns = 0;
    job->checkpoints.count = 0;
    job->steady_state[0] = '\0';
    job->warmup_ns = 0;
    job->events = 0;
    job->time_ns = NS_PER_S; /* the same for both; each run gets its share of the budget */
    return job->work == WORK_DATABASE || settle_files(job, option, error);
}

/* Which server, and how it is reached. */
static const char *const endpoint[] = {"db_host",     "db_port",          "db_socket",         "db_protocol",
                                       "db_user",     "db_defaults_file", "db_name",           "db_tls_ca",
                                       "db_tls_cert", "db_tls_key",       "db_defaults_group", "db_file"};

static bool same_setting(const struct job *a, const struct job *b, const char *name)
{
    return setting_equal(a, b, setting_find(name));
}

/* A setting is walked on one server: what differs by the server would look as if it were the setting's. */
static bool check_servers(const struct job *from, const struct job *to, struct error *error)
{
    static const char *const names[] = {"db_host", "db_port", "db_socket", "db_name"};
    if (strcmp(from->db_driver, to->db_driver) != 0 || strcmp(from->db_driver, "sqlite") == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!same_setting(from, to, names[i]))
            return error_set(error, ERR_USAGE,
                             "--to: its %s is another than that of --from: settings are walked on one server, so name "
                             "the same in both",
                             names[i]);
    return true;
}

bool places_settle(struct side_job *from, struct side_job *to, struct error *error)
{
    if (from->job.work != to->job.work)
        return error_set(error, ERR_USAGE, "--from loads %s and --to loads %s: they have no settings in common to walk",
                         from->job.work == WORK_FILES ? "files" : "a database",
                         to->job.work == WORK_FILES ? "files" : "a database");
    return settle(&from->job, "from", error) && settle(&to->job, "to", error) &&
           (from->job.work == WORK_FILES || check_servers(&from->job, &to->job, error));
}

/* ---- places ---- */

bool places_init(struct places *places, struct error *error)
{
    places->count = 0;
    places->items = calloc(PLACES_MAX, sizeof *places->items);
    places->invocation = calloc(1, sizeof *places->invocation);
    return (places->items && places->invocation) || error_set(error, ERR_SYSTEM, "not enough memory");
}

/* Jobs that agree in these are loaded on one place. */
static bool fits(const struct job *a, const struct job *b)
{
    static const char *const of_files[] = {"files", "total_size", "fill"};
    static const char *const of_tables[] = {"db_driver",     "sqlite_journal", "table_form",      "tables",
                                            "table_size",    "table_engine",   "auto_inc",        "secondary",
                                            "table_options", "workload",       "create_secondary"};
    bool files = a->work == WORK_FILES;
    const char *const *names = files ? of_files : of_tables;
    for (size_t i = 0; i < (files ? COUNT_OF(of_files) : COUNT_OF(of_tables)); i++)
        if (!same_setting(a, b, names[i]))
            return false;
    bool one_for_each_thread = !files && strcmp(a->workload, "bulk_insert") == 0;
    return !one_for_each_thread || a->threads == b->threads;
}

static struct place *find_place(struct places *places, const struct job *job, struct error *error)
{
    for (size_t i = 0; i < places->count; i++)
        if (fits(&places->items[i].job, job))
            return &places->items[i];
    if (places->count == PLACES_MAX) {
        error_set(error, ERR_UNSUPPORTED, "the jobs between the two need more than %d layouts of files or tables",
                  PLACES_MAX);
        return NULL;
    }
    struct place *added = &places->items[places->count++];
    *added = (struct place){.job = *job, .made = false};
    return added;
}

/* B's server for B's driver, where A's is another. */
static const struct side_job *server_of(const struct places *places, const struct job *job)
{
    bool is_b = strcmp(job->db_driver, places->from->job.db_driver) != 0;
    return is_b ? places->to : places->from;
}

static bool name_place(const struct places *places, const struct place *place, struct job *job, struct error *error)
{
    char name[32], file[PATH_BYTES];
    snprintf(name, sizeof name, "isobench_attribute_%zu", (size_t)(place - places->items));
    if (job->work == WORK_FILES) {
        snprintf(job->dir, sizeof job->dir, "%s", places->dir);
        snprintf(job->file_name, sizeof job->file_name, "%s", name);
        return true;
    }
    const struct job *server = &server_of(places, job)->job;
    for (size_t i = 0; i < COUNT_OF(endpoint); i++) {
        const struct setting *setting = setting_find(endpoint[i]);
        memcpy((char *)job + setting->offset, (const char *)server + setting->offset, setting->bytes);
    }
    snprintf(job->table_name, sizeof job->table_name, "%s_", name);
    if (strcmp(job->db_driver, "sqlite") != 0)
        return true;
    strcat(name, ".db");
    if (!path_join(file, places->dir, name, error))
        return false;
    if (strlen(file) >= sizeof job->db_file)
        return error_set(error, ERR_USAGE, "--dir: its name is too long for the file of a database");
    memcpy(job->db_file, file, strlen(file) + 1);
    return true;
}

struct errand places_errand(struct places *places, const struct job *job)
{
    places->invocation->job = *job;
    places->invocation->password = job->work == WORK_DATABASE ? server_of(places, job)->password : NULL;
    return (struct errand){
        .invocation = places->invocation, .job = &places->invocation->job, .listener = &silent, .clock = places->clock};
}

/* ---- making and removing ---- */

/* With what SQLite keeps beside its file. */
static bool remove_database(const struct job *job, struct error *error)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        char path[PATH_BYTES + 16];
        snprintf(path, sizeof path, "%s%s", job->db_file, tails[i]);
        if (!path_remove(path, error))
            return false;
    }
    return true;
}

static bool remove_place(struct places *places, struct place *place, struct error *error)
{
    struct errand errand = places_errand(places, &place->job);
    place->made = false;
    if (!engine_of(&place->job)->cleanup(&errand, error))
        return false;
    return place->job.work == WORK_FILES || strcmp(place->job.db_driver, "sqlite") != 0 ||
           remove_database(&place->job, error);
}

/* What a job changes in its place so that the next one would meet another: ranges that were not written, and the number
 * of rows. */
static bool is_used_up(const struct job *job)
{
    static const char *const workloads[] = {"oltp_insert", "oltp_delete", "bulk_insert"};
    for (size_t i = 0; job->work == WORK_DATABASE && i < COUNT_OF(workloads); i++)
        if (strcmp(job->workload, workloads[i]) == 0)
            return true;
    return job->work == WORK_FILES && job->fill != FILL_WRITTEN;
}

static bool refuse_database_there(const struct job *job, struct error *error)
{
    enum path_kind kind = PATH_ABSENT;
    if (job->work == WORK_FILES || strcmp(job->db_driver, "sqlite") != 0)
        return true;
    return path_look(job->db_file, &kind, NULL, error) &&
           (kind == PATH_ABSENT ||
            error_set(error, ERR_USAGE, "%s is there already: remove it, or give another --dir", job->db_file));
}

bool places_ready(struct places *places, struct job *job, struct error *error)
{
    struct place *place = find_place(places, job, error);
    if (!place || !name_place(places, place, job, error))
        return false;
    if (place->made && is_used_up(&place->job) && !remove_place(places, place, error))
        return false;
    if (place->made)
        return true;
    if (!refuse_database_there(job, error))
        return false;
    place->job = *job;
    place->job.through = WRITE_THROUGH_OFF;
    struct errand errand = places_errand(places, &place->job);
    place->made = engine_of(job)->prepare(&errand, error);
    if (!place->made && job->work == WORK_DATABASE && strcmp(job->db_driver, "sqlite") == 0)
        remove_database(job, &(struct error)ERROR_INIT);
    return place->made;
}

/* All but the first error are of no use to anybody. */
void places_free(struct places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        struct error ignored = ERROR_INIT;
        if (places->items[i].made)
            remove_place(places, &places->items[i], &ignored);
    }
    free(places->invocation);
    free(places->items);
}
