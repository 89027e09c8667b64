/* mysqlslap_files.c: MySQL's option files: groups of "name=value" lines, comments, quotes, escapes, files that include
 * others. */
#include "dialects/mysqlslap.h"

#include "platform/compiler.h"
#include "platform/path.h"

#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define DEPTH_MAX 10

struct files {
    struct text_pool *words;
    const char *suffix; /* "" = none */
    struct error *error;
    unsigned depth;
};

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static void trim(const char **at, size_t *bytes)
{
    while (*bytes > 0 && is_space(**at)) {
        ++*at;
        --*bytes;
    }
    while (*bytes > 0 && is_space((*at)[*bytes - 1]))
        --*bytes;
}

/* A group of ours, plain or with the suffix behind it. */
static bool is_ours(const struct files *files, const char *name, size_t bytes)
{
    static const char *const groups[] = {"mysqlslap", "mariadb-slap", "client", "client-server", "client-mariadb"};
    for (size_t i = 0; i < COUNT_OF(groups); ++i) {
        size_t length = strlen(groups[i]);
        if (bytes < length || memcmp(name, groups[i], length) != 0)
            continue;
        size_t more = bytes - length;
        if (more == 0 || (more == strlen(files->suffix) && memcmp(name + length, files->suffix, more) == 0))
            return true;
    }
    return false;
}

static char unescaped(char letter)
{
    static const char from[] = "btnrs\\\"'", to[] = "\b\t\n\r \\\"'";
    const char *at = letter ? strchr(from, letter) : NULL;
    return at ? to[at - from] : '\0';
}

/* Without quotes around it, and with its escapes put in; a # that is in no quotes begins a comment. */
static size_t value_of(const char *at, size_t bytes, char *out)
{
    size_t used = 0;
    char quote = bytes > 0 && (*at == '"' || *at == '\'') ? *at : '\0';
    for (size_t i = quote ? 1 : 0; i < bytes; ++i) {
        if (quote ? at[i] == quote : at[i] == '#')
            break;
        if (at[i] == '\\' && i + 1 < bytes && unescaped(at[i + 1]))
            out[used++] = unescaped(at[++i]);
        else
            out[used++] = at[i];
    }
    while (!quote && used > 0 && is_space(out[used - 1]))
        --used;
    return used;
}

/* "key = value" → "--key=value" */
static bool take_line(struct files *files, const char *line, size_t bytes)
{
    const char *equals = memchr(line, '=', bytes), *name = line;
    size_t name_bytes = equals ? (size_t)(equals - line) : bytes;
    char *word = malloc(bytes + 4);
    if (!word)
        return error_set(files->error, ERR_SYSTEM, "not enough memory for an option file");
    trim(&name, &name_bytes);
    memcpy(word, "--", 2);
    memcpy(word + 2, name, name_bytes);
    size_t used = 2 + name_bytes;
    if (equals) {
        const char *value = equals + 1;
        size_t value_bytes = bytes - (size_t)(value - line);
        trim(&value, &value_bytes);
        word[used++] = '=';
        used += value_of(value, value_bytes, word + used);
    }
    word[used] = '\0';
    return text_pool_keep(files->words, word) != NULL ||
           error_set(files->error, ERR_SYSTEM, "not enough memory for an option file");
}

static bool read_file(struct files *files, const char *path);

static bool read_folder(struct files *files, const char *folder)
{
    struct path_names names;
    bool good = path_list(folder, ".cnf", &names, files->error);
    for (size_t i = 0; good && i < names.count; ++i) {
        char path[PATH_BYTES];
        good = path_join(path, folder, names.items[i], files->error) && read_file(files, path);
    }
    path_names_free(&names);
    return good;
}

static bool take_include(struct files *files, const char *line, size_t bytes)
{
    char path[PATH_BYTES];
    bool folder = bytes > 12 && memcmp(line, "!includedir ", 12) == 0;
    size_t skip = folder ? 12 : 9;
    if (!folder && (bytes <= 9 || memcmp(line, "!include ", 9) != 0))
        return error_set(files->error, ERR_USAGE, "option file: %.*s: !include FILE or !includedir FOLDER",
                         (int)(bytes < 80 ? bytes : 80), line);
    line += skip;
    bytes -= skip;
    trim(&line, &bytes);
    if (bytes == 0 || bytes >= sizeof(path))
        return error_set(files->error, ERR_USAGE, "option file: !include: a name is missing or too long");
    memcpy(path, line, bytes);
    path[bytes] = '\0';
    return folder ? read_folder(files, path) : read_file(files, path);
}

static bool take_text(struct files *files, const char *text)
{
    bool ours = false;
    while (*text) {
        const char *line = text;
        size_t bytes = strcspn(text, "\n");
        text += bytes + (text[bytes] == '\n');
        trim(&line, &bytes);
        if (bytes == 0 || *line == '#' || *line == ';')
            continue;
        const char *end = *line == '[' ? memchr(line, ']', bytes) : NULL;
        bool good = true;
        if (end)
            ours = is_ours(files, line + 1, (size_t)(end - line) - 1);
        else if (*line == '!')
            good = take_include(files, line, bytes);
        else if (ours)
            good = take_line(files, line, bytes);
        if (!good)
            return false;
    }
    return true;
}

static bool read_file(struct files *files, const char *path)
{
    char *text = NULL;
    if (files->depth == DEPTH_MAX)
        return error_set(files->error, ERR_USAGE, "option file %.200s: files include each other more than %d deep",
                         path, DEPTH_MAX);
    if (!path_read_text(path, FILE_BYTES_MAX, &text, NULL, files->error))
        return false;
    ++files->depth;
    bool good = take_text(files, text);
    --files->depth;
    memset(text, 0, strlen(text)); /* it may hold a password */
    free(text);
    return good;
}

static bool read_if_there(struct files *files, const char *path)
{
    struct error ignored = ERROR_INIT;
    enum path_kind kind = PATH_ABSENT;
    return !path_look(path, &kind, NULL, &ignored) || kind != PATH_FILE || read_file(files, path);
}

static bool read_own(struct files *files)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    const char *home = getenv("HOME");
    home = home ? home : getenv("USERPROFILE");
    return !home || !path_join(path, home, ".my.cnf", &ignored) || read_if_there(files, path);
}

/* Where MySQL and MariaDB look, too. */
static bool read_standard(struct files *files, const char *extra)
{
    return read_if_there(files, "/etc/my.cnf") && read_if_there(files, "/etc/mysql/my.cnf") &&
           (!extra || read_file(files, extra)) && read_own(files);
}

static const char *value_behind(const char *word, const char *name)
{
    size_t bytes = strlen(name);
    return strncmp(word, name, bytes) == 0 ? word + bytes : NULL;
}

bool slap_files_read(int argc, char *const *argv, struct text_pool *words, int *used, bool *print_only,
                     struct error *error)
{
    struct files files = {words, "", error, 0};
    const char *only = NULL, *extra = NULL, *value;
    bool none = false;
    for (*used = 0; *used < argc; ++*used) {
        const char *word = argv[*used];
        if (strcmp(word, "--no-defaults") == 0)
            none = true;
        else if (strcmp(word, "--print-defaults") == 0)
            *print_only = true;
        else if ((value = value_behind(word, "--defaults-file=")) != NULL)
            only = value;
        else if ((value = value_behind(word, "--defaults-extra-file=")) != NULL)
            extra = value;
        else if ((value = value_behind(word, "--defaults-group-suffix=")) != NULL)
            files.suffix = value;
        else
            break;
    }
    if (none)
        return true;
    return only ? read_file(&files, only) : read_standard(&files, extra);
}
