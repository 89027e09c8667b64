#include "checksum/settle.h"

#include "platform/thread.h"

#include <stdlib.h>
#include <string.h>

#define TRIES 8
#define SURE_WHEN_STILL 2         /* readings that must differ in the same way, while the source's log did not grow */
#define SURE_WHEN_MOVED 4         /* … while it did: a row that changes to and fro may look so by chance */
#define PAUSE_NS (10 * NS_PER_MS) /* before the second try; doubles with each */
#define LEAF_ROWS 64              /* so few are compared row by row */
#define DEPTH_MAX 200             /* of halving, should both sides change without end */

static bool needs_gtids(const struct checker *checker)
{
    for (size_t i = 0; i < checker->setup->replicas_count; i++)
        if (!checker->replicas[i].status.is_direct)
            return true;
    return false;
}

static bool position(struct checker *checker, struct db_position *out, struct error *error)
{
    return host_position(&checker->source, needs_gtids(checker), out, error);
}

/* Without a log nobody knows: as if it had. */
static bool has_moved(const struct checker *checker, const struct db_position *a, const struct db_position *b)
{
    return checker->setup->unrelated || a->offset != b->offset || strcmp(a->file, b->file) != 0;
}

static bool goes_on(const struct checker *checker, struct error *error)
{
    return !atomic_load(checker->source.stopping) || error_set(error, ERR_INTERRUPTED, "interrupted");
}

/* ---- by checksum ---- */

static bool look_at_replicas(struct checker *checker, const struct table *table, const struct range *range,
                             const struct db_position *read_at, struct look *looks, struct error *error)
{
    for (size_t i = 0; i < checker->setup->replicas_count; i++)
        if (checker->takes_part[i] && (!host_wait(&checker->replicas[i], read_at, &looks[i].lag_ns, error) ||
                                       !range_sum(&checker->replicas[i], table, range, &looks[i].sum, error)))
            return false;
    return true;
}

bool settle_look(struct checker *checker, const struct table *table, const struct range *range, struct sum *source,
                 struct look *looks, struct error *error)
{
    struct db_position before, read_at, after;
    struct sum again;
    if (!goes_on(checker, error) || !position(checker, &before, error) ||
        !range_sum(&checker->source, table, range, source, error) || !position(checker, &read_at, error) ||
        !look_at_replicas(checker, table, range, &read_at, looks, error) || !position(checker, &after, error))
        return false;
    again = *source;
    if (has_moved(checker, &before, &after) && !range_sum(&checker->source, table, range, &again, error))
        return false;
    for (size_t i = 0; i < checker->setup->replicas_count; i++)
        looks[i].verdict = !sum_equal(source, &again)         ? CHUNK_FLUX
                           : sum_equal(source, &looks[i].sum) ? CHUNK_SAME
                                                              : CHUNK_DIFFERS;
    return true;
}

/* ---- row by row ---- */

void found_rows_free(struct found_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].key);
    free(rows->items);
    *rows = (struct found_rows){NULL};
}

static struct found_row *add_found(struct found_rows *rows)
{
    bool good = list_grow((void **)&rows->items, &rows->room, rows->count, sizeof(*rows->items));
    return good ? &rows->items[rows->count++] : NULL;
}

static bool note(struct found_rows *rows, const struct hashed_row *source, const struct hashed_row *replica)
{
    const char *key = source ? source->key : replica->key;
    struct found_row *row = add_found(rows);
    if (!row)
        return false;
    *row = (struct found_row){.kind = !source ? ROW_EXTRA : !replica ? ROW_MISSING : ROW_CHANGED};
    if (source)
        strcpy(row->source, source->hash);
    if (replica)
        strcpy(row->replica, replica->hash);
    row->key = text_copy(key, strlen(key));
    return row->key != NULL;
}

/* Both are sorted by key. */
static bool hold_against(const struct hashed_rows *source, const struct hashed_rows *replica, struct found_rows *out)
{
    size_t i = 0, j = 0;
    bool good = true;
    while (good && (i < source->count || j < replica->count)) {
        const struct hashed_row *a = i < source->count ? &source->items[i] : NULL;
        const struct hashed_row *b = j < replica->count ? &replica->items[j] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a->key, b->key);
        if (order != 0 || strcmp(a->hash, b->hash) != 0)
            good = note(out, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
        i += order <= 0;
        j += order >= 0;
    }
    return good;
}

static bool equal_rows(const struct hashed_rows *a, const struct hashed_rows *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].key, b->items[i].key) != 0 || strcmp(a->items[i].hash, b->items[i].hash) != 0)
            return false;
    return true;
}

static bool equal_found(const struct found_rows *a, const struct found_rows *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].key, b->items[i].key) != 0 || strcmp(a->items[i].source, b->items[i].source) != 0 ||
            strcmp(a->items[i].replica, b->items[i].replica) != 0)
            return false;
    return true;
}

struct leaf {
    struct hashed_rows source, replica, again;
    bool grew;  /* the log did */
    bool moved; /* and these rows */
};

static bool read_leaf(struct checker *checker, struct host *replica, const struct table *table,
                      const struct range *range, struct leaf *leaf, struct error *error)
{
    struct db_position before, read_at, after;
    uint64_t lag_ns;
    if (!goes_on(checker, error) || !position(checker, &before, error) ||
        !range_rows(&checker->source, table, range, &leaf->source, error) || !position(checker, &read_at, error) ||
        !host_wait(replica, &read_at, &lag_ns, error) || !range_rows(replica, table, range, &leaf->replica, error) ||
        !position(checker, &after, error))
        return false;
    leaf->grew = has_moved(checker, &before, &after);
    if (!leaf->grew)
        return true;
    if (!range_rows(&checker->source, table, range, &leaf->again, error))
        return false;
    leaf->moved = !equal_rows(&leaf->source, &leaf->again);
    return true;
}

/* What differs this time, and how still the source held. */
static bool compare_leaf(struct checker *checker, struct host *replica, const struct table *table,
                         const struct range *range, struct found_rows *out, struct leaf *leaf, struct error *error)
{
    *leaf = (struct leaf){.moved = false};
    bool good = read_leaf(checker, replica, table, range, leaf, error) &&
                (hold_against(&leaf->source, &leaf->replica, out) || error_set(error, ERR_SYSTEM, "not enough memory"));
    hashed_rows_free(&leaf->source);
    hashed_rows_free(&leaf->replica);
    hashed_rows_free(&leaf->again);
    return good;
}

static bool move_found(struct found_rows *from, struct found_rows *to, struct error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        struct found_row *row = add_found(to);
        if (!row)
            return error_set(error, ERR_SYSTEM, "not enough memory");
        *row = from->items[i];
        from->items[i].key = NULL;
    }
    return true;
}

/* The same rows must differ in the same way several times running. */
static bool settle_leaf(struct checker *checker, struct host *replica, const struct table *table,
                        const struct range *range, struct found_rows *out, enum verdict_of_chunk *verdict,
                        struct error *error)
{
    struct found_rows last = {NULL}, now = {NULL};
    struct leaf leaf;
    bool good = true, ever_grew = false;
    int alike = 0; /* readings that differed like the last one */
    *verdict = CHUNK_FLUX;
    for (int i = 0; good && *verdict == CHUNK_FLUX && i < TRIES; i++) {
        thread_sleep_ns(i ? PAUSE_NS << (i - 1) : 0);
        good = compare_leaf(checker, replica, table, range, &now, &leaf, error);
        ever_grew |= leaf.grew;
        alike = leaf.moved ? 0 : alike > 0 && equal_found(&last, &now) ? alike + 1 : 1;
        if (good && !leaf.moved && now.count == 0)
            *verdict = CHUNK_SAME;
        else if (good && alike >= (ever_grew ? SURE_WHEN_MOVED : SURE_WHEN_STILL))
            *verdict = CHUNK_DIFFERS;
        found_rows_free(&last);
        last = now;
        now = (struct found_rows){NULL};
    }
    if (good && *verdict == CHUNK_DIFFERS)
        good = move_found(&last, out, error);
    found_rows_free(&last);
    return good;
}

/* ---- halving ---- */

struct settler {
    struct checker *checker;
    const struct table *table;
    size_t replica;
    struct found_rows *out;
    struct look *looks;
    struct error *error;
};

static bool settle_part(struct settler *settler, const struct range *range, int depth, enum verdict_of_chunk *verdict);

static enum verdict_of_chunk worse(enum verdict_of_chunk a, enum verdict_of_chunk b)
{
    return a == CHUNK_DIFFERS || b == CHUNK_DIFFERS ? CHUNK_DIFFERS : a == CHUNK_SAME ? b : a;
}

/* At the middle row of whichever side has more. */
static bool halve(struct settler *settler, const struct range *range, const struct sum *source, int depth,
                  enum verdict_of_chunk *verdict)
{
    const struct sum *replica = &settler->looks[settler->replica].sum;
    bool by_source = source->count >= replica->count;
    uint64_t rows = by_source ? source->count : replica->count;
    struct host *host = by_source ? &settler->checker->source : &settler->checker->replicas[settler->replica];
    struct key middle;
    enum verdict_of_chunk first = CHUNK_FLUX, second = CHUNK_FLUX;
    if (!range_nth(host, settler->table, range, rows / 2, &middle, settler->error)) {
        key_free(&middle);
        return false;
    }
    bool good = true;
    *verdict = CHUNK_FLUX;
    if (middle.values[0]) { /* else the rows went away meanwhile */
        struct range low = {range->after, middle}, high = {middle, range->upto};
        good = settle_part(settler, &low, depth + 1, &first) && settle_part(settler, &high, depth + 1, &second);
        *verdict = worse(first, second);
    }
    key_free(&middle);
    return good;
}

static bool settle_part(struct settler *settler, const struct range *range, int depth, enum verdict_of_chunk *verdict)
{
    struct checker *checker = settler->checker;
    const struct look *look = &settler->looks[settler->replica];
    struct sum source;
    if (!settle_look(checker, settler->table, range, &source, settler->looks, settler->error))
        return false;
    *verdict = look->verdict;
    if (*verdict == CHUNK_SAME)
        return true;
    if (source.count <= LEAF_ROWS && look->sum.count <= LEAF_ROWS)
        return settle_leaf(checker, &checker->replicas[settler->replica], settler->table, range, settler->out, verdict,
                           settler->error);
    if (depth < DEPTH_MAX)
        return halve(settler, range, &source, depth, verdict);
    *verdict = CHUNK_FLUX;
    return true;
}

/* Without a key there are no halves and no rows to name: the checksums must differ in the same way each time. */
static bool settle_whole(struct settler *settler, const struct range *range, enum verdict_of_chunk *verdict)
{
    const struct look *look = &settler->looks[settler->replica];
    struct sum source, last_source = {.count = 0}, last_replica = {.count = 0};
    int alike = 0;
    *verdict = CHUNK_FLUX;
    for (int i = 0; *verdict == CHUNK_FLUX && i < TRIES; i++) {
        thread_sleep_ns(i ? PAUSE_NS << (i - 1) : 0);
        if (!settle_look(settler->checker, settler->table, range, &source, settler->looks, settler->error))
            return false;
        bool again = alike > 0 && sum_equal(&source, &last_source) && sum_equal(&look->sum, &last_replica);
        alike = look->verdict == CHUNK_DIFFERS ? again ? alike + 1 : 1 : 0;
        if (look->verdict == CHUNK_SAME || alike >= SURE_WHEN_MOVED)
            *verdict = look->verdict;
        last_source = source;
        last_replica = look->sum;
    }
    return true;
}

bool settle_range(struct checker *checker, size_t replica, const struct table *table, const struct range *range,
                  struct found_rows *out, enum verdict_of_chunk *verdict, struct error *error)
{
    size_t count = checker->setup->replicas_count;
    bool *all = checker->takes_part, *one = calloc(count, sizeof(*one));
    struct settler settler = {checker, table, replica, out, calloc(count, sizeof(*settler.looks)), error};
    bool good = one && settler.looks;
    if (good) {
        one[replica] = true;
        checker->takes_part = one;
        good = table->key_count > 0 ? settle_part(&settler, range, 0, verdict) : settle_whole(&settler, range, verdict);
        checker->takes_part = all;
    } else {
        error_set(error, ERR_SYSTEM, "not enough memory");
    }
    free(one);
    free(settler.looks);
    return good;
}
