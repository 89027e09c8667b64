#include "core/settings.h"
#include "db/dsn.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct db_place *standard(void)
{
    struct db_place *place = calloc(1, sizeof(*place));
    struct error error = ERROR_INIT;
    assert_non_null(place);
    job_init(&place->job);
    strcpy(place->job.db_driver, "mysql");
    strcpy(place->job.db_host, "standard");
    strcpy(place->job.db_port, "1");
    strcpy(place->job.db_user, "user");
    strcpy(place->job.db_name, "");
    assert_true(db_password_keep(&place->password, "secret", 6, &error));
    return place;
}

static void release(struct db_place *place)
{
    db_place_done(place);
    free(place);
}

static void places_are_what_they_say_and_else_the_standard(void **state)
{
    static const struct {
        const char *text, *driver, *host, *port, *socket, *user, *name, *shown;
        enum db_tls tls;
    } rows[] = {
        {"host=a", "mysql", "a", "", "", "user", "", "a", DB_TLS_PREFERRED},
        {"host=a,port=3307,user=u,db=d", "mysql", "a", "3307", "", "u", "d", "a:3307", DB_TLS_PREFERRED},
        {"name=d,tls=required,host=a", "mysql", "a", "", "", "user", "d", "a", DB_TLS_REQUIRED},
        {"socket=/run/s,database=d", "mysql", "localhost", "", "/run/s", "user", "d", "/run/s", DB_TLS_PREFERRED},
        {"mysql://a", "mysql", "a", "", "", "user", "", "a", DB_TLS_PREFERRED},
        {"mysql://u@a:33/d", "mysql", "a", "33", "", "u", "d", "a:33", DB_TLS_PREFERRED},
        {"mysql://u%40x%2Fy@a/d%20e?tls=off", "mysql", "a", "", "", "u@x/y", "d e", "a", DB_TLS_OFF},
        {"mysql://[::1]:33/", "mysql", "::1", "33", "", "user", "", "::1:33", DB_TLS_PREFERRED},
        {"pgsql://a", "pgsql", "a", "", "", "user", "", "a", DB_TLS_PREFERRED},
        {"mysql://u@/d?socket=/run/s", "mysql", "localhost", "", "/run/s", "u", "d", "/run/s", DB_TLS_PREFERRED},
        {"socket=x://y", "mysql", "localhost", "", "x://y", "user", "", "x://y", DB_TLS_PREFERRED},
    };
    struct db_place *base = standard(), *out = calloc(1, sizeof(*out));
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        if (!db_place_parse(out, "--replica", rows[i].text, base, &error))
            fail_msg("%s: %s", rows[i].text, error.text);
        assert_string_equal(out->job.db_driver, rows[i].driver);
        assert_string_equal(out->job.db_host, rows[i].host);
        assert_string_equal(out->job.db_port, rows[i].port);
        assert_string_equal(out->job.db_socket, rows[i].socket);
        assert_string_equal(out->job.db_user, rows[i].user);
        assert_string_equal(out->job.db_name, rows[i].name);
        assert_int_equal(out->job.db_tls, rows[i].tls);
        assert_string_equal(out->name, rows[i].shown);
        assert_string_equal(out->password, "secret");
        db_place_done(out);
    }
    free(out);
    release(base);
}

static void what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *text, *word;
    } rows[] = {
        {"", "say where"},
        {"host", "key=value"},
        {"a,host=b", "key=value"},
        {"=b", "key=value"},
        {"hots=a", "hots"},
        {"host=a,tls=maybe", "tls"},
        {"host=a,password=x", "password-env"},
        {"mysql://u:x@a", "password-env"},
        {"mysql://a?password=x", "password-env"},
        {"host=a,password-env=ISO_NO_SUCH_VARIABLE", "ISO_NO_SUCH_VARIABLE"},
        {"host=a,password-file=no_such_file", "no_such_file"},
        {"mysql://u%4@a", "hexadecimal"},
        {"mysql://u%zz@a", "hexadecimal"},
        {"mysql://u%00@a", "hexadecimal"},
        {"mysql://[::1", "[address]"},
        {"mysql://[::1]3", "[address]"},
        {"oracle://a", "driver"},
    };
    struct db_place *base = standard(), *out = calloc(1, sizeof(*out));
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = ERROR_INIT;
        if (db_place_parse(out, "--replica", rows[i].text, base, &error))
            fail_msg("%s: was taken", rows[i].text);
        if (!strstr(error.text, rows[i].word) || !strstr(error.text, rows[i].word[0] == 'n' ? "" : "--replica"))
            fail_msg("%s: %s", rows[i].text, error.text);
        assert_null(strstr(error.text, "secret"));
        db_place_done(out);
    }
    free(out);
    release(base);
}

static void a_password_comes_from_a_files_first_line(void **state)
{
    struct db_place *base = standard(), *out = calloc(1, sizeof(*out));
    struct error error = ERROR_INIT;
    FILE *file = fopen("password", "wb");
    (void)state;
    assert_non_null(file);
    fputs("other pass\r\nnot this", file);
    fclose(file);
    assert_true(db_place_parse(out, "--replica", "host=a,password-file=password", base, &error));
    assert_string_equal(out->password, "other pass");
    db_place_done(out);
    free(out);
    release(base);
    remove("password");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_what_they_say_and_else_the_standard),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_password_comes_from_a_files_first_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
