/* The ways to a server, and what is said when one of them is closed. tests/db/servers.sh starts the servers and gives
 * in the environment:
 *   ISO_TEST_DB, ISO_TEST_PASSWORD   as for test_contract, by TCP; the server has TLS and takes few connections
 *   ISO_TEST_CA, ISO_TEST_OTHER_CA   the authority of the server's certificate (of "127.0.0.1"), and a foreign one;
 *                                    missing = the server has no TLS, and that alone is tested
 *   ISO_TEST_SOCKET                  the server's socket
 *   ISO_TEST_SILENT_PORT             a port where somebody listens and says nothing; may be missing
 *   ISO_TEST_DEFAULTS                mysql: an option file whose group [bench] names user, password, host and port */
#include "core/settings.h"
#include "db/db.h"
#include "platform/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CONNECTIONS_MAX 64 /* more than the server takes */

struct fixture {
    struct job job;
    const struct db_driver *driver;
    struct db_failure failure;
};

static void set(struct job *job, const char *name, const char *value)
{
    struct error error = ERROR_INIT;
    if (!job_set(job, setting_find(name), name, value, &error))
        fail_msg("%s=%s: %s", name, value, error.text);
}

static void set_all(struct job *job, const char *settings_text)
{
    char list[4096];
    snprintf(list, sizeof(list), "%s", settings_text);
    for (char *item = strtok(list, ";"); item; item = strtok(NULL, ";")) {
        char *value = strchr(item, '=');
        assert_non_null(value);
        *value++ = '\0';
        set(job, item, value);
    }
}

static int make_fixture(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    struct error error = ERROR_INIT;
    job_init(&fixture->job);
    fixture->job.work = WORK_DATABASE;
    set_all(&fixture->job, getenv("ISO_TEST_DB"));
    fixture->driver = db_driver_find(fixture->job.db_driver, &error);
    if (!fixture->driver || (fixture->driver->start && !fixture->driver->start(&error)))
        fail_msg("%s", error.text);
    *state = fixture;
    return 0;
}

static int drop_fixture(void **state)
{
    free(*state);
    return 0;
}

static bool is(const struct fixture *fixture, const char *driver)
{
    return strcmp(fixture->driver->name, driver) == 0;
}

static struct db_connection *try_to_connect(struct fixture *fixture, const struct job *job, const char *password,
                                            uint64_t index)
{
    struct db_target target = {.job = job, .password = password, .index = index, .may_create = false};
    struct db_connection *connection = NULL;
    struct error error = ERROR_INIT;
    assert_true(fixture->driver->check(job, &error));
    return fixture->driver->connect(&target, &connection, &fixture->failure) ? connection : NULL;
}

static struct db_connection *connect_as(struct fixture *fixture, const struct job *job)
{
    struct db_connection *connection = try_to_connect(fixture, job, getenv("ISO_TEST_PASSWORD"), 0);
    if (!connection)
        fail_msg("%s", fixture->failure.text);
    return connection;
}

/* The sentence is one line, and has what would be right in it. */
static void must_say(const struct fixture *fixture, enum db_class class, const char *words)
{
    if (fixture->failure.class != class || !strstr(fixture->failure.text, words) ||
        strchr(fixture->failure.text, '\n') || strstr(fixture->failure.text, "s3cret"))
        fail_msg("class %d: %s", fixture->failure.class, fixture->failure.text);
}

static void encryption(struct fixture *fixture, const struct job *job, char *out, size_t out_bytes)
{
    struct server_facts facts;
    struct db_connection *connection = connect_as(fixture, job);
    assert_true(fixture->driver->facts(connection, &facts, &fixture->failure));
    snprintf(out, out_bytes, "%s", facts.tls);
    fixture->driver->disconnect(connection);
}

/* ---- who and what ---- */

static void a_wrong_password_is_told(void **state)
{
    struct fixture *fixture = *state;
    assert_null(try_to_connect(fixture, &fixture->job, "wrong", 0));
    must_say(fixture, DB_CLASS_FATAL, "--password-env");
}

static void an_unknown_database_is_told(void **state)
{
    struct fixture *fixture = *state;
    set(&fixture->job, "db_name", is(fixture, "mysql") ? "sbtest_not_there" : "not_there");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    must_say(fixture, DB_CLASS_FATAL, "--db-name");
}

static void no_server_is_told(void **state)
{
    struct fixture *fixture = *state;
    set(&fixture->job, "db_port", "1");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    must_say(fixture, DB_CLASS_LOST, "127.0.0.1:1");
    must_say(fixture, DB_CLASS_LOST, "--db-port");
    set(&fixture->job, "db_socket", "/nonexistent/socket");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    must_say(fixture, DB_CLASS_LOST, "/nonexistent/socket");
}

static void an_unknown_host_is_told(void **state)
{
    struct fixture *fixture = *state;
    set(&fixture->job, "db_host", "no-such-host.invalid");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    assert_non_null(strstr(fixture->failure.text, "no-such-host.invalid"));
}

static void a_server_that_says_nothing_is_given_up(void **state)
{
    struct fixture *fixture = *state;
    struct clock clock = clock_system();
    const char *port = getenv("ISO_TEST_SILENT_PORT");
    if (!port)
        skip();
    set(&fixture->job, "db_port", port);
    set(&fixture->job, "db_connect_timeout", "2");
    uint64_t start_ns = clock_now_ns(&clock), steps = 0;
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    assert_int_equal(fixture->failure.class, DB_CLASS_LOST);
    assert_true(clock_elapsed_ns(start_ns, clock_now_ns(&clock), &steps) < 60 * NS_PER_S);
}

static void too_many_connections_are_told(void **state)
{
    struct fixture *fixture = *state;
    struct db_connection *connections[CONNECTIONS_MAX] = {0};
    size_t count = 0;
    struct error error = ERROR_INIT;
    while (count < CONNECTIONS_MAX &&
           (connections[count] = try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0)) != NULL)
        count++;
    assert_in_range(count, 2, CONNECTIONS_MAX - 1);
    must_say(fixture, DB_CLASS_FATAL, "max_connections");
    assert_false(fixture->driver->room(connections[0], 5, 0, &error)); /* all are in use */
    assert_non_null(strstr(error.text, "max_connections"));
    while (count > 0)
        fixture->driver->disconnect(connections[--count]);
}

/* ---- which server ---- */

static void connections_are_dealt_over_ports_then_hosts(void **state)
{
    struct fixture *fixture = *state;
    char ports[2 * NAME_MAX_BYTES];
    snprintf(ports, sizeof(ports), "%s,1", fixture->job.db_port);
    set(&fixture->job, "db_port", ports);
    set(&fixture->job, "db_host", "127.0.0.1, 127.0.0.2");
    for (uint64_t i = 0; i < 8; ++i) {
        struct db_connection *connection = try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), i);
        assert_int_equal(connection != NULL, i % 4 == 0); /* the server listens on 127.0.0.1 alone */
        const char *where = i % 4 == 1 ? "127.0.0.1:1" : i % 4 == 3 ? "127.0.0.2:1" : "127.0.0.2:";
        if (!connection)
            must_say(fixture, DB_CLASS_LOST, where);
        fixture->driver->disconnect(connection);
    }
}

static void a_socket_goes_before_host_and_port(void **state)
{
    struct fixture *fixture = *state;
    set(&fixture->job, "db_socket", getenv("ISO_TEST_SOCKET"));
    set(&fixture->job, "db_host", "127.0.0.2");
    fixture->driver->disconnect(connect_as(fixture, &fixture->job));
}

/* ---- TLS ---- */

static void tls_is_as_asked(void **state)
{
    struct fixture *fixture = *state;
    char tls[NAME_MAX_BYTES];
    const char *const encrypted[] = {"preferred", "required"};
    set(&fixture->job, "db_tls", "off");
    encryption(fixture, &fixture->job, tls, sizeof(tls));
    assert_string_equal(tls, "");
    for (size_t i = 0; i < 2; ++i) {
        set(&fixture->job, "db_tls", encrypted[i]);
        encryption(fixture, &fixture->job, tls, sizeof(tls));
        assert_non_null(strstr(tls, "TLSv1"));
    }
    if (!is(fixture, "mysql"))
        return;
    set(&fixture->job, "db_tls_cipher", "ECDHE-RSA-AES128-GCM-SHA256"); /* else it is one of TLS 1.3 */
    encryption(fixture, &fixture->job, tls, sizeof(tls));
    assert_non_null(strstr(tls, "ECDHE-RSA-AES128-GCM-SHA256"));
}

static void the_certificate_is_verified_when_asked(void **state)
{
    struct fixture *fixture = *state;
    const char *const modes[] = {"verify-ca", "verify-identity"};
    for (size_t i = 0; i < 2; ++i) {
        char tls[NAME_MAX_BYTES];
        set(&fixture->job, "db_tls", modes[i]);
        set(&fixture->job, "db_tls_ca", getenv("ISO_TEST_CA"));
        encryption(fixture, &fixture->job, tls, sizeof(tls));
        assert_non_null(strstr(tls, "TLSv1"));
        set(&fixture->job, "db_tls_ca", getenv("ISO_TEST_OTHER_CA"));
        assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
        must_say(fixture, DB_CLASS_FATAL, "--db-tls");
    }
}

static void the_name_is_verified_when_asked(void **state)
{
    struct fixture *fixture = *state;
    char tls[NAME_MAX_BYTES];
    set(&fixture->job, "db_host", "localhost"); /* the certificate is of 127.0.0.1 */
    set(&fixture->job, "db_protocol", "tcp");
    set(&fixture->job, "db_tls_ca", getenv("ISO_TEST_CA"));
    set(&fixture->job, "db_tls", "verify-ca");
    encryption(fixture, &fixture->job, tls, sizeof(tls));
    assert_non_null(strstr(tls, "TLSv1"));
    set(&fixture->job, "db_tls", "verify-identity");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    must_say(fixture, DB_CLASS_FATAL, "--db-tls");
}

static void tls_that_the_server_lacks_is_told(void **state)
{
    struct fixture *fixture = *state;
    char tls[NAME_MAX_BYTES];
    if (getenv("ISO_TEST_CA"))
        skip();
    encryption(fixture, &fixture->job, tls, sizeof(tls)); /* preferred */
    assert_string_equal(tls, "");
    set(&fixture->job, "db_tls", "required");
    assert_null(try_to_connect(fixture, &fixture->job, getenv("ISO_TEST_PASSWORD"), 0));
    must_say(fixture, DB_CLASS_FATAL, "--db-tls");
}

/* ---- mysql's own ---- */

static bool take_text(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    (void)bytes;
    snprintf(context, 64, "%s", columns > 1 && values[1] ? values[1] : "");
    return true;
}

static void compression_is_as_asked(void **state)
{
    struct fixture *fixture = *state;
    const char *const rows[][2] = {{"off", "OFF"}, {"on", "ON"}};
    static const char sql[] = "SHOW SESSION STATUS LIKE 'Compression'";
    if (!is(fixture, "mysql"))
        skip();
    for (size_t i = 0; i < 2; ++i) {
        char value[64] = "";
        struct db_reply reply;
        set(&fixture->job, "db_compression", rows[i][0]);
        struct db_connection *connection = connect_as(fixture, &fixture->job);
        assert_true(fixture->driver->query(connection, sql, strlen(sql), take_text, value, &reply, &fixture->failure));
        assert_string_equal(value, rows[i][1]);
        fixture->driver->disconnect(connection);
    }
}

/* Rows of an answer that does not fit into any buffer, with and without what could change the way they come. */
static void all_rows_are_read_whatever_the_way(void **state)
{
    struct fixture *fixture = *state;
    const char *const ways[][2] = {
        {"db_tls", "off"}, {"db_tls", "required"}, {"db_compression", "on"}, {"db_tls", "off"}};
    const char *sql = is(fixture, "mysql") ? "SELECT seq, REPEAT('x', 200) FROM seq_1_to_5000 WHERE seq > ?"
                                           : "SELECT n, repeat('x', 200) FROM generate_series(1, 5000) n WHERE n > ?";
    const struct db_value from[][1] = {{{DB_VALUE_INT, 0, NULL, 0}}, {{DB_VALUE_INT, 4990, NULL, 0}}};
    for (size_t i = 0; i < 4; ++i) {
        struct db_statement *statement = NULL;
        struct db_reply reply;
        if (i >= 2 && !is(fixture, "mysql"))
            continue;
        set(&fixture->job, ways[i][0], ways[i][1]);
        struct db_connection *connection = connect_as(fixture, &fixture->job);
        assert_true(fixture->driver->prepare(connection, sql, &statement, &fixture->failure));
        for (int round = 0; round < 4; ++round) {
            bool good = fixture->driver->execute(statement, from[round % 2], 1, &reply, &fixture->failure);
            assert_true(good);
            assert_int_equal(reply.rows, round % 2 ? 10 : 5000);
        }
        fixture->driver->close(statement);
        fixture->driver->disconnect(connection);
    }
}

static void an_option_file_says_who_and_where(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    if (!is(fixture, "mysql"))
        skip();
    struct job job;
    job_init(&job);
    set(&job, "db_driver", "mysql");
    set(&job, "db_defaults_file", getenv("ISO_TEST_DEFAULTS"));
    set(&job, "db_defaults_group", "bench");
    struct db_connection *connection = try_to_connect(fixture, &job, NULL, 0);
    if (!connection)
        fail_msg("%s", fixture->failure.text);
    char database[64] = ""; /* the file names none: the default is meant */
    struct db_reply reply;
    static const char sql[] = "SELECT 1, DATABASE()";
    assert_true(fixture->driver->query(connection, sql, strlen(sql), take_text, database, &reply, &fixture->failure));
    assert_string_equal(database, "sbtest");
    fixture->driver->disconnect(connection);
    set(&job, "db_user", "somebody-else"); /* the job goes before the file */
    assert_null(try_to_connect(fixture, &job, NULL, 0));
    must_say(fixture, DB_CLASS_FATAL, "somebody-else");
    set(&job, "db_defaults_file", "/nonexistent/my.cnf");
    assert_false(fixture->driver->check(&job, &error));
    assert_non_null(strstr(error.text, "/nonexistent/my.cnf"));
}

static void what_a_driver_lacks_is_refused_by_name(void **state)
{
    static const struct {
        const char *driver, *setting, *value, *words;
    } rows[] = {{"pgsql", "db_compression", "on", "--db-compression"},
                {"pgsql", "db_defaults_file", "x", "--db-defaults-file"},
                {"pgsql", "db_tls_cipher", "x", "--db-tls-cipher"},
                {"pgsql", "db_protocol", "pipe", "--db-protocol"},
                {"pgsql", "db_tls_ca", "/nope.pem", "--db-tls-ca: cannot open '/nope.pem'"},
                {"mysql", "db_tls_ca", "/nope.pem", "--db-tls-ca: cannot open '/nope.pem'"},
                {"mysql", "db_tls_key", "/nope.key", "--db-tls-key: cannot open '/nope.key'"},
                {"mysql", "db_protocol", "pipe", "--db-protocol"},
                {"mysql", "db_defaults_file", "not-there", "--db-defaults-file"}};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        struct job job = fixture->job;
        struct error error = ERROR_INIT;
        if (!is(fixture, rows[i].driver))
            continue;
        set(&job, rows[i].setting, rows[i].value);
        assert_false(fixture->driver->check(&job, &error));
        assert_non_null(strstr(error.text, rows[i].words));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, drop_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_wrong_password_is_told),
        TEST(an_unknown_database_is_told),
        TEST(no_server_is_told),
        TEST(an_unknown_host_is_told),
        TEST(a_server_that_says_nothing_is_given_up),
        TEST(too_many_connections_are_told),
        TEST(connections_are_dealt_over_ports_then_hosts),
        TEST(a_socket_goes_before_host_and_port),
        TEST(tls_is_as_asked),
        TEST(the_certificate_is_verified_when_asked),
        TEST(the_name_is_verified_when_asked),
        TEST(tls_that_the_server_lacks_is_told),
        TEST(compression_is_as_asked),
        TEST(all_rows_are_read_whatever_the_way),
        TEST(an_option_file_says_who_and_where),
        TEST(what_a_driver_lacks_is_refused_by_name),
    };
    if (!getenv("ISO_TEST_DB")) {
        print_message("SKIP: tests/db/servers.sh starts the servers that this needs\n");
        return 77;
    }
    if (!getenv("ISO_TEST_CA"))
        cmocka_set_test_filter("tls_that_the_server_lacks*");
    return cmocka_run_group_tests_name("db_ways", tests, NULL, NULL);
}
