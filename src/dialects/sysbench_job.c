/* sysbench_job.c: from option texts to a job. Most options are a setting of the job under another name and are
 * parsed by the settings table; here stand those that are not, and what sysbench fixes for every file test. */
#include "dialects/sysbench.h"

#include "core/settings.h"
#include "core/units.h"
#include "dialects/phrases.h"

#include <assert.h>
#include <string.h>

#define SHOWN_BYTES 512
#define NAMES_MAX 8

/* The events of a run that nothing bounds: 2^53 is exact as a JSON number too. */
#define ENDLESS_EVENTS (UINT64_C(1) << 53)

const char *making_text(const struct making *making, const char *name)
{
    return sysbench_text(making->given, name, making->version);
}

bool making_refuse(const struct making *making, const char *name, const char *right)
{
    char shown[SHOWN_BYTES];
    return error_set(making->error, ERR_USAGE, "%s=%s is not valid: it must be %s",
                     sysbench_shown(making->given, name, shown, sizeof(shown)), making_text(making, name), right);
}

/* ---- options that are settings ---------------------------------------------------------------------------- */

bool making_set(const struct making *making, const char *option, const char *setting, const char *text)
{
    char shown[SHOWN_BYTES];
    const struct setting *found = setting_find(setting);
    assert(found);
    return job_set(making->job, found, sysbench_shown(making->given, option, shown, sizeof(shown)), text,
                   making->error);
}

/* An option of the other kind of test is none of this one. */
static bool is_foreign(const struct making *making, const struct sysbench_option *option)
{
    return option->setting && !setting_concerns(setting_find(option->setting), making->job->work);
}

static bool set_from_table(const struct making *making)
{
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        if (!option->setting || is_foreign(making, option))
            continue;
        const char *text = making_text(making, option->name);
        bool no_list = option->form == FORM_LIST && text && !*text;
        if (text && !no_list && !making_set(making, option->name, option->setting, text))
            return false;
    }
    return true;
}

/* Of the modes that the setting knows sysbench has all but one. */
static bool check_mode(const struct making *making)
{
    return making->job->mode != MODE_SEQRW ||
           error_set(making->error, ERR_USAGE,
                     "--file-test-mode=seqrw: sysbench has no such mode; one of seqwr, seqrewr, seqrd, rndrd, rndwr, "
                     "rndrw");
}

static bool percentiles_are_off(const struct making *making)
{
    double value = -1;
    return units_parse_real(making_text(making, "percentile"), &value) && value == 0;
}

/* ---- options that are checked and have no effect here ------------------------------------------------------- */

static bool check_form(const struct making *making, const struct sysbench_option *option)
{
    const char *text = making->given->values[option - sysbench_options].text;
    double number = 0;
    uint64_t bytes = 0;
    if (!text || option->setting)
        return true;
    if (option->form == FORM_BOOL && !sysbench_is_on(making->given, option->name) && strcmp(text, "off") != 0 &&
        strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return making_refuse(making, option->name, "on or off");
    if (option->form == FORM_NUMBER && !units_parse_real(text, &number))
        return making_refuse(making, option->name, "a number");
    if (option->form == FORM_SIZE && !units_parse_bytes(text, &bytes))
        return making_refuse(making, option->name, "a size such as 65536 or 64K");
    return true;
}

static bool is_default(const struct making *making, const struct sysbench_option *option)
{
    const char *text = making->given->values[option - sysbench_options].text;
    double number = 0, fallback = 0;
    if (!text || option->same_as)
        return true;
    if (option->form == FORM_BOOL)
        return sysbench_is_on(making->given, option->name) == (strcmp(option->fallback, "on") == 0);
    return units_parse_real(text, &number) && units_parse_real(option->fallback, &fallback) && number == fallback;
}

/* Options of one kind of test are unknown to the other, but for those of databases, which sysbench takes everywhere. */
static bool is_of_other_kind(const struct making *making, const struct sysbench_option *option)
{
    if (making->workload)
        return option->group == GROUP_FILEIO || strcmp(option->name, "file-dir") == 0;
    return option->group == GROUP_OLTP || option->group == GROUP_OLTP_04 ||
           (option->group == GROUP_OWN && is_foreign(making, option));
}

/* Of sysbench 0.4's one test of databases; a transaction's halves are options of 0.5's script too. */
static bool is_of_04_alone(const struct making *making, const struct sysbench_option *option)
{
    bool halves = strcmp(option->name, "oltp-read-only") == 0 || strcmp(option->name, "oltp-write-only") == 0;
    if (option->group != GROUP_OLTP_04 || option->same_as)
        return false;
    return making->script ? !halves : making->version != SYSBENCH_04;
}

/* An older name may be every test's: it is checked by its own row. */
static bool check_test_of(const struct making *making, const struct sysbench_option *option)
{
    char shown[SHOWN_BYTES];
    const struct option_value *value = &making->given->values[option - sysbench_options];
    if (!value->text)
        return true;
    sysbench_shown(making->given, option->name, shown, sizeof(shown));
    if (is_of_other_kind(making, option) && value->name == option->name)
        return error_set(making->error, ERR_USAGE, "%s: the test has no such option; it is one of %s", shown,
                         making->workload ? "fileio" : "the tests of databases");
    if (making->workload && !sysbench_workload_has(making->workload, option))
        return error_set(making->error, ERR_USAGE, "%s: the test %s has no such option", shown, making->workload);
    if (is_of_04_alone(making, option))
        return error_set(making->error, ERR_USAGE, "%s is an option of sysbench 0.4's --test=oltp", shown);
    return true;
}

static bool check_all(const struct making *making)
{
    char shown[SHOWN_BYTES];
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        if (!check_form(making, option) || !check_test_of(making, option))
            return false;
        if (option->unsupported && !is_default(making, option))
            return error_set(making->error, ERR_UNSUPPORTED, "%s=%s is not supported by this version of isobench",
                             sysbench_shown(making->given, option->name, shown, sizeof(shown)),
                             making_text(making, option->name));
    }
    return true;
}

/* Which of `names` the text is; −1 when none. */
static int index_of(const char *const *names, const char *text, size_t bytes)
{
    for (int i = 0; names[i]; ++i)
        if (strlen(names[i]) == bytes && strncmp(names[i], text, bytes) == 0)
            return i;
    return -1;
}

static bool check_random(const struct making *making)
{
    static const char *const names[] = {"uniform", "gaussian", "special", "pareto", "zipfian", NULL};
    const char *text = making_text(making, "rand-type");
    return !text || index_of(names, text, strlen(text)) >= 0 ||
           making_refuse(making, "rand-type", "uniform, gaussian, special, pareto or zipfian");
}

/* ---- options that are several settings, or settings in another form ------------------------------------------ */

static bool count_of(const struct making *making, const char *name, uint64_t low, uint64_t high, uint64_t *out)
{
    char right[80];
    if (units_parse_count(making_text(making, name), out) && *out >= low && *out <= high)
        return true;
    snprintf(right, sizeof(right), "a whole number from %llu to %llu", (unsigned long long)low,
             (unsigned long long)high);
    return making_refuse(making, name, right);
}

static bool make_io_mode(const struct making *making)
{
    static const char *const names[] = {"sync", "async", "mmap", "fastmmap", "slowmmap", NULL};
    static const struct {
        const char *engine, *words;
        bool deep;
    } modes[] = {{"sync", "synchronous", false},
                 {"auto", "asynchronous", true},
                 {"mmap", "fast mmaped", false},
                 {"mmap", "fast mmaped", false},
                 {"mmap", "slow mmaped", false}};
    const char *text = making_text(making, "file-io-mode");
    int mode = index_of(names, text, strlen(text));
    uint64_t backlog = 1;
    if (mode < 0)
        return making_refuse(making, "file-io-mode", "sync, async or mmap");
    if (!count_of(making, "file-async-backlog", 1, 4096, &backlog))
        return false;
    snprintf(making->job->engine, sizeof(making->job->engine), "%s", modes[mode].engine);
    making->job->depth = modes[mode].deep ? backlog : 1;
    making->printer->io_mode = modes[mode].words;
    return true;
}

static bool make_extra_flags(const struct making *making)
{
    static const char *const names[] = {"sync", "dsync", "direct", NULL};
    struct sysbench_printer *printer = making->printer;
    bool *const flags[] = {&printer->flag_sync, &printer->flag_dsync, &printer->flag_direct};
    for (const char *word = making_text(making, "file-extra-flags"); *word;) {
        size_t bytes = strcspn(word, ",");
        int flag = index_of(names, word, bytes);
        if (flag < 0)
            return making_refuse(making, "file-extra-flags", "a list of sync, dsync and direct, or empty");
        *flags[flag] = true;
        word += bytes + (word[bytes] == ',');
    }
    making->job->cache = printer->flag_direct ? OS_CACHE_OFF : OS_CACHE_ON;
    making->job->through = printer->flag_sync    ? WRITE_THROUGH_FULL
                           : printer->flag_dsync ? WRITE_THROUGH_DATA
                                                 : WRITE_THROUGH_OFF;
    return true;
}

/* A ratio of r reads per write is r / (r + 1) of all requests. */
static bool make_mix(const struct making *making)
{
    double ratio = 0;
    if (!units_parse_real(making_text(making, "file-rw-ratio"), &ratio) || ratio < 0)
        return making_refuse(making, "file-rw-ratio", "a number of reads per write, 0 or more");
    making->printer->rw_ratio = ratio;
    making->job->read_percent = ratio / (ratio + 1) * 100;
    return true;
}

static bool make_merging(const struct making *making)
{
    uint64_t blocks = 0;
    if (!count_of(making, "file-merged-requests", 0, 1 << 20, &blocks))
        return false;
    making->printer->merged_requests = blocks;
    making->job->merge_blocks = blocks ? blocks : 1;
    return true;
}

/* off | seconds | N% of the time limit | nothing = a twentieth of it. Counts after the time limit alone. */
static bool make_forced_shutdown(const struct making *making)
{
    struct job *job = making->job;
    const char *text = making_text(making, "forced-shutdown");
    char number[64];
    double percent = 5;
    uint64_t grace_ns = 0;
    size_t bytes = strlen(text);
    bool is_share = bytes == 0 || text[bytes - 1] == '%';
    job->shutdown_grace_ns = NO_GRACE;
    if (strcmp(text, "off") == 0)
        return true;

    snprintf(number, sizeof(number), "%.*s", bytes > 0 ? (int)bytes - 1 : 0, text);
    bool good = bytes < sizeof(number);
    if (is_share)
        good = good && (bytes == 0 || units_parse_real(number, &percent)) && percent >= 0 && percent <= 1e6;
    else
        good = good && units_parse_time_ns(text, &grace_ns);
    if (!good)
        return making_refuse(making, "forced-shutdown", "seconds, a share of --time such as 10%, or off");
    if (job->time_ns == 0)
        return true;
    job->shutdown_grace_ns = is_share ? (uint64_t)((double)job->time_ns / 100 * percent) : grace_ns;
    making->printer->forced_ns = job->time_ns + job->shutdown_grace_ns;
    return true;
}

/* 0.4 without --init-rng never seeds its generator: every run is the same. Seed 1 stands for that. */
static bool make_seed(const struct making *making)
{
    uint64_t seed = 0, old_seed = 0;
    if (!count_of(making, "rand-seed", 0, INT64_MAX, &seed) || !count_of(making, "seed-rng", 0, INT64_MAX, &old_seed))
        return false;
    if (seed == 0)
        seed = old_seed;
    making->printer->seed = seed;
    making->printer->random_from_clock = sysbench_is_on(making->given, "init-rng");
    if (seed == 0 && making->version == SYSBENCH_04 && !making->printer->random_from_clock)
        seed = 1;
    making->job->seed = seed;
    return true;
}

static bool make_percentiles(const struct making *making)
{
    struct job *job = making->job;
    if (percentiles_are_off(making))
        job->percentiles.count = 0;
    if (job->percentiles.count > 0)
        job->interval_percentile = job->percentiles.values[0];
    if (job->histogram && job->percentiles.count == 0)
        return error_set(making->error, ERR_USAGE, "--histogram cannot be used with --percentile=0: leave one out");
    return true;
}

static bool make_dir(const struct making *making)
{
    const char *text = making_text(making, "file-dir");
    if (!*text || strlen(text) >= sizeof(making->job->dir))
        return making_refuse(making, "file-dir", "a directory");
    snprintf(making->job->dir, sizeof(making->job->dir), "%s", text);
    making->printer->whole_paths = sysbench_given_text(making->given, "file-dir") != NULL;
    return true;
}

/* ---- what holds for every file test ----------------------------------------------------------------------------- */

/* sysbench writes zeros; we write real data all the same, since zeros flatter whatever compresses. */
static void fix(const struct making *making)
{
    struct job *job = making->job;
    snprintf(job->file_name, sizeof(job->file_name), "test_file");
    job->data = DATA_RANDOM;
    job->fill = FILL_WRITTEN;
    job->mix = MIX_BALANCED;
    if (job->rate > 0)
        job->arrival = ARRIVAL_POISSON;
    job->cursor = CURSOR_SHARED;
    job->distribution = DIST_UNIFORM;
    job->align_bytes = 0;
    job->sync_counts = SYNC_COUNTS_REQUESTS;
    job->count_syncs = making->version != SYSBENCH_04;
    if (job->sync_each_write) {
        job->sync_every = 0;
        job->sync_at_end = false;
    }
}

/* 0.4's sequential tests end after one pass, whatever --max-requests says. */
static void fix_limits(const struct making *making)
{
    struct job *job = making->job;
    making->printer->events = job->events;
    if (job->work == WORK_FILES && making->version == SYSBENCH_04 && mode_is_sequential(job->mode)) {
        job->passes = 1;
        job->events = 0;
    } else if (job->time_ns == 0 && job->events == 0) {
        making->printer->limits = LIMITS_ENDLESS;
        job->events = ENDLESS_EVENTS;
    }
}

static const struct phrase phrases[] = {{"--cache=off", "--file-extra-flags=direct"},
                                        {"--engine=mmap", "--file-io-mode=mmap"},
                                        {"--merge-blocks", "--file-merged-requests"},
                                        {"--block-size", "--file-block-size"},
                                        {"--total-size", "--file-total-size"},
                                        {"--files", "--file-num"},
                                        {"--mode", "--file-test-mode"},
                                        {"--through", "--file-extra-flags=sync or dsync"},
                                        {"--sync-each-write", "--file-fsync-all"},
                                        {"--verify", "--validate"},
                                        {"--dir", "--file-dir"}};

static void fix_printer(const struct making *making)
{
    for (size_t i = 0; sysbench_deprecated[i]; ++i) {
        const char *name = sysbench_deprecated[i], *text = sysbench_given_text(making->given, name);
        making->printer->deprecated[i] =
            text && strcmp(text, sysbench_fallback(sysbench_option_find(name, strlen(name)), making->version)) != 0;
    }
    making->printer->threads = making->job->threads;
    making->printer->parallel_tables = strcmp(making->job->workload, "bulk_insert") != 0;
    making->printer->debug = sysbench_is_on(making->given, "debug");
    if (making->printer->debug)
        making->printer->verbosity = 5;
}

static bool make_files(const struct making *making)
{
    return check_mode(making) && make_io_mode(making) && make_extra_flags(making) && make_mix(making) &&
           make_merging(making) && make_dir(making);
}

bool sysbench_job_make(const struct sysbench_given *given, const char *test, enum sysbench_version version,
                       enum action action, struct job *job, struct sysbench_printer *printer, struct error *error)
{
    struct making making = {
        given, version, job, printer, error, sysbench_workload(test), sysbench_is_script(test, given)};
    bool files = making.workload == NULL;
    job_init(job);
    job->work = files ? WORK_FILES : WORK_DATABASE;
    printer->version = version;
    if (files && action == ACTION_RUN && !sysbench_given_text(given, "file-test-mode"))
        return error_set(error, ERR_USAGE,
                         "run needs --file-test-mode: one of seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw");
    if (!check_all(&making) || !check_random(&making) || !count_of(&making, "verbosity", 0, 5, &printer->verbosity))
        return false;
    if (!set_from_table(&making) || !(files ? make_files(&making) : sysbench_oltp_make(&making)) ||
        !make_forced_shutdown(&making) || !make_seed(&making) || !make_percentiles(&making))
        return false;
    if (files)
        fix(&making);
    fix_limits(&making);
    fix_printer(&making);
    if (!files) {
        bool good = action == ACTION_RUN ? job_check_run(job, error) : job_check(job, error);
        sysbench_reword(job, error);
        return good;
    }
    return action == ACTION_CLEANUP || phrases_check_job(phrases, COUNT_OF(phrases), job, action == ACTION_RUN, error);
}
