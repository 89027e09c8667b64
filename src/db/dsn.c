#include "db/dsn.h"

#include "core/settings.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASSWORD_BYTES 1024

/* ---- passwords ---- */

bool db_password_keep(char **out, const char *text, size_t bytes, struct error *error)
{
    char *copy = malloc(bytes + 1);
    if (!copy)
        return error_set(error, ERR_SYSTEM, "not enough memory");
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    free(*out);
    *out = copy;
    return true;
}

bool db_password_from_environment(char **out, const char *option, const char *variable, struct error *error)
{
    const char *text = variable[0] ? getenv(variable) : NULL;
    return text ? db_password_keep(out, text, strlen(text), error)
                : error_set(error, ERR_USAGE, "%s=%.60s: the environment has no such variable", option, variable);
}

bool db_password_from_file(char **out, const char *path, struct error *error)
{
    char *text = NULL;
    if (!path_read_text(path, PASSWORD_BYTES, &text, NULL, error))
        return false;
    bool good = db_password_keep(out, text, strcspn(text, "\r\n"), error);
    memset(text, 0, strlen(text));
    free(text);
    return good;
}

/* ---- one key ---- */

struct reading {
    struct db_place *place;
    const char *option;
    struct error *error;
};

static bool refuse_password(const struct reading *reading)
{
    return error_set(reading->error, ERR_USAGE,
                     "%s: a password on the command line can be read by others: give password-env=NAME or "
                     "password-file=FILE",
                     reading->option);
}

static bool set_setting(const struct reading *reading, const char *key, const char *value)
{
    static const char *const others[][2] = {{"db", "name"}, {"database", "name"}};
    char name[NAME_MAX_BYTES], shown[NAME_MAX_BYTES * 2];
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(key, others[i][0]) == 0)
            key = others[i][1];
    snprintf(name, sizeof(name), "db_%.40s", key);
    snprintf(shown, sizeof(shown), "%.40s: %.40s", reading->option, key);
    const struct setting *setting = strlen(key) <= 40 ? setting_find(name) : NULL;
    if (!setting)
        return error_set(reading->error, ERR_USAGE,
                         "%s: %.40s is no key; they are host, port, socket, user, db, tls, password-env, "
                         "password-file and the other --db-… settings",
                         reading->option, key);
    return job_set(&reading->place->job, setting, shown, value, reading->error);
}

static bool set_key(const struct reading *reading, const char *key, const char *value)
{
    char shown[NAME_MAX_BYTES];
    snprintf(shown, sizeof(shown), "%.40s: password-env", reading->option);
    if (strcmp(key, "password") == 0)
        return refuse_password(reading);
    if (strcmp(key, "password-env") == 0)
        return db_password_from_environment(&reading->place->password, shown, value, reading->error);
    if (strcmp(key, "password-file") == 0)
        return db_password_from_file(&reading->place->password, value, reading->error);
    return set_setting(reading, key, value);
}

/* "key=value" items between `separator`s; changes `text`. */
static bool read_items(const struct reading *reading, char *text, char separator)
{
    while (*text) {
        char *end = strchr(text, separator), *equals = strchr(text, '=');
        if (end)
            *end = '\0';
        if (!equals || (end && equals > end) || equals == text)
            return error_set(reading->error, ERR_USAGE, "%s: %.60s: write it as key=value", reading->option, text);
        *equals = '\0';
        if (!set_key(reading, text, equals + 1))
            return false;
        text = end ? end + 1 : equals + 1 + strlen(equals + 1);
    }
    return true;
}

/* ---- addresses ---- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* In place. */
static bool undo_percents(const struct reading *reading, char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        bool coded = *from == '%';
        int high = coded ? hex_digit(from[1]) : 0, low = coded && high >= 0 ? hex_digit(from[2]) : 0;
        if (high < 0 || low < 0 || (coded && high + low == 0))
            return error_set(reading->error, ERR_USAGE, "%s: a %% stands before two hexadecimal digits",
                             reading->option);
        *to++ = coded ? (char)(high * 16 + low) : *from;
        from += coded ? 2 : 0;
    }
    *to = '\0';
    return true;
}

/* Ends `text` at the first of `mark` and returns what is behind it; NULL if there is none. */
static char *cut(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at)
        *at = '\0';
    return at ? at + 1 : NULL;
}

static bool put(const struct reading *reading, const char *key, char *value)
{
    return !value || !value[0] || (undo_percents(reading, value) && set_setting(reading, key, value));
}

/* "[::1]:3306", "10.0.0.6:3306", "db-2" */
static bool read_host(const struct reading *reading, char *text)
{
    char *rest = text;
    if (text[0] == '[') {
        rest = cut(text++, ']');
        if (!rest || (rest[0] && rest[0] != ':'))
            return error_set(reading->error, ERR_USAGE, "%s: write it as [address]:port", reading->option);
    }
    char *port = cut(rest, ':');
    return put(reading, "host", text) && put(reading, "port", port);
}

static bool read_address(const struct reading *reading, char *driver, char *text)
{
    char *items = cut(text, '?'), *database = cut(text, '/'), *user = NULL;
    char *host = strrchr(text, '@');
    if (host) {
        user = text;
        *host++ = '\0';
        if (strchr(user, ':'))
            return refuse_password(reading);
    }
    return set_setting(reading, "driver", driver) && read_host(reading, host ? host : text) &&
           put(reading, "user", user) && put(reading, "name", database) &&
           (!items || (undo_percents(reading, items) && read_items(reading, items, '&')));
}

/* ---- all of it ---- */

static bool read_text(const struct reading *reading, char *text)
{
    char *mark = strstr(text, "://");
    if (!mark || strcspn(text, "=,") < (size_t)(mark - text))
        return read_items(reading, text, ',');
    *mark = '\0';
    return read_address(reading, text, mark + 3);
}

static void forget_way(struct job *job)
{
    struct job fresh;
    job_init(&fresh);
    strcpy(job->db_host, fresh.db_host);
    strcpy(job->db_port, fresh.db_port);
    strcpy(job->db_socket, fresh.db_socket);
}

void db_place_name(struct db_place *place)
{
    const struct job *job = &place->job;
    if (job->db_socket[0])
        snprintf(place->name, sizeof(place->name), "%s", job->db_socket);
    else
        snprintf(place->name, sizeof(place->name), "%.400s%s%s", job->db_host[0] ? job->db_host : "localhost",
                 job->db_port[0] ? ":" : "", job->db_port);
}

bool db_place_parse(struct db_place *out, const char *option, const char *text, const struct db_place *standard,
                    struct error *error)
{
    struct reading reading = {out, option, error};
    char *copy = NULL;
    *out = (struct db_place){.job = standard->job};
    forget_way(&out->job);
    if (text[0] == '\0')
        return error_set(error, ERR_USAGE, "%s: say where: host=NAME,port=N or mysql://USER@HOST:PORT", option);
    bool good = db_password_keep(&copy, text, strlen(text), error) &&
                (!standard->password ||
                 db_password_keep(&out->password, standard->password, strlen(standard->password), error)) &&
                read_text(&reading, copy);
    free(copy);
    db_place_name(out);
    return good;
}

void db_place_done(struct db_place *place)
{
    free(place->password);
    place->password = NULL;
}
