#include "checksum/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lister {
    struct listing *listing;
    const struct checksum_setup *setup;
    uint64_t bit;
    bool failed;
};

/* ---- lists of the command line ---- */

static bool is_item(const char *item, size_t bytes, const char *database, const char *name)
{
    char full[1024];
    snprintf(full, sizeof(full), "%s.%s", database, name ? name : "");
    return (name && strlen(full) == bytes && memcmp(full, item, bytes) == 0) ||
           (strlen(name ? name : database) == bytes && memcmp(name ? name : database, item, bytes) == 0);
}

/* Is it in the list? name: NULL = a list of databases. */
static bool has_item(const char *list, const char *database, const char *name)
{
    while (*list) {
        size_t bytes = strcspn(list, ",");
        if (is_item(list, bytes, database, name))
            return true;
        list += bytes + (list[bytes] == ',');
    }
    return false;
}

static bool is_wanted(const struct checksum_setup *setup, const char *database, const char *name)
{
    return (!setup->databases[0] || has_item(setup->databases, database, NULL)) &&
           (!setup->tables[0] || has_item(setup->tables, database, name)) && !has_item(setup->ignored, database, name);
}

/* Each name that was given must be there. */
static bool check_names(const struct listing *listing, const char *option, const char *list, bool tables,
                        struct error *error)
{
    while (*list) {
        size_t bytes = strcspn(list, ","), i = 0;
        while (i < listing->count &&
               !is_item(list, bytes, listing->items[i].database, tables ? listing->items[i].name : NULL))
            i++;
        if (i == listing->count)
            return error_set(error, ERR_USAGE, "%s: there is no %.*s with a table to check that this user may see",
                             option, (int)(bytes < 100 ? bytes : 100), list);
        list += bytes + (list[bytes] == ',');
    }
    return true;
}

/* ---- what the servers have ---- */

static struct listed *find(const struct listing *listing, const char *database, const char *name)
{
    for (size_t i = listing->count; i-- > 0;)
        if (strcmp(listing->items[i].name, name) == 0 && strcmp(listing->items[i].database, database) == 0)
            return &listing->items[i];
    return NULL;
}

static struct listed *add(struct listing *listing, const char *database, const char *name)
{
    if (!list_grow((void **)&listing->items, &listing->room, listing->count, sizeof(*listing->items)))
        return NULL;
    struct listed *listed = &listing->items[listing->count];
    *listed = (struct listed){.database = text_copy(database, strlen(database)), .name = text_copy(name, strlen(name))};
    listing->count++;
    return listed->database && listed->name ? listed : NULL;
}

static bool take_table(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    struct lister *lister = context;
    (void)bytes;
    if (columns < 3 || !values[0] || !values[1] || !values[2] || !is_wanted(lister->setup, values[0], values[1]))
        return true;
    struct listed *listed = lister->bit == 1 ? NULL : find(lister->listing, values[0], values[1]);
    if (!listed)
        listed = add(lister->listing, values[0], values[1]);
    lister->failed |= !listed;
    if (!listed)
        return false;
    listed->on |= lister->bit;
    if (strcmp(values[2], "BASE TABLE") != 0)
        snprintf(listed->type, sizeof(listed->type), "%s", values[2]);
    return true;
}

static bool list_host(struct host *host, struct lister *lister, struct error *error)
{
    static char text[] =
        "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT "
        "IN ('mysql','information_schema','performance_schema','sys') AND TABLE_TYPE NOT LIKE '%VIEW'";
    struct text sql = {text, sizeof(text) - 1, 0, false};
    struct db_reply reply;
    return host_query(host, &sql, take_table, lister, &reply, error) &&
           (!lister->failed || error_set(error, ERR_SYSTEM, "not enough memory"));
}

static int by_name(const void *a, const void *b)
{
    const struct listed *first = a, *second = b;
    int order = strcmp(first->database, second->database);
    return order ? order : strcmp(first->name, second->name);
}

bool listing_make(struct checker *checker, struct listing *out, struct error *error)
{
    const struct checksum_setup *setup = checker->setup;
    struct lister lister = {out, setup, 1, false};
    bool good = list_host(&checker->source, &lister, error);
    for (size_t i = 0; good && i < setup->replicas_count; i++) {
        lister.bit <<= 1;
        good = list_host(&checker->replicas[i], &lister, error);
    }
    if (good && out->count > 0)
        qsort(out->items, out->count, sizeof(*out->items), by_name);
    return good && check_names(out, "--databases", setup->databases, false, error) &&
           check_names(out, "--tables", setup->tables, true, error);
}

void listing_free(struct listing *listing)
{
    for (size_t i = 0; listing && i < listing->count; i++) {
        free(listing->items[i].database);
        free(listing->items[i].name);
        table_done(&listing->items[i].table);
    }
    if (listing)
        free(listing->items);
    free(listing);
}
