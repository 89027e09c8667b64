/* What a reading is called, on servers that say what the test lets them say. */
#include "checksum/settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each server says the next word of its script at each reading, the last one for ever. */
struct script {
    const char *says;
    size_t readings;
};

struct fake {
    struct db_connection base;
    struct script script; /* of its table: one character is one state of it */
    const char *log;      /* of the source's log: one digit is one position in it */
    size_t looks;
};

static char next_of(const char *says, size_t *at)
{
    char word = says[*at < strlen(says) ? *at : strlen(says) - 1];
    *at += 1;
    return word;
}

static bool query(struct db_connection *connection, const char *sql, size_t bytes, db_row *row, void *context,
                  struct db_reply *reply, struct db_failure *failure)
{
    struct fake *fake = (struct fake *)connection;
    char state[2] = {next_of(fake->script.says, &fake->script.readings), '\0'};
    const char *sum[] = {"1", "1", state}, *rows[] = {"7", state};
    bool whole = strncmp(sql, "SELECT COUNT(*)", 15) == 0;
    static const size_t lengths[] = {1, 1, 1};
    (void)bytes;
    (void)failure;
    *reply = (struct db_reply){.has_rows = true};
    row(context, whole ? 3 : 2, whole ? sum : rows, lengths);
    return true;
}

static bool position(struct db_connection *connection, bool gtids, struct db_position *out, struct db_failure *failure)
{
    struct fake *fake = (struct fake *)connection;
    (void)gtids;
    (void)failure;
    *out = (struct db_position){.file = "log", .offset = (uint64_t)next_of(fake->log, &fake->looks)};
    return true;
}

static bool wait_for(struct db_connection *connection, const struct db_replica_status *status,
                     const struct db_position *at, uint32_t most_s, bool *reached, struct db_failure *failure)
{
    (void)connection;
    (void)status;
    (void)at;
    (void)most_s;
    (void)failure;
    return *reached = true;
}

static const struct db_replication replication = {.position = position, .wait = wait_for};
static const struct db_driver driver = {.name = "fake", .query = query, .replication = &replication};

struct scene {
    struct clock clock;
    struct checksum_setup setup;
    struct fake source, replica;
    struct host host;
    struct checker checker;
    struct table table;
    struct column column;
    bool takes_part;
    _Atomic bool stopping;
};

static void set_scene(struct scene *scene, const char *source, const char *replica, const char *log, bool keyed)
{
    static char id[] = "`id`", hash[] = "h", literal[] = "id";
    static struct db_place place;
    *scene = (struct scene){.clock = clock_system(), .takes_part = true};
    scene->setup = (struct checksum_setup){.driver = &driver,
                                           .source = &place,
                                           .replicas = &place,
                                           .replicas_count = 1,
                                           .clock = &scene->clock,
                                           .wait_ns = 1};
    scene->source = (struct fake){{&driver, NULL}, {source, 0}, log, 0};
    scene->replica = (struct fake){{&driver, NULL}, {replica, 0}, log, 0};
    scene->host = (struct host){&scene->setup, &place, &scene->replica.base, {.is_direct = true}, &scene->stopping};
    scene->checker =
        (struct checker){&scene->setup,
                         {&scene->setup, &place, &scene->source.base, {.is_direct = true}, &scene->stopping},
                         &scene->host,
                         &scene->takes_part};
    scene->column = (struct column){.name = id, .literal = literal};
    scene->table = (struct table){.quoted = id, .columns = &scene->column, .columns_count = 1, .row_hash = hash};
    scene->table.key_count = keyed;
}

static void a_reading_counts_only_if_the_source_held_still(void **state)
{
    static const struct {
        const char *what, *source, *replica, *log;
        enum verdict_of_chunk expected;
        size_t source_readings;
    } rows[] = {
        {"the log stands still: one reading is enough", "a", "a", "1", CHUNK_SAME, 1},
        {"… to see a difference too", "a", "b", "1", CHUNK_DIFFERS, 1},
        {"the log grew, the rows did not change", "aa", "a", "112", CHUNK_SAME, 2},
        {"the log grew, the rows did not change, and differ", "aa", "b", "112", CHUNK_DIFFERS, 2},
        {"the source changed, the replica did not follow: not the same", "ab", "a", "112", CHUNK_FLUX, 2},
        {"the source changed, the replica followed: not different", "ab", "b", "112", CHUNK_FLUX, 2},
        {"the log grew before the first reading ended", "ab", "b", "122", CHUNK_FLUX, 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene scene;
        struct look look = {.verdict = CHUNK_UNKNOWN};
        struct range range = {{{NULL}}, {{NULL}}};
        struct sum sum;
        struct error error = ERROR_INIT;
        set_scene(&scene, rows[i].source, rows[i].replica, rows[i].log, false);
        assert_true(settle_look(&scene.checker, &scene.table, &range, &sum, &look, &error));
        if (look.verdict != rows[i].expected || scene.source.script.readings != rows[i].source_readings)
            fail_msg("%s: %s after %d readings", rows[i].what, checksum_verdicts[look.verdict],
                     (int)scene.source.script.readings);
    }
}

static void what_keeps_moving_is_in_flux(void **state)
{
    static const struct {
        const char *what, *source, *replica, *log;
        bool keyed;
        enum verdict_of_chunk expected;
        size_t rows;
    } rows[] = {
        {"differs each time", "a", "b", "1", true, CHUNK_DIFFERS, 1},
        {"differs each time, beside other writes", "a", "b", "123456789abcdefghijklmnopqrst", true, CHUNK_DIFFERS, 1},
        {"differed and came to be the same", "aaa", "bba", "1", true, CHUNK_SAME, 0},
        {"to and fro", "ababababababababababababab", "b", "123456789abcdefghijklmnopqrstuvwxyz", true, CHUNK_FLUX, 0},
        {"another difference each time", "a", "bcdefghijklmnop", "1", true, CHUNK_FLUX, 0},
        {"another difference each time, no key", "a", "bcdefghijklmnop", "1", false, CHUNK_FLUX, 0},
        {"differs each time, no key", "a", "b", "1", false, CHUNK_DIFFERS, 0},
        {"by chance the same three times, no key", "a", "bbbcbbba", "1", false, CHUNK_SAME, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene scene;
        struct range range = {{{NULL}}, {{NULL}}};
        struct found_rows found = {NULL};
        enum verdict_of_chunk verdict = CHUNK_UNKNOWN;
        struct error error = ERROR_INIT;
        set_scene(&scene, rows[i].source, rows[i].replica, rows[i].log, rows[i].keyed);
        assert_true(settle_range(&scene.checker, 0, &scene.table, &range, &found, &verdict, &error));
        if (verdict != rows[i].expected || found.count != rows[i].rows)
            fail_msg("%s: %s, %d rows", rows[i].what, checksum_verdicts[verdict], (int)found.count);
        if (found.count > 0)
            assert_string_equal(found.items[0].key, "7");
        found_rows_free(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reading_counts_only_if_the_source_held_still),
        cmocka_unit_test(what_keeps_moving_is_in_flux),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
