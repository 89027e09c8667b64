/* mysqlslap_options.c: its words. Long ones may be cut short as long as they are unambiguous, - and _ are the same,
 * letters share a dash, and the last of two wins. */
#include "dialects/mysqlslap.h"

#include "platform/compiler.h"

#include <stdlib.h>
#include <string.h>

enum form { SWITCH, VALUE, MORE /* than one value */, MAY /* have a value, in the same word */, LOUDER };

static const struct {
    const char *name;
    char letter; /* 0 = none */
    enum form form;
    const char *standard, *help;
} options[SLAP_OPTIONS] = {
    [SLAP_HELP] = {"help", '?', SWITCH, "", "Prints this."},
    [SLAP_AUTO] = {"auto-generate-sql", 'a', SWITCH, "", "Generates a table and statements on it."},
    [SLAP_ADD_AUTOINCREMENT] = {"auto-generate-sql-add-autoincrement", 0, SWITCH, "", "Its key is AUTO_INCREMENT."},
    [SLAP_EXECUTE_NUMBER] = {"auto-generate-sql-execute-number", 0, VALUE, "0", "Statements of each client."},
    [SLAP_GUID_PRIMARY] = {"auto-generate-sql-guid-primary", 0, SWITCH, "", "Its key is a UUID."},
    [SLAP_LOAD_TYPE] = {"auto-generate-sql-load-type", 0, VALUE, "mixed", "mixed, update, write, key or read."},
    [SLAP_SECONDARY_INDEXES] = {"auto-generate-sql-secondary-indexes", 0, VALUE, "0", "More unique columns of UUIDs."},
    [SLAP_UNIQUE_QUERY_NUMBER] = {"auto-generate-sql-unique-query-number", 0, VALUE, "10",
                                  "Different statements; there is one more."},
    [SLAP_UNIQUE_WRITE_NUMBER] = {"auto-generate-sql-unique-write-number", 0, VALUE, "10",
                                  "Different rows to load; there is one less."},
    [SLAP_WRITE_NUMBER] = {"auto-generate-sql-write-number", 0, VALUE, "100",
                           "Rows to load before the run; there is one less."},
    [SLAP_COMMIT] = {"commit", 0, VALUE, "0", "Statements between two COMMITs; 0 = autocommit."},
    [SLAP_COMPRESS] = {"compress", 'C', SWITCH, "", "Compresses what goes over the connection."},
    [SLAP_COMPRESSION_ALGORITHMS] = {"compression-algorithms", 0, VALUE, "", "zlib or uncompressed."},
    [SLAP_CONCURRENCY] = {"concurrency", 'c', VALUE, "1", "Clients; several numbers with commas, one after the other."},
    [SLAP_CREATE] = {"create", 0, VALUE, "", "Statements that make the tables, or a file of them."},
    [SLAP_CREATE_SCHEMA] = {"create-schema", 0, VALUE, "mysqlslap", "The schema to work in."},
    [SLAP_CSV] = {"csv", 0, MAY, "", "Prints CSV, or adds it to that file."},
    [SLAP_DELIMITER] = {"delimiter", 'F', VALUE, "newline", "What stands between statements."},
    [SLAP_DETACH] = {"detach", 0, VALUE, "0", "Statements before a connection is opened anew; 0 = never."},
    [SLAP_ENGINE] = {"engine", 'e', VALUE, "", "Storage engines with commas, each with options: memory:max_rows=10."},
    [SLAP_HOST] = {"host", 'h', VALUE, "localhost", "The server."},
    [SLAP_INIT_COMMAND] = {"init-command", 0, VALUE, "", "A statement for each new connection."},
    [SLAP_ITERATIONS] = {"iterations", 'i', VALUE, "1", "Runs of each number of clients."},
    [SLAP_NO_DROP] = {"no-drop", 0, SWITCH, "", "Leaves the schema that was made."},
    [SLAP_CHAR_COLS] = {"number-char-cols", 'x', VALUE, "1", "VARCHAR columns; N:1 has indexes on them."},
    [SLAP_INT_COLS] = {"number-int-cols", 'y', VALUE, "1", "INT columns; N:1 has indexes on them."},
    [SLAP_NUMBER_OF_QUERIES] = {"number-of-queries", 0, VALUE, "0", "Statements over all clients."},
    [SLAP_ONLY_PRINT] = {"only-print", 0, SWITCH, "", "Prints the statements and connects to nothing."},
    [SLAP_PASSWORD] = {"password", 'p', MAY, "",
                       "The password; without a value it is asked for, without the option MYSQL_PWD has it."},
    [SLAP_PORT] = {"port", 'P', VALUE, "", "The server's port."},
    [SLAP_POST_QUERY] = {"post-query", 0, VALUE, "", "Statements after each run, or a file of them."},
    [SLAP_POST_SYSTEM] = {"post-system", 0, VALUE, "", "A shell command after each run."},
    [SLAP_PRE_QUERY] = {"pre-query", 0, VALUE, "", "Statements before each run, or a file of them."},
    [SLAP_PRE_SYSTEM] = {"pre-system", 0, VALUE, "", "A shell command before each run."},
    [SLAP_PROTOCOL] = {"protocol", 0, VALUE, "", "tcp, socket or pipe."},
    [SLAP_QUERY] = {"query", 'q', VALUE, "", "Statements that each client sends, or a file of them."},
    [SLAP_SILENT] = {"silent", 's', SWITCH, "", "Prints no report."},
    [SLAP_SOCKET] = {"socket", 'S', VALUE, "", "The server's socket, or named pipe."},
    [SLAP_SQL_MODE] = {"sql-mode", 0, VALUE, "", "sql_mode of each connection."},
    [SLAP_SSL] = {"ssl", 0, SWITCH, "", "TLS; --skip-ssl does without."},
    [SLAP_SSL_CA] = {"ssl-ca", 0, VALUE, "", "File of the authority's certificate."},
    [SLAP_SSL_CERT] = {"ssl-cert", 0, VALUE, "", "File of the client's certificate."},
    [SLAP_SSL_CIPHER] = {"ssl-cipher", 0, VALUE, "", "Ciphers that may be used."},
    [SLAP_SSL_KEY] = {"ssl-key", 0, VALUE, "", "File of the client's key."},
    [SLAP_SSL_MODE] = {"ssl-mode", 0, VALUE, "PREFERRED",
                       "DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY."},
    [SLAP_SSL_VERIFY] = {"ssl-verify-server-cert", 0, SWITCH, "", "The certificate must be the host's."},
    [SLAP_USER] = {"user", 'u', VALUE, "", "The user; empty = the system's."},
    [SLAP_VERBOSE] = {"verbose", 'v', LOUDER, "", "Says what is done."},
    [SLAP_VERSION] = {"version", 'V', SWITCH, "", "Prints the version."},
    [SLAP_DROP_SCHEMA] = {"isobench-drop-schema", 0, VALUE, "", "Lets this schema be dropped, whoever made it."},
    [SLAP_HEARTBEAT] = {"isobench-heartbeat", 0, VALUE, "100ms", "Time between two looks at the replicas' lag."},
    [SLAP_HEARTBEAT_SCHEMA] = {"isobench-heartbeat-schema", 0, VALUE, "",
                               "Where to keep what the lag is seen by; standard: a schema that is made and dropped."},
    [SLAP_LATENCY] = {"isobench-latency", 0, SWITCH, "", "Adds latencies of the statements to the report."},
    [SLAP_REPLICA] = {"isobench-replica", 0, MORE, "",
                      "A replica to watch: host=NAME,port=N or mysql://USER@HOST:PORT; may be given several times."},
    [SLAP_REPLICA_WAIT] = {"isobench-replica-wait", 0, VALUE, "60",
                           "Seconds that a replica may take to have all that was loaded, and all of a run."},
    [SLAP_REPORT_INTERVAL] = {"isobench-report-interval", 0, VALUE, "1", "Seconds between two lines of lag."},
    [SLAP_SEED] = {"isobench-seed", 0, VALUE, "0", "Seed of the keys that are drawn; 0 = from the clock."},
    [SLAP_VERIFY_REPLICA] = {"isobench-verify-replica", 0, SWITCH, "",
                             "Compares the tables on source and replicas after each run."},
};

static const struct {
    const char *name;
    char letter;
} refused[] = {{"bind-address", 0},
               {"character-sets-dir", 0},
               {"debug", '#'},
               {"debug-check", 0},
               {"debug-info", 'T'},
               {"default-auth", 0},
               {"enable-cleartext-plugin", 0},
               {"get-server-public-key", 0},
               {"login-path", 0},
               {"plugin-dir", 0},
               {"server-public-key-path", 0},
               {"shared-memory-base-name", 0},
               {"ssl-capath", 0},
               {"ssl-crl", 0},
               {"ssl-crlpath", 0},
               {"ssl-fips-mode", 0},
               {"ssl-session-data", 0},
               {"ssl-session-data-continue-on-failed-reuse", 0},
               {"tls-ciphersuites", 0},
               {"tls-sni-servername", 0},
               {"tls-version", 0},
               {"zstd-compression-level", 0}};

/* ---- names ---- */

const char *slap_option_name(enum slap_option option)
{
    return options[option].name;
}

static bool begins(const char *word, size_t bytes, const char *name)
{
    for (size_t i = 0; i < bytes; ++i)
        if ((word[i] == '_' ? '-' : word[i]) != name[i])
            return false;
    return true;
}

/* What a name of so many bytes may mean: exactly one option, or none. */
struct match {
    int option, refusal; /* −1 = none */
    unsigned options, refusals;
};

static struct match find(const char *word, size_t bytes)
{
    struct match match = {-1, -1, 0, 0};
    for (int i = 0; i < SLAP_OPTIONS; ++i)
        if (begins(word, bytes, options[i].name)) {
            match.option = i;
            ++match.options;
            if (strlen(options[i].name) == bytes)
                return (struct match){i, -1, 1, 0};
        }
    for (size_t i = 0; i < COUNT_OF(refused); ++i)
        if (begins(word, bytes, refused[i].name)) {
            match.refusal = (int)i;
            ++match.refusals;
            if (strlen(refused[i].name) == bytes)
                return (struct match){-1, (int)i, 0, 1};
        }
    return match;
}

/* ---- one word ---- */

struct reading {
    struct slap_given *given;
    char *const *words;
    int count, at;
    struct error *error;
};

static bool refuse_name(const struct reading *reading, const char *word, const struct match *match)
{
    if (match->options + match->refusals > 1)
        return error_set(reading->error, ERR_USAGE, "%.80s: several options begin so; write it out", word);
    if (match->refusals == 1)
        return error_set(reading->error, ERR_UNSUPPORTED, "mysqlslap --%s is not supported",
                         refused[match->refusal].name);
    return error_set(reading->error, ERR_USAGE, "mysqlslap has no option %.80s; \"mysqlslap --help\" lists them", word);
}

static bool is_yes(const char *text)
{
    return strcmp(text, "0") != 0 && strcmp(text, "off") != 0 && strcmp(text, "OFF") != 0 &&
           strcmp(text, "false") != 0 && strcmp(text, "FALSE") != 0;
}

static bool has_value(enum form form)
{
    return form == VALUE || form == MORE;
}

/* Behind what was given before. */
static bool take_more(struct reading *reading, int option, const char *value)
{
    const char *old = reading->given->text[option];
    size_t bytes = strlen(value) + (old ? strlen(old) : 0) + 2;
    char *both = malloc(bytes);
    if (both)
        snprintf(both, bytes, "%s%s%s", old ? old : "", old ? " " : "", value);
    reading->given->text[option] = text_pool_keep(&reading->given->texts, both);
    return reading->given->text[option] || error_set(reading->error, ERR_SYSTEM, "not enough memory");
}

/* `value`: what stands in the same word, or NULL. */
static bool take(struct reading *reading, int option, const char *value)
{
    enum form form = options[option].form;
    if (form == SWITCH) {
        reading->given->text[option] = value && !is_yes(value) ? "0" : "1";
    } else if (form == LOUDER) {
        ++reading->given->verbose;
    } else if (form == MAY) {
        reading->given->text[option] = value ? value : "";
    } else {
        if (!value && reading->at + 1 < reading->count)
            value = reading->words[++reading->at];
        if (!value)
            return error_set(reading->error, ERR_USAGE, "--%s needs a value", options[option].name);
        if (form == MORE)
            return take_more(reading, option, value);
        reading->given->text[option] = value;
    }
    return true;
}

/* "--skip-ssl", "--disable-no-drop" and "--enable-ssl". */
static bool take_prefixed(struct reading *reading, const char *name, size_t bytes, bool *taken)
{
    static const struct {
        const char *text;
        const char *value;
    } prefixes[] = {{"skip-", "0"}, {"disable-", "0"}, {"enable-", "1"}};
    for (size_t i = 0; i < COUNT_OF(prefixes); ++i) {
        size_t skip = strlen(prefixes[i].text);
        if (bytes <= skip || !begins(name, skip, prefixes[i].text))
            continue;
        struct match match = find(name + skip, bytes - skip);
        *taken = match.options == 1 && options[match.option].form == SWITCH;
        return !*taken || take(reading, match.option, prefixes[i].value);
    }
    return true;
}

static bool take_long(struct reading *reading)
{
    const char *word = reading->words[reading->at], *name = word + 2, *equals = strchr(name, '=');
    size_t bytes = equals ? (size_t)(equals - name) : strlen(name);
    bool loose = bytes > strlen("loose-") && begins(name, strlen("loose-"), "loose-"), taken = false;
    name += loose ? strlen("loose-") : 0;
    bytes -= loose ? strlen("loose-") : 0;
    struct match match = find(name, bytes);
    if (bytes > 0 && match.options == 1 && match.refusals == 0)
        return take(reading, match.option, equals ? equals + 1 : NULL);
    if (!take_prefixed(reading, name, bytes, &taken))
        return false;
    return taken || loose || refuse_name(reading, word, &match);
}

static bool take_letters(struct reading *reading)
{
    const char *word = reading->words[reading->at];
    for (const char *at = word + 1; *at; ++at) {
        int option = 0;
        char letter = *at == 'I' ? '?' : *at; /* MariaDB's other letter for help */
        while (option < SLAP_OPTIONS && options[option].letter != letter)
            ++option;
        for (size_t i = 0; option == SLAP_OPTIONS && i < COUNT_OF(refused); ++i)
            if (refused[i].letter == letter)
                return error_set(reading->error, ERR_UNSUPPORTED, "mysqlslap --%s (-%c) is not supported",
                                 refused[i].name, letter);
        if (option == SLAP_OPTIONS)
            return error_set(reading->error, ERR_USAGE, "mysqlslap has no option -%c; \"mysqlslap --help\" lists them",
                             letter);
        bool takes_rest = has_value(options[option].form) || options[option].form == MAY;
        if (!take(reading, option, takes_rest && at[1] ? at + 1 : NULL))
            return false;
        if (takes_rest)
            break;
    }
    return true;
}

static bool take_words(struct reading *reading)
{
    for (; reading->at < reading->count; ++reading->at) {
        const char *word = reading->words[reading->at];
        if (word[0] != '-' || word[1] == '\0')
            return error_set(reading->error, ERR_USAGE, "%.80s is no option of mysqlslap: they begin with a dash",
                             word);
        if (!(word[1] == '-' ? take_long(reading) : take_letters(reading)))
            return false;
    }
    return true;
}

bool slap_given_read(struct slap_given *given, int argc, char *const *argv, struct error *error)
{
    struct text_pool *texts = &given->texts;
    int used = 0;
    bool print_only = false;
    if (!slap_files_read(argc, argv, texts, &used, &print_only, error))
        return false;
    if (print_only)
        return error_set(error, ERR_UNSUPPORTED, "mysqlslap --print-defaults is not supported");
    struct reading of_files = {given, texts->items, (int)texts->count, 0, error};
    struct reading of_line = {given, argv, argc, used, error};
    return take_words(&of_files) && take_words(&of_line);
}

void slap_given_done(struct slap_given *given)
{
    text_pool_done(&given->texts);
}

bool slap_is_on(const struct slap_given *given, enum slap_option option)
{
    return given->text[option] && strcmp(given->text[option], "0") != 0;
}

static void print_option(FILE *out, int option)
{
    char letter[] = {'-', options[option].letter, ',', ' ', '\0'};
    fprintf(out, "  %s--%s%s", options[option].letter ? letter : "", options[option].name,
            has_value(options[option].form) ? "=VALUE"
            : options[option].form == MAY   ? "[=VALUE]"
                                            : "");
    if (options[option].standard[0])
        fprintf(out, "  [%s]", options[option].standard);
    fprintf(out, "\n      %s\n", options[option].help);
}

void slap_print_help(FILE *out)
{
    fputs("usage: isobench mysqlslap [options]\n\n"
          "As mysqlslap of MySQL 8 and MariaDB: statements from many clients at once, and how long they take.\n\n",
          out);
    for (int i = 0; i < SLAP_OPTIONS; ++i)
        print_option(out, i);
    fputs("\nFirst of all may stand:\n\n"
          "  --defaults-file=FILE\n      Reads this option file alone.\n"
          "  --defaults-extra-file=FILE\n      Reads this one after the system's.\n"
          "  --defaults-group-suffix=TEXT\n      Reads groups with this behind their names too.\n"
          "  --no-defaults\n      Reads no option file.\n",
          out);
}
