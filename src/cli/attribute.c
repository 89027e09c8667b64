#include "cli/attribute.h"

#include "cli/attribute_place.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/engine.h"
#include "core/result_json.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/path.h"
#include "platform/process.h"
#include "reconcile/attribute.h"
#include "reconcile/attribute_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_LEAST_NS (NS_PER_S / 10)

/* What the command line asks for. */
struct order {
    const char *from, *to, *dir, *state, *json, *plot;
    uint64_t budget_ns, rounds, seed;
    enum attribute_method method;
    bool help;
};

struct walk {
    const struct order *order;
    struct attribute_plan *plan;
    struct clock clock;
    uint64_t slice_ns, begun_ns, done, all;
    struct side_job from, to;
    struct places places;
};

static void print_help(void)
{
    puts(
        "usage: isobench attribute --from=A --to=B [options]\n\n"
        "Walks from A's settings to B's one at a time, measures each step here, several times and in random order, and "
        "prints\n"
        "how much of the difference each setting makes. A and B are command lines of any tool ('sqlio -kR …', "
        "'sysbench "
        "…',\n"
        "'isobench fileio run …'), files with what a tool printed, or jobs and results as JSON. Both load files, or "
        "both\n"
        "tables of one server: files in --dir or tables are made for each layout that is needed, and removed at the "
        "end.\n\n"
        "  --budget=TIME  [5m]\n      Time for all runs together; each gets an equal share.\n"
        "  --rounds=N  [5]\n      Times that each job is measured.\n"
        "  --method=path|shapley  [path]\n      One order of the settings, or the mean over their orders (for settings "
        "that interact).\n"
        "  --dir=DIR  [.]\n      Where files, and those of SQLite, are made: the volume that is measured.\n"
        "  --state=FILE\n      Keeps what was measured, and goes on from there when it is there already.\n"
        "  --seed=N  [1]\n      Of the random order.\n"
        "  --json=FILE, --plot=FILE.svg\n      The same as data, and as a picture.\n"
        "  --help\n      Prints this.\n\n"
        "exit status: 0 done, 1 a run failed, 2 wrong command line, 130 Ctrl-C");
}

/* ---- the command line ---- */

static bool read_count(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *out,
                       struct error *error)
{
    return (units_parse_count(text, out) && *out >= low && *out <= high) ||
           error_set(error, ERR_USAGE, "--%s=%.40s: must be a whole number from %" PRIu64 " to %" PRIu64, name, text,
                     low, high);
}

static bool set_method(struct order *order, const char *value, struct error *error)
{
    if (strcmp(value, "path") != 0 && strcmp(value, "shapley") != 0)
        return error_set(error, ERR_USAGE, "--method=%.40s: one of path, shapley", value);
    order->method = value[0] == 'p' ? ATTRIBUTE_PATH : ATTRIBUTE_SHAPLEY;
    return true;
}

static bool set_budget(struct order *order, const char *value, struct error *error)
{
    return (units_parse_time_ns(value, &order->budget_ns) && order->budget_ns > 0) ||
           error_set(error, ERR_USAGE, "--budget=%.40s: must be a time, such as 90s or 10m", value);
}

static bool set_option(struct order *order, const char *name, const char *value, struct error *error)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"from", &order->from},   {"to", &order->to},     {"dir", &order->dir},
                 {"state", &order->state}, {"json", &order->json}, {"plot", &order->plot}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (strcmp(name, texts[i].name) != 0)
            continue;
        *texts[i].text = value;
        return value[0] || error_set(error, ERR_USAGE, "--%s: its value is missing", name);
    }
    if (strcmp(name, "budget") == 0)
        return set_budget(order, value, error);
    if (strcmp(name, "method") == 0)
        return set_method(order, value, error);
    if (strcmp(name, "rounds") == 0)
        return read_count(name, value, 2, 1000, &order->rounds, error);
    if (strcmp(name, "seed") == 0)
        return read_count(name, value, 1, INT64_MAX, &order->seed, error);
    return error_set(error, ERR_USAGE, "--%.60s: no option has that name; see `isobench attribute --help`", name);
}

/* "--from=A" or "--from A". */
static bool read_words(struct order *order, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *equals = strchr(word, '=');
        char name[NAME_MAX_BYTES];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            order->help = true;
            return true;
        }
        if (strncmp(word, "--", 2) != 0)
            return error_set(error, ERR_USAGE, "%.60s: name the two with --from=A and --to=B", word);
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word - 2) : (int)strlen(word + 2), word + 2);
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : "";
        if (!set_option(order, name, value, error))
            return false;
    }
    if (!order->from || !order->to)
        return error_set(error, ERR_USAGE, "attribute: name the two with --from=A and --to=B; see --help");
    return true;
}

/* ---- the jobs ---- */

static bool read_jobs(struct walk *walk, struct error *error)
{
    return side_job_read(walk->order->from, &walk->from, error) && side_job_read(walk->order->to, &walk->to, error) &&
           places_settle(&walk->from, &walk->to, error);
}

/* ---- runs ---- */

static void show_progress(const struct walk *walk)
{
    char left[32];
    if (!process_stderr_is_terminal() || walk->done == 0)
        return;
    uint64_t steps_back = 0, spent_ns = clock_elapsed_ns(walk->begun_ns, clock_now_ns(&walk->clock), &steps_back);
    double left_ns = (double)spent_ns / (double)walk->done * (double)(walk->all - walk->done);
    fprintf(stderr, "\r[%" PRIu64 "/%" PRIu64 "] about %s left   %s", walk->done, walk->all,
            units_time_human(left_ns, left, sizeof left), walk->done == walk->all ? "\r\033[K" : "");
    fflush(stderr);
}

static bool rate_of(struct walk *walk, const struct result *result, double *rate, struct error *error)
{
    if (result->partial)
        return error_set(error, ERR_INTERRUPTED, "interrupted%s",
                         walk->order->state ? "; with the same --state it goes on" : "");
    uint64_t count = result->total.events;
    if (result->job.work == WORK_FILES) /* syncs are no events here, whatever the job counts */
        count = result->total.of[CLASS_READ].latency.count + result->total.of[CLASS_WRITE].latency.count;
    *rate = result->load_ns ? (double)count * (double)NS_PER_S / (double)result->load_ns : 0;
    return true;
}

static bool measure(void *context, const struct job *asked, double *rate, struct error *error)
{
    struct walk *walk = context;
    struct job job = *asked;
    struct result *result = NULL;
    if (!places_ready(&walk->places, &job, error))
        return false;
    job.time_ns = walk->slice_ns;
    struct errand errand = places_errand(&walk->places, &job);
    bool good = engine_of(&job)->run(&errand, &result, error) && rate_of(walk, result, rate, error);
    result_free(result);
    return good;
}

/* ---- what is kept ---- */

/* Ends of the walk, method and run length: measured under others, a figure is of no use. FNV-1a. */
static uint64_t key_of(const struct walk *walk, struct error *error)
{
    char *texts[2] = {job_to_json(&walk->plan->from), job_to_json(&walk->plan->to)}, rest[2 * TEXT_MAX];
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    snprintf(rest, sizeof rest, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %s", (int)walk->plan->method,
             walk->order->rounds, walk->order->seed, walk->slice_ns, walk->order->dir);
    const char *parts[] = {texts[0], texts[1], rest};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        for (const char *at = parts[i] ? parts[i] : ""; *at; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    if (!texts[0] || !texts[1])
        error_set(error, ERR_SYSTEM, "not enough memory");
    free(texts[0]);
    free(texts[1]);
    return hash;
}

static bool write_state(struct walk *walk, struct error *error)
{
    const struct attribute_plan *plan = walk->plan;
    size_t room = 64 + plan->rounds * plan->slot_count * 64, used;
    char *text = malloc(room);
    if (!text)
        return error_set(error, ERR_SYSTEM, "not enough memory for %s", walk->order->state);
    used = (size_t)snprintf(text, room, "isobench attribute 1 %016" PRIx64 "\n", key_of(walk, error));
    for (size_t i = 0; i < plan->rounds * plan->slot_count; i++)
        if (plan->rates[i] > 0)
            used += (size_t)snprintf(text + used, room - used, "%zu %.17g\n", i, plan->rates[i]);
    bool good = path_write_text(walk->order->state, text, used, error);
    free(text);
    return good;
}

static bool measured(void *context, const struct attribute_plan *plan, size_t round, size_t slot, struct error *error)
{
    struct walk *walk = context;
    (void)plan;
    (void)round;
    (void)slot;
    walk->done++;
    show_progress(walk);
    return !walk->order->state || write_state(walk, error);
}

static bool take_line(struct walk *walk, const char *line, unsigned number, struct error *error)
{
    char *end = NULL;
    unsigned long long index = strtoull(line, &end, 10);
    double rate = *end == ' ' ? strtod(end + 1, &end) : 0;
    if (*end != '\0' || !(rate > 0 && rate < 1e12) || index >= walk->plan->rounds * walk->plan->slot_count)
        return error_set(error, ERR_DATA, "%s:%u: must be the number of a run and its rate", walk->order->state,
                         number);
    walk->plan->rates[index] = rate;
    return true;
}

static bool read_state(struct walk *walk, struct error *error)
{
    enum path_kind kind;
    char *text = NULL, head[64];
    unsigned number = 1;
    if (!walk->order->state || !path_look(walk->order->state, &kind, NULL, error) || kind == PATH_ABSENT)
        return error->kind == ERR_NONE;
    if (!path_read_text(walk->order->state, (size_t)16 << 20, &text, NULL, error))
        return false;
    snprintf(head, sizeof head, "isobench attribute 1 %016" PRIx64 "\n", key_of(walk, error));
    bool good =
        strncmp(text, head, strlen(head)) == 0 ||
        error_set(
            error, ERR_USAGE,
            "--state=%s: it is of another attribution (other jobs, rounds, budget, seed or directory): name another "
            "file",
            walk->order->state);
    for (char *line = text + strlen(head), *next; good && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next ? (*next = '\0', 1) : 0;
        good = take_line(walk, line, ++number, error);
    }
    free(text);
    return good;
}

/* ---- all ---- */

static bool write_text(const char *path, char *text, struct error *error)
{
    bool good = text ? common_write(path, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for %s", path);
    free(text);
    return good;
}

static bool show(const struct walk *walk, struct error *error)
{
    const struct order *order = walk->order;
    struct attribution found;
    if (!attribute_result(walk->plan, &found, error))
        return false;
    if (!order->json || strcmp(order->json, "-") != 0)
        attribute_print(walk->plan, &found, stdout);
    return (!order->json || write_text(order->json, attribute_to_json(walk->plan, &found), error)) &&
           (!order->plot || write_text(order->plot, attribute_to_svg(walk->plan, &found), error));
}

static bool share_budget(struct walk *walk, struct error *error)
{
    const struct attribute_plan *plan = walk->plan;
    char slice[32], least[32];
    walk->all = plan->rounds * plan->slot_count;
    walk->slice_ns = walk->order->budget_ns / walk->all;
    if (walk->slice_ns >= SLICE_LEAST_NS)
        return true;
    return error_set(error, ERR_USAGE,
                     "--budget: %" PRIu64 " runs share it, %s each; give at least %s, or fewer --rounds", walk->all,
                     units_time_human((double)walk->slice_ns, slice, sizeof slice),
                     units_time_exact(walk->all * SLICE_LEAST_NS, least, sizeof least));
}

static void announce(const struct walk *walk)
{
    char slice[32], budget[32];
    if (walk->order->json && strcmp(walk->order->json, "-") == 0)
        return;
    printf("A: %s\nB: %s\n%zu steps; %" PRIu64
           " runs of %s in random order, %s and the making of what they load, in %s\n",
           walk->order->from, walk->order->to, walk->plan->step_count, walk->all,
           units_time_human((double)walk->slice_ns, slice, sizeof slice),
           units_time_human((double)walk->order->budget_ns, budget, sizeof budget), walk->order->dir);
    fflush(stdout);
}

static bool attribute(struct walk *walk, struct error *error)
{
    struct attribute_runner runner = {walk, measure, measured};
    if (!read_jobs(walk, error) ||
        !attribute_make(walk->plan, &walk->from.job, &walk->to.job, walk->order->method, (size_t)walk->order->rounds,
                        walk->order->seed, error) ||
        !share_budget(walk, error) || !read_state(walk, error))
        return false;
    announce(walk);
    walk->begun_ns = clock_now_ns(&walk->clock);
    for (size_t i = 0; i < walk->plan->rounds * walk->plan->slot_count; i++)
        walk->all -= walk->plan->rates[i] > 0;
    walk->places =
        (struct places){.dir = walk->order->dir, .clock = &walk->clock, .from = &walk->from, .to = &walk->to};
    bool good = places_init(&walk->places, error) && attribute_run(walk->plan, &runner, error);
    places_free(&walk->places);
    return good && show(walk, error);
}

int command_attribute(int argc, char *const *argv)
{
    struct error error = ERROR_INIT;
    struct order order = {.dir = ".", .budget_ns = 300 * NS_PER_S, .rounds = 5, .seed = 1};
    struct attribute_plan *plan = calloc(1, sizeof *plan);
    struct walk *walk = calloc(1, sizeof *walk);
    if (!plan || !walk) {
        error_set(&error, ERR_SYSTEM, "not enough memory");
    } else if (read_words(&order, argc, argv, &error) && order.help) {
        print_help();
    } else if (error.kind == ERR_NONE) {
        walk->order = &order;
        walk->plan = plan;
        walk->clock = clock_system();
        attribute(walk, &error);
        side_job_free(&walk->from);
        side_job_free(&walk->to);
    }
    common_print_error(&error);
    if (plan)
        attribute_free(plan);
    free(plan);
    free(walk);
    return common_status(&error, STATUS_USAGE);
}
