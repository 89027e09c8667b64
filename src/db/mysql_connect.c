#include "db/mysql_driver.h"
#include "db/mysql_skip.h"

#include "platform/clock.h"
#include "platform/host.h"
#include "platform/path.h"
#include "platform/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what this driver, this library or this system cannot do ---- */

/* The shell leaves a ~ behind an = alone. */
static void expand_home(const char *path, char *out, size_t out_bytes)
{
    const char *home = getenv("HOME");
    if (!home)
        home = getenv("USERPROFILE");
    bool tilde = path[0] == '~' && (path[1] == '/' || path[1] == '\\') && home;
    snprintf(out, out_bytes, "%s%s", tilde ? home : "", tilde ? path + 1 : path);
}

/* The libraries pass over a file that is not there. */
static bool check_defaults_file(const struct job *job, struct error *error)
{
    char path[PATH_BYTES];
    enum path_kind kind = PATH_ABSENT;
    if (job->db_defaults_file[0] == '\0')
        return true;
    expand_home(job->db_defaults_file, path, sizeof(path));
    return path_look(path, &kind, NULL, error) &&
           (kind != PATH_ABSENT ||
            error_set(error, ERR_USAGE, "--db-defaults-file=%.200s: there is no such file", job->db_defaults_file));
}

static bool check_protocol(const struct job *job, struct error *error)
{
    if (job->db_protocol == DB_PROTOCOL_PIPE && !host_has_named_pipes)
        return error_set(error, ERR_UNSUPPORTED, "--db-protocol=pipe: named pipes are of Windows; use socket or tcp");
    if (job->db_protocol == DB_PROTOCOL_SOCKET && !host_has_unix_sockets)
        return error_set(error, ERR_UNSUPPORTED, "--db-protocol=socket: Windows has none to MySQL; use pipe or tcp");
    if (job->db_protocol == DB_PROTOCOL_TCP && job->db_socket[0])
        return error_set(error, ERR_USAGE, "--db-socket and --db-protocol=tcp: one of them");
    return true;
}

/* MariaDB's library has no mode of that name: it verifies the certificate when it is told the authority. */
static bool check_tls(const struct job *job, struct error *error)
{
    if (IS_CONNECTOR_C && job->db_tls == DB_TLS_VERIFY_CA && !job->db_tls_ca[0])
        return error_set(error, ERR_USAGE, "--db-tls=verify-ca: give the authority's file, --db-tls-ca");
    return true;
}

bool mysql_check(const struct job *job, struct error *error)
{
    /* MariaDB's library reads it for each connection, 0.9 MB and 30 ms, and by it verifies these modes' servers alone
     */
    process_read_authorities(job->db_tls >= DB_TLS_VERIFY_CA);
    return check_protocol(job, error) && check_tls(job, error) && db_check_tls_files(job, error) &&
           check_defaults_file(job, error);
}

/* ---- where to ---- */

/* "" = what the library or the option file says. */
struct place {
    char host[256], port[16], socket[TEXT_MAX];
    bool is_local; /* by a socket or a pipe */
};

static uint64_t items(const char *list)
{
    uint64_t count = 1;
    for (; *list; ++list)
        count += *list == ',';
    return count;
}

static void find_place(const struct db_target *target, struct place *out)
{
    const struct job *job = target->job;
    db_deal(job->db_socket, target->index, out->socket, sizeof(out->socket));
    db_deal(job->db_port, target->index, out->port, sizeof(out->port));
    db_deal(job->db_host, target->index / items(job->db_port), out->host, sizeof(out->host));
    bool named = out->socket[0] || job->db_protocol == DB_PROTOCOL_SOCKET || job->db_protocol == DB_PROTOCOL_PIPE;
    if (named)
        strcpy(out->host, host_has_unix_sockets ? "localhost" : ".");
    /* the library takes localhost for the socket, but not when a port is named: then TCP is meant */
    out->is_local = named || (host_has_unix_sockets && job->db_protocol == DB_PROTOCOL_AUTO && !out->port[0] &&
                              strcmp(out->host, "localhost") == 0);
}

static const char *given(const char *text)
{
    return text[0] ? text : NULL;
}

/* With an option file, what the job leaves at its default is the file's to say. */
static const char *unless_default(const struct job *job, const char *text, const char *standard)
{
    return text[0] == '\0' || (job->db_defaults_file[0] && strcmp(text, standard) == 0) ? NULL : text;
}

/* ---- options ---- */

/* An option file may name another way; what the job says goes before it. */
static void set_protocol(MYSQL *handle, const struct job *job, const struct place *place)
{
    unsigned type = MYSQL_PROTOCOL_TCP;
    if (place->is_local)
        type = host_has_unix_sockets ? MYSQL_PROTOCOL_SOCKET : MYSQL_PROTOCOL_PIPE;
    bool open = job->db_defaults_file[0] && job->db_protocol == DB_PROTOCOL_AUTO && !place->socket[0] &&
                !place->port[0] && strcmp(place->host, "localhost") == 0;
    if (!open)
        mysql_options(handle, MYSQL_OPT_PROTOCOL, &type);
}

static void set_tls_files(MYSQL *handle, const struct job *job)
{
    static const struct {
        enum mysql_option option;
        size_t at;
    } files[] = {{MYSQL_OPT_SSL_CA, offsetof(struct job, db_tls_ca)},
                 {MYSQL_OPT_SSL_CERT, offsetof(struct job, db_tls_cert)},
                 {MYSQL_OPT_SSL_KEY, offsetof(struct job, db_tls_key)},
                 {MYSQL_OPT_SSL_CIPHER, offsetof(struct job, db_tls_cipher)}};
    for (size_t i = 0; i < COUNT_OF(files); ++i) {
        const char *value = (const char *)job + files[i].at;
        if (value[0])
            mysql_options(handle, files[i].option, value);
    }
}

/* Which ciphers TLS 1.3 has is the library's choice, so it is left out where others are asked for. */
static void set_tls_version(MYSQL *handle, const struct job *job)
{
#if IS_CONNECTOR_C
    enum mysql_option option = MARIADB_OPT_TLS_VERSION;
#else
    enum mysql_option option = MYSQL_OPT_TLS_VERSION;
#endif
    if (job->db_tls_cipher[0] && !strstr(job->db_tls_cipher, "TLS_"))
        mysql_options(handle, option, "TLSv1.2");
}

/* "preferred" leaves a socket alone, as MySQL's own clients do: what goes over it does not leave the machine. */
static void set_tls(MYSQL *handle, const struct job *job, bool is_local)
{
    enum db_tls tls = is_local && job->db_tls == DB_TLS_PREFERRED ? DB_TLS_OFF : job->db_tls;
#if IS_CONNECTOR_C
    my_bool use = tls != DB_TLS_OFF, verify = tls == DB_TLS_VERIFY_IDENTITY;
    mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &use);
    mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
#else
    static const unsigned modes[] = {SSL_MODE_DISABLED, SSL_MODE_PREFERRED, SSL_MODE_REQUIRED, SSL_MODE_VERIFY_CA,
                                     SSL_MODE_VERIFY_IDENTITY};
    mysql_options(handle, MYSQL_OPT_SSL_MODE, &modes[tls]);
#endif
    if (tls == DB_TLS_OFF)
        return;
    set_tls_files(handle, job);
    set_tls_version(handle, job);
}

/* The libraries count in whole seconds, and turn them into milliseconds of 32 bits. */
static void set_timeout(MYSQL *handle, enum mysql_option option, uint64_t time_ns)
{
    uint64_t seconds = (time_ns + NS_PER_S - 1) / NS_PER_S;
    unsigned timeout_s = seconds > INT32_MAX / 1000 ? INT32_MAX / 1000 : (unsigned)seconds;
    mysql_options(handle, option, &timeout_s);
}

static void set_timeouts(MYSQL *handle, const struct job *job)
{
    set_timeout(handle, MYSQL_OPT_CONNECT_TIMEOUT, job->db_connect_timeout_ns);
    if (job->db_answer_timeout_ns == 0)
        return;
    set_timeout(handle, MYSQL_OPT_READ_TIMEOUT, job->db_answer_timeout_ns);
    set_timeout(handle, MYSQL_OPT_WRITE_TIMEOUT, job->db_answer_timeout_ns);
}

static void set_options(MYSQL *handle, const struct db_target *target, const struct place *place)
{
    const struct job *job = target->job;
    unsigned local_infile = target->may_stream; /* else a server could ask for any file of ours */
    mysql_flag reports = 0;
    set_timeouts(handle, job);
    mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &local_infile);
    mysql_refuse_files(handle); /* what is streamed is never a file that the server names */
    mysql_options(handle, MYSQL_REPORT_DATA_TRUNCATION, &reports);
    mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (job->db_compression)
        mysql_options(handle, MYSQL_OPT_COMPRESS, NULL);
    if (job->db_defaults_file[0]) {
        char path[PATH_BYTES];
        expand_home(job->db_defaults_file, path, sizeof(path));
        mysql_options(handle, MYSQL_READ_DEFAULT_FILE, path);
        mysql_options(handle, MYSQL_READ_DEFAULT_GROUP, job->db_defaults_group);
    }
    set_tls(handle, job, place->is_local);
    set_protocol(handle, job, place);
}

/* ---- connecting ---- */

static bool fail_connect(const struct mysql_connection *connection, const struct place *place,
                         struct db_failure *failure)
{
    struct db_saying saying = mysql_saying(connection->handle);
    enum db_class class = mysql_class(connection->base.job, saying.code, saying.sqlstate);
    char where[PLACE_BYTES];
    db_place(place->socket[0] ? place->socket : place->host, place->is_local ? "" : place->port, where);
    return db_fail(failure, class == DB_CLASS_RETRY ? DB_CLASS_FATAL : class, &saying, "cannot connect to %s", where);
}

/* Connector/C goes on without TLS when the server has none. */
static bool is_encrypted_as_asked(struct mysql_connection *connection, const struct place *place,
                                  struct db_failure *failure)
{
    struct db_saying saying = {CR_SSL_CONNECTION_ERROR, "HY000", "the server offers no TLS", mysql_hints};
    if (connection->base.job->db_tls < DB_TLS_REQUIRED || mysql_get_ssl_cipher(connection->handle))
        return true;
    return db_fail(failure, DB_CLASS_FATAL, &saying, "cannot connect to %.120s with TLS",
                   place->socket[0] ? place->socket : place->host);
}

/* The option file may have named no database: then the default is meant. */
static bool choose_database(struct mysql_connection *connection, struct db_failure *failure)
{
    static const char sql[] = "SELECT DATABASE()";
    struct db_one_value name = {{0}, false};
    struct db_reply reply;
    const struct job *job = connection->base.job;
    if (!job->db_defaults_file[0])
        return true;
    if (!mysql_driver.query(&connection->base, sql, sizeof(sql) - 1, db_take_one, &name, &reply, failure))
        return false;
    return name.text[0] || mysql_select_db(connection->handle, job->db_name) == 0 ||
           mysql_fail(connection, job->db_name, strlen(job->db_name), failure);
}

static bool open_connection(struct mysql_connection *connection, const struct db_target *target,
                            struct db_failure *failure)
{
    const struct job *job = target->job;
    struct place place;
    find_place(target, &place);
    set_options(connection->handle, target, &place);
    if (!mysql_real_connect(connection->handle, unless_default(job, place.host, "localhost"),
                            unless_default(job, job->db_user, "sbtest"), target->password,
                            unless_default(job, job->db_name, "sbtest"), (unsigned)strtoul(place.port, NULL, 10),
                            given(place.socket), 0))
        return fail_connect(connection, &place, failure);
    connection->may_skip = mysql_may_skip(connection->handle);
    return is_encrypted_as_asked(connection, &place, failure) && choose_database(connection, failure);
}

void mysql_disconnect(struct db_connection *connection)
{
    if (!connection)
        return;
    if (mysql_own(connection)->handle)
        mysql_close(mysql_own(connection)->handle);
    free(connection);
}

bool mysql_connect_to(const struct db_target *target, struct db_connection **out, struct db_failure *failure)
{
    struct mysql_connection *connection = calloc(1, sizeof(*connection));
    *out = NULL;
    if (!connection)
        return db_no_memory(failure);
    connection->base = (struct db_connection){&mysql_driver, target->job};
    connection->handle = mysql_init(NULL);
    bool good = connection->handle ? open_connection(connection, target, failure) : db_no_memory(failure);
    if (good)
        *out = &connection->base;
    else
        mysql_disconnect(&connection->base);
    return good;
}
