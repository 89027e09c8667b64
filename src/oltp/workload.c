#include "oltp/workload.h"

#include "oltp/schema.h"
#include "platform/compiler.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static struct db_value number(uint64_t value)
{
    return (struct db_value){DB_VALUE_INT, (int64_t)value, NULL, 0};
}

static struct db_value text(const char *value, size_t bytes)
{
    return (struct db_value){DB_VALUE_TEXT, 0, value, bytes};
}

static uint64_t draw_row(struct draw *draw)
{
    return 1 + picker_pick(&draw->plan->rows, draw->random);
}

static size_t no_values(struct draw *draw)
{
    (void)draw;
    return 0;
}

static size_t row_id(struct draw *draw)
{
    draw->values[0] = number(draw_row(draw));
    return 1;
}

static size_t row_range(struct draw *draw)
{
    uint64_t low = draw_row(draw);
    draw->values[0] = number(low);
    draw->values[1] = number(low + draw->plan->job->range_size - 1);
    return 2;
}

static size_t new_c_and_id(struct draw *draw)
{
    sql_groups(draw->random, C_GROUPS, draw->c);
    draw->values[0] = text(draw->c, C_BYTES);
    draw->values[1] = number(draw_row(draw));
    return 2;
}

static size_t content(struct draw *draw, size_t from)
{
    sql_groups(draw->random, C_GROUPS, draw->c);
    sql_groups(draw->random, PAD_GROUPS, draw->pad);
    draw->values[from] = number(draw_row(draw)); /* k is drawn as ids are */
    draw->values[from + 1] = text(draw->c, C_BYTES);
    draw->values[from + 2] = text(draw->pad, PAD_BYTES);
    return from + 3;
}

/* values[0] still is the id of the row that was deleted. */
static size_t content_of_same_id(struct draw *draw)
{
    return content(draw, 1);
}

static size_t content_alone(struct draw *draw)
{
    return content(draw, 0);
}

/* Each id once in a run: thread t has the numbers t, t + threads, t + 2 × threads …, mixed by steps that each can be
 * undone over 32 bits (an odd factor, a shift that is added without carry), so that no two become the same. */
static size_t content_and_unique_id(struct draw *draw)
{
    uint32_t mixed = (uint32_t)draw->unique_next ^ (uint32_t)draw->unique_mask;
    draw->unique_next += draw->plan->job->threads;
    mixed ^= mixed >> 16;
    mixed *= UINT32_C(0x7feb352d);
    mixed ^= mixed >> 15;
    mixed *= UINT32_C(0x846ca68b);
    mixed ^= mixed >> 16;
    draw->values[0] = (struct db_value){DB_VALUE_INT, (int64_t)mixed - INT64_C(2147483648), NULL, 0};
    return content(draw, 1);
}

static uint64_t draw_k(struct draw *draw)
{
    return draw->part_low + picker_pick(&draw->part, draw->random);
}

static size_t points(struct draw *draw)
{
    size_t count = (size_t)draw->plan->job->random_points;
    for (size_t i = 0; i < count; ++i)
        draw->values[i] = number(draw_k(draw));
    return count;
}

static size_t ranges(struct draw *draw)
{
    size_t count = (size_t)draw->plan->job->number_of_ranges;
    for (size_t i = 0; i < count; ++i) {
        uint64_t low = draw_k(draw);
        draw->values[2 * i] = number(low);
        draw->values[2 * i + 1] = number(low + draw->plan->job->delta);
    }
    return 2 * count;
}

/* ---- kinds of statements ---- */

/* `repeated` is joined by `joint`, so often as the job's `times` says. */
struct kind {
    const char *name, *sql;
    size_t (*values)(struct draw *draw);
    const char *repeated, *joint, *end;
    size_t times;
};

static const struct kind kinds[STATEMENT_KINDS] = {
    [STATEMENT_BEGIN] = {"begin", NULL, no_values, NULL, NULL, NULL, 0}, /* the driver's */
    [STATEMENT_POINT_SELECT] = {"point_select", "SELECT c FROM @ WHERE id=?", row_id, NULL, NULL, NULL, 0},
    [STATEMENT_SIMPLE_RANGE] = {"simple_range", "SELECT c FROM @ WHERE id BETWEEN ? AND ?", row_range, NULL, NULL, NULL,
                                0},
    [STATEMENT_SUM_RANGE] = {"sum_range", "SELECT SUM(k) FROM @ WHERE id BETWEEN ? AND ?", row_range, NULL, NULL, NULL,
                             0},
    [STATEMENT_ORDER_RANGE] = {"order_range", "SELECT c FROM @ WHERE id BETWEEN ? AND ? ORDER BY c", row_range, NULL,
                               NULL, NULL, 0},
    [STATEMENT_DISTINCT_RANGE] = {"distinct_range", "SELECT DISTINCT c FROM @ WHERE id BETWEEN ? AND ? ORDER BY c",
                                  row_range, NULL, NULL, NULL, 0},
    [STATEMENT_INDEX_UPDATE] = {"index_update", "UPDATE @ SET k=k+1 WHERE id=?", row_id, NULL, NULL, NULL, 0},
    [STATEMENT_NON_INDEX_UPDATE] = {"non_index_update", "UPDATE @ SET c=? WHERE id=?", new_c_and_id, NULL, NULL, NULL,
                                    0},
    [STATEMENT_DELETE] = {"delete", "DELETE FROM @ WHERE id=?", row_id, NULL, NULL, NULL, 0},
    [STATEMENT_INSERT] = {"insert", "INSERT INTO @ (id, k, c, pad) VALUES (?, ?, ?, ?)", content_of_same_id, NULL, NULL,
                          NULL, 0},
    [STATEMENT_COMMIT] = {"commit", "COMMIT", no_values, NULL, NULL, NULL, 0},
    [STATEMENT_ROLLBACK] = {"rollback", "ROLLBACK", no_values, NULL, NULL, NULL, 0},
    [STATEMENT_NEW_ROW] = {"insert", "INSERT INTO @ (k, c, pad) VALUES (?, ?, ?)", content_alone, NULL, NULL, NULL, 0},
    [STATEMENT_NEW_ROW_ID] = {"insert", "INSERT INTO @ (id, k, c, pad) VALUES (?, ?, ?, ?)", content_and_unique_id,
                              NULL, NULL, NULL, 0},
    [STATEMENT_RANDOM_POINTS] = {"random_points", "SELECT id, k, c, pad FROM @ WHERE k IN (", points, "?", ", ", ")",
                                 offsetof(struct job, random_points)},
    [STATEMENT_RANDOM_RANGES] = {"random_ranges", "SELECT count(k) FROM @ WHERE ", ranges, "k BETWEEN ? AND ?", " OR ",
                                 "", offsetof(struct job, number_of_ranges)},
    [STATEMENT_BULK] = {"bulk_insert", "INSERT INTO @ (id, k) VALUES ", no_values, NULL, NULL, NULL, 0},
};

size_t draw_values(struct draw *draw, enum statement_kind kind)
{
    return kinds[kind].values(draw);
}

/* ---- workloads ---- */

#define ONCE 0 /* no setting says how often: `work`, the first field, is no count */
#define TIMES(field) offsetof(struct job, field)

struct workload {
    const char *name;
    bool transaction, writes, one_table; /* one_table: only the first is asked */
    struct {
        enum statement_kind first, second;
        size_t times;
        bool is_range;
    } steps[STEPS_MAX]; /* up to the first that is all zero */
};

#define POINT_SELECTS                                                                                                  \
    {                                                                                                                  \
        STATEMENT_POINT_SELECT, STATEMENT_BEGIN, TIMES(point_selects), false                                           \
    }
#define RANGE_SELECTS                                                                                                  \
    {STATEMENT_SIMPLE_RANGE, STATEMENT_BEGIN, TIMES(simple_ranges), true},                                             \
        {STATEMENT_SUM_RANGE, STATEMENT_BEGIN, TIMES(sum_ranges), true},                                               \
        {STATEMENT_ORDER_RANGE, STATEMENT_BEGIN, TIMES(order_ranges), true},                                           \
    {                                                                                                                  \
        STATEMENT_DISTINCT_RANGE, STATEMENT_BEGIN, TIMES(distinct_ranges), true                                        \
    }
#define INDEX_UPDATES                                                                                                  \
    {                                                                                                                  \
        STATEMENT_INDEX_UPDATE, STATEMENT_BEGIN, TIMES(index_updates), false                                           \
    }
#define NON_INDEX_UPDATES                                                                                              \
    {                                                                                                                  \
        STATEMENT_NON_INDEX_UPDATE, STATEMENT_BEGIN, TIMES(non_index_updates), false                                   \
    }
#define DELETE_INSERTS                                                                                                 \
    {                                                                                                                  \
        STATEMENT_DELETE, STATEMENT_INSERT, TIMES(delete_inserts), false                                               \
    }
#define ALONE(kind)                                                                                                    \
    {                                                                                                                  \
        kind, STATEMENT_BEGIN, ONCE, false                                                                             \
    }

/* BEGIN as the second stands for: it is no pair. */
static const struct workload workloads[] = {
    {"oltp_read_write",
     true,
     true,
     false,
     {POINT_SELECTS, RANGE_SELECTS, INDEX_UPDATES, NON_INDEX_UPDATES, DELETE_INSERTS}},
    {"oltp_read_only", true, false, false, {POINT_SELECTS, RANGE_SELECTS}},
    {"oltp_write_only", true, true, false, {INDEX_UPDATES, NON_INDEX_UPDATES, DELETE_INSERTS}},
    {"oltp_point_select", false, false, false, {ALONE(STATEMENT_POINT_SELECT)}},
    {"oltp_insert", false, true, false, {ALONE(STATEMENT_NEW_ROW)}},
    {"oltp_delete", false, true, false, {ALONE(STATEMENT_DELETE)}},
    {"oltp_update_index", false, true, false, {INDEX_UPDATES}},
    {"oltp_update_non_index", false, true, false, {NON_INDEX_UPDATES}},
    {"select_random_points", false, false, true, {ALONE(STATEMENT_RANDOM_POINTS)}},
    {"select_random_ranges", false, false, true, {ALONE(STATEMENT_RANDOM_RANGES)}},
    {"bulk_insert", false, true, false, {ALONE(STATEMENT_BULK)}},
};

static const struct workload *workload_find(const char *name, struct error *error)
{
    for (size_t i = 0; i < COUNT_OF(workloads); ++i)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    error_set(error, ERR_USAGE, "--workload=%s: there is none of that name", name);
    return NULL;
}

/* ---- the plan ---- */

static uint64_t count_at(const struct job *job, size_t offset)
{
    uint64_t count;
    memcpy(&count, (const char *)job + offset, sizeof(count));
    return count;
}

static void add_steps(struct plan *plan, const struct workload *workload)
{
    const struct job *job = plan->job;
    for (size_t i = 0; i < STEPS_MAX && workload->steps[i].first != STATEMENT_BEGIN; ++i) {
        struct step *step = &plan->steps[plan->steps_count];
        step->first = workload->steps[i].first;
        step->second = workload->steps[i].second;
        step->is_pair = step->second != STATEMENT_BEGIN;
        step->count = workload->steps[i].times == ONCE ? 1 : count_at(job, workload->steps[i].times);
        if (step->first == STATEMENT_NEW_ROW && !job->auto_inc)
            step->first = STATEMENT_NEW_ROW_ID;
        if (step->count > 0 && (job->range_selects || !workload->steps[i].is_range))
            ++plan->steps_count;
    }
}

/* SQL of a kind, with its repeated part written out; for free(). */
static char *full_sql(const struct plan *plan, enum statement_kind kind)
{
    const struct kind *of = &kinds[kind];
    const struct db_syntax *syntax = plan->driver->syntax;
    const char *start = of->sql;
    if (kind == STATEMENT_BEGIN)
        start = plan->writes ? syntax->begin_write : syntax->begin_read;
    else if (kind == STATEMENT_NEW_ROW && syntax->zero_is_next_id)
        start = "INSERT INTO @ (id, k, c, pad) VALUES (0, ?, ?, ?)";
    size_t times = of->repeated ? (size_t)count_at(plan->job, of->times) : 0;
    size_t each = of->repeated ? strlen(of->repeated) + strlen(of->joint) : 0;
    char *sql = malloc(strlen(start) + times * each + (of->end ? strlen(of->end) : 0) + 1), *at = sql;
    if (!sql)
        return NULL;
    strcpy(at, start);
    at += strlen(at);
    for (size_t i = 0; i < times; ++i) {
        strcpy(at, i ? of->joint : "");
        at += strlen(at);
        strcpy(at, of->repeated);
        at += strlen(at);
    }
    strcpy(at, of->end ? of->end : "");
    return sql;
}

static bool use(struct plan *plan, enum statement_kind kind)
{
    char *sql = full_sql(plan, kind);
    bool good = sql && sql_make(&plan->sql[kind], sql);
    free(sql);
    if (!good)
        return false;
    size_t room = sql_room(&plan->sql[kind], C_BYTES + PAD_BYTES);
    plan->slots[kind] = (uint8_t)plan->slots_count;
    plan->kinds[plan->slots_count] = kind;
    plan->names[plan->slots_count++] = kinds[kind].name;
    if (plan->sql[kind].values > plan->values_max)
        plan->values_max = plan->sql[kind].values;
    if (room > plan->sql_bytes)
        plan->sql_bytes = room;
    return true;
}

/* In the order in which they come. */
static bool use_all(struct plan *plan)
{
    bool good = !plan->transaction || use(plan, STATEMENT_BEGIN);
    for (size_t i = 0; good && i < plan->steps_count; ++i) {
        const struct step *step = &plan->steps[i];
        good = use(plan, step->first) && (!step->is_pair || use(plan, step->second));
    }
    return good && (!plan->transaction || (use(plan, STATEMENT_COMMIT) && use(plan, STATEMENT_ROLLBACK)));
}

bool plan_make(struct plan *plan, const struct job *job, const struct db_driver *driver, struct error *error)
{
    const struct workload *workload = workload_find(job->workload, error);
    memset(plan, 0, sizeof(*plan));
    memset(plan->slots, NO_SLOT, sizeof(plan->slots));
    if (!workload)
        return false;
    plan->job = job;
    plan->driver = driver;
    plan->transaction = workload->transaction && !job->skip_trx;
    plan->writes = workload->writes;
    plan->bulk = schema_is_bulk(job);
    plan->prepared = job->db_statements == DB_STATEMENTS_PREPARED && !plan->bulk;
    plan->tables = workload->one_table || plan->bulk ? 1 : schema_tables(job);
    picker_init(&plan->rows, job, job->table_size);
    add_steps(plan, workload);
    if (plan->steps_count == 0)
        return error_set(error, ERR_USAGE, "--workload=%s sends nothing: every one of its counts is 0", job->workload);
    return use_all(plan) ||
           error_set(error, ERR_SYSTEM, "not enough memory for the statements of --workload=%s", job->workload);
}

/* Room for a statement with its key: keys are a number or a UUID, but any text that is no longer than this will do. */
static size_t script_room(const struct script *script)
{
    size_t room = 0;
    for (size_t i = 0; i < script->queries.count; ++i) {
        const struct script_statement *statement = &script->queries.items[i];
        size_t bytes = strlen(statement->sql) + (statement->tail ? strlen(statement->tail) + 2 * NAME_MAX_BYTES : 0);
        room = bytes > room ? bytes : room;
    }
    return room + 1;
}

void plan_of_script(struct plan *plan, const struct job *job, const struct db_driver *driver,
                    const struct script *script)
{
    memset(plan, 0, sizeof(*plan));
    memset(plan->slots, NO_SLOT, sizeof(plan->slots));
    plan->job = job;
    plan->driver = driver;
    plan->script = script;
    plan->tables = 1;
    plan->slots_count = script->kinds_count;
    memcpy(plan->names, script->kinds, sizeof(script->kinds));
    plan->sql_bytes = script_room(script);
}

void plan_done(struct plan *plan)
{
    for (size_t i = 0; i < STATEMENT_KINDS; ++i)
        sql_done(&plan->sql[i]);
}

/* A server may refuse to prepare the others, BEGIN and COMMIT. */
uint64_t plan_prepares(const struct plan *plan)
{
    uint64_t count = 0;
    for (size_t slot = 0; plan->prepared && slot < plan->slots_count; ++slot)
        count += plan->sql[plan->kinds[slot]].tables > 0 ? plan->tables : 0;
    return count;
}

/* ---- a thread's draw ---- */

bool draw_init(struct draw *draw, const struct plan *plan, struct random *random, uint64_t thread)
{
    const struct job *job = plan->job;
    uint64_t mask = job->seed;
    memset(draw, 0, sizeof(*draw));
    draw->plan = plan;
    draw->random = random;
    draw->thread = thread;
    draw->part_low = 1 + job->table_size * thread / job->threads;
    uint64_t part_end = 1 + job->table_size * (thread + 1) / job->threads;
    picker_init(&draw->part, job, part_end > draw->part_low ? part_end - draw->part_low : 1);
    draw->unique_next = thread;
    draw->unique_mask = random_splitmix64(&mask);
    draw->values = calloc(plan->values_max + 1, sizeof(*draw->values));
    return draw->values != NULL;
}

void draw_done(struct draw *draw)
{
    free(draw->values);
    draw->values = NULL;
}
