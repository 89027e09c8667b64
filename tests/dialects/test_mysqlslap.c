/* mysqlslap: its command line and option files, the jobs and statements they stand for, and its layouts. What the real
 * tool prints beside it: mysqlslap.sh. */
#include "tests/dialects/tool_fixture.h"
#include "tests/scratch.h"

#include "core/script.h"
#include "platform/clock.h"
#include "platform/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the command line ---- */

static void options_become_settings(void **state)
{
    static const struct {
        const char *line, *expected[9];
    } rows[] = {
        {"-a",
         {"workload=script", "work=database", "db_driver=mysql", "threads=1", "events=11", "repeat=1",
          "db_name=mysqlslap", "time=0"}},
        {"-a",
         {"db_statements=text", "db_host=localhost", "db_socket=", "db_user=", "db_tls=preferred", "table_engine="}},
        {"-a -hh -P3307 -uroot -S/s", {"db_host=h", "db_port=3307", "db_user=root", "db_socket=/s"}},
        {"-a --host=h --port 3307 --user=root", {"db_host=h", "db_port=3307", "db_user=root"}},
        {"-a --conc=7 --number-of-q=100", {"threads=7", "events=100"}},
        {"-a -c 100 --number-of-queries=10", {"threads=100", "events=10"}},
        {"-a -c3 --auto-generate-sql-execute-number=5", {"events=15"}},
        {"-a -c3 --auto_generate_sql_unique_query_number=4", {"events=15"}},
        {"-q select -i 7 --detach=3", {"events=1", "repeat=7", "reconnect_every=3"}},
        {"-a --engine=memory:max_rows=10,innodb", {"table_engine=memory"}},
        {"-a --create-schema=x", {"db_name=x"}},
        {"-aC --protocol=TCP", {"db_compression=on", "db_protocol=tcp"}},
        {"-a --skip-ssl", {"db_tls=off"}},
        {"-a --ssl", {"db_tls=required"}},
        {"-a --ssl --ssl-verify-server-cert --ssl-ca=f", {"db_tls=verify-identity", "db_tls_ca=f"}},
        {"-a --ssl-mode=VERIFY_CA", {"db_tls=verify-ca"}},
        {"-a --isobench-seed=5 --concurrency=2 --concurrency=4", {"seed=5", "threads=4"}},
        {"-a --loose-nosuch=1 --disable-no-drop", {"threads=1"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char line[256];
        snprintf(line, sizeof(line), "--no-defaults %s", rows[i].line);
        tool_expect("mysqlslap", line, NULL, rows[i].expected);
    }
}

static void what_is_wrong_is_named(void **state)
{
    static const char *const rows[][2] = {
        {"", "give --auto-generate-sql, or --query"},
        {"-a -c 0", "--concurrency=0 is not valid"},
        {"-a -c 1,x", "--concurrency=1,x is not valid"},
        {"-a -c ,", "--concurrency=, is not valid"},
        {"-a -i 0", "--iterations=0 is not valid: it must be a whole number from 1 to 1000"},
        {"-a -i", "--iterations needs a value"},
        {"-a --number-of-queries=-1", "--number-of-queries=-1 is not valid"},
        {"-a --auto-generate-sql-load-type=quick", "must be mixed, update, write, key or read"},
        {"-a --auto-generate-sql-load-type=key", "needs a key"},
        {"-a --auto-generate-sql-guid-primary --auto-generate-sql-add-autoincrement", "one primary key"},
        {"-a --auto-generate-sql-execute-number=5 --number-of-queries=5", "leave one of them out"},
        {"-a --auto-generate-sql-unique-write-number=0", "from 1 to"},
        {"-a -x 0 -y 0", "at least one column"},
        {"-a -x 3:x", "--number-char-cols=3:x is not valid"},
        {"-a -y 513", "--number-int-cols=513 is not valid"},
        {"-a -q select", "leave out --create and --query"},
        {"-q -- -F", "--delimiter needs a value"},
        {"-q select --delimiter=", "--delimiter: give what stands between"},
        {"-F ; -q ;", "--query=; is not valid"},
        {"-a --commit=3 --detach=4", "what is not committed is lost"},
        {"-a --engine=:x", "--engine=:x is not valid"},
        {"-a --create-schema=", "--create-schema= is not valid"},
        {"-a --isobench-drop-schema=x", "must be the schema of --create-schema"},
        {"-a --protocol=memory", "must be tcp, socket or pipe"},
        {"-a --ssl-mode=on", "must be DISABLED, PREFERRED"},
        {"-a --compression-algorithms=zstd", "must be zlib or uncompressed"},
        {"-a --sql-mode=a'b", "--sql-mode=a'b is not valid"},
        {"-a --csv=/", "--csv=/ is not valid"},
        {"-a --auto-generate-sql-unique=1", "several options begin so"},
        {"-a --nosuch", "mysqlslap has no option --nosuch"},
        {"-a -Z", "mysqlslap has no option -Z"},
        {"-a x", "x is no option of mysqlslap"},
        {"-a --plugin-dir=x", "mysqlslap --plugin-dir is not supported"},
        {"-a -#", "mysqlslap --debug (-#) is not supported"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        char line[256];
        snprintf(line, sizeof(line), "--no-defaults%s%s", rows[i][0][0] ? " " : "", rows[i][0]);
        tool_refuse("mysqlslap", line, NULL, rows[i][1]);
    }
    tool_refuse("mysqlslap", "--defaults-file=/nonexistent/my.cnf -a", NULL, "/nonexistent/my.cnf");
}

static void write_file(char path[PATH_BYTES], const char *name, const char *text)
{
    char folder[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(folder, "mysqlslap");
    assert_true(path_join(path, folder, name, &error));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void option_files_are_read_by_their_groups(void **state)
{
    char path[PATH_BYTES], included[PATH_BYTES], line[PATH_BYTES + 64], text[PATH_BYTES + 512];
    (void)state;
    write_file(included, "slap-included.cnf", "[mysqlslap]\niterations = 4\n");
    snprintf(text, sizeof(text),
             "# comment\nuser=nobody\n[mysqld]\nport=1\n[client]\nport = 2 # two\nuser=\"a # b\"\n"
             "[mysqlslap]\nconcurrency=5\nauto-generate-sql\nloose_nosuch\n!include %s\n"
             "[mysqlslap-night]\r\nconcurrency=6\r\nsocket='/a\\sb'\r\n",
             included);
    write_file(path, "slap.cnf", text);
    snprintf(line, sizeof(line), "--defaults-file=%s", path);
    tool_expect("mysqlslap", line, NULL,
                (const char *const[]){"threads=5", "db_port=2", "db_user=a # b", "repeat=4", "db_socket=", NULL});
    snprintf(line, sizeof(line), "--defaults-file=%s --defaults-group-suffix=-night -c 9", path);
    tool_expect("mysqlslap", line, NULL, (const char *const[]){"threads=9", "db_socket=/a b", NULL});
    write_file(path, "slap.cnf", "[client]\nnosuch=1\n");
    snprintf(line, sizeof(line), "--defaults-file=%s -a", path);
    tool_refuse("mysqlslap", line, NULL, "mysqlslap has no option --nosuch");
    snprintf(text, sizeof(text), "!include %s\n", path);
    write_file(path, "slap.cnf", text);
    tool_refuse("mysqlslap", line, NULL, "include each other");
    remove(path);
    remove(included);
}

/* ---- jobs and scripts ---- */

static struct tool *make(const char *line)
{
    struct tool *tool = tool_make("mysqlslap", line, NULL);
    if (!tool->good)
        fail_msg("%s: %s", line, tool->error.text);
    return tool;
}

static void engines_and_clients_are_jobs_in_turn(void **state)
{
    static const struct {
        const char *engine, *create_end;
        uint64_t threads, events;
    } expected[] = {{"memory", " Engine = memory max_rows=10", 1, 30},
                    {"memory", " Engine = memory max_rows=10", 20, 30},
                    {"innodb", " Engine = innodb", 1, 30},
                    {"innodb", " Engine = innodb", 20, 30}};
    struct tool *tool = make("--no-defaults -a -e memory:max_rows=10,innodb -c 1,20 --number-of-queries=30");
    const struct invocation *invocation = tool->invocation;
    (void)state;
    assert_int_equal(invocation->further_count, 3);
    for (size_t i = 0; i < COUNT_OF(expected); ++i) {
        const struct job *job = i ? &invocation->further[i - 1] : &invocation->job;
        const struct script *script = &invocation->scripts[i];
        const char *create = script->create.items[0].sql;
        assert_string_equal(job->table_engine, expected[i].engine);
        assert_string_equal(create + strlen(create) - strlen(expected[i].create_end), expected[i].create_end);
        assert_int_equal(job->threads, expected[i].threads);
        assert_int_equal(job->events, expected[i].events);
        assert_int_equal(script->total, expected[i].events);
        assert_int_equal(script->load.count, 99);
        assert_int_equal(script->queries.count, 11);
        assert_true(script->makes_schema && script->connects_late && !script->may_replace && !script->keeps_schema);
    }
    tool_free(tool);
}

static void own_statements_are_cut_and_counted_apart(void **state)
{
    char path[PATH_BYTES], line[PATH_BYTES + 128];
    write_file(path, "slap.sql", "select 1;\n-- the second; one\nselect ';';\n");
    snprintf(line, sizeof(line), "--no-defaults --delimiter=; --query=%s --create=create --pre-query=a;b --commit=2",
             path);
    struct tool *tool = make(line);
    const struct script *script = tool->invocation->scripts;
    (void)state;
    assert_int_equal(script->queries.count, 2);
    assert_string_equal(script->queries.items[0].sql, "select 1");
    assert_string_equal(script->queries.items[1].sql, "-- the second; one\nselect ';'");
    assert_int_equal(script->kinds_count, 3);
    assert_string_equal(script->kinds[1], "query 2");
    assert_string_equal(script->kinds[2], "commit");
    assert_int_equal(script->before.count, 2);
    assert_int_equal(script->commit_every, 2);
    assert_true(script->makes_schema);
    tool_free(tool);
    remove(path);
    tool = make("--no-defaults --query=select");
    assert_false(tool->invocation->scripts->makes_schema); /* nothing is made, so nothing is dropped */
    tool_free(tool);
}

static void only_a_schema_that_is_named_for_it_may_be_replaced(void **state)
{
    struct tool *tool = make("--no-defaults -a --create-schema=x --isobench-drop-schema=x --no-drop");
    (void)state;
    assert_true(tool->invocation->scripts->may_replace);
    assert_true(tool->invocation->scripts->keeps_schema);
    tool_free(tool);
}

static void statements_are_the_same_each_time(void **state)
{
    static const char line[] =
        "--no-defaults -a --only-print --auto-generate-sql-write-number=3 --number-of-queries=7 -c 3";
    struct tool *one = make(line), *two = make(line);
    (void)state;
    assert_string_equal(tool_text(one), tool_text(two));
    size_t inserts = 0, selects = 0;
    for (const char *at = one->text; (at = strstr(at, "INSERT INTO t1 VALUES (")) != NULL; ++at)
        ++inserts;
    for (const char *at = one->text; (at = strstr(at, "SELECT intcol1,charcol1 FROM t1;\n")) != NULL; ++at)
        ++selects;
    assert_int_equal(inserts, 2 + 2 + 1 + 1); /* rows; then 3, 2 and 2 statements, the first an INSERT */
    assert_int_equal(selects, 1 + 1 + 1);
    assert_int_equal(one->invocation->action, ACTION_PRINTED);
    tool_free(two);
    tool_free(one);
}

/* ---- layouts ---- */

static void run(struct tool *tool, size_t index, uint64_t elapsed_ms, bool partial)
{
    const struct invocation *invocation = tool->invocation;
    struct result *result = result_make(index ? &invocation->further[index - 1] : &invocation->job);
    assert_non_null(result);
    result->measured = true;
    result->partial = partial;
    result->elapsed_ns = elapsed_ms * NS_PER_MS;
    for (uint64_t i = 1; i <= 100; ++i)
        histogram_record(&result->total.of[CLASS_TRANSACTION].latency, i * NS_PER_MS);
    invocation->listener.run_done(invocation->listener.context, result);
    result_free(result);
}

static void text_is_printed_when_all_iterations_are_over(void **state)
{
    struct tool *tool = make("--no-defaults -a -c 5 -i 3 --number-of-queries=102 -e memory:x=1");
    (void)state;
    run(tool, 0, 16, false);
    run(tool, 0, 12, false);
    assert_string_equal(tool_text(tool), "");
    run(tool, 0, 26, false);
    assert_string_equal(tool_text(tool), "Benchmark\n"
                                         "\tRunning for engine memory\n"
                                         "\tAverage number of seconds to run all queries: 0.018 seconds\n"
                                         "\tMinimum number of seconds to run all queries: 0.012 seconds\n"
                                         "\tMaximum number of seconds to run all queries: 0.026 seconds\n"
                                         "\tNumber of clients running queries: 5\n"
                                         "\tAverage number of queries per client: 20\n"
                                         "\n");
    tool_free(tool);
}

static void a_run_that_was_cut_short_is_in_no_figure(void **state)
{
    struct tool *tool = make("--no-defaults -a -i 2");
    (void)state;
    run(tool, 0, 16, false);
    run(tool, 0, 12, true);
    assert_string_equal(tool_text(tool), "");
    tool_free(tool);
}

static void latencies_are_added_on_request(void **state)
{
    struct tool *tool = make("--no-defaults -a --isobench-latency");
    (void)state;
    run(tool, 0, 16, false);
    assert_non_null(strstr(tool_text(tool), "client: 11\n\tLatency of a query: mean 50.5 ms, p50 "));
    assert_non_null(strstr(tool->text, ", max 100 ms\n\n"));
    tool_free(tool);
}

static void csv_has_seven_columns(void **state)
{
    struct tool *tool =
        make("--no-defaults -a -c 5,10 --csv --number-of-queries=100 --auto-generate-sql-load-type=write -e a,b");
    (void)state;
    for (size_t i = 0; i < 4; ++i)
        run(tool, i, 16 + i, false);
    assert_string_equal(tool_text(tool), "a,write,0.016,0.016,0.016,5,20\n"
                                         "a,write,0.017,0.017,0.017,10,10\n"
                                         "b,write,0.018,0.018,0.018,5,20\n"
                                         "b,write,0.019,0.019,0.019,10,10\n");
    tool_free(tool);
}

static void csv_goes_behind_what_a_file_has(void **state)
{
    char path[PATH_BYTES], line[PATH_BYTES + 128], text[256] = "";
    struct error error = ERROR_INIT;
    (void)state;
    write_file(path, "slap.csv", "before\n");
    snprintf(line, sizeof(line), "--no-defaults -q select --csv=%s", path);
    struct tool *tool = make(line);
    run(tool, 0, 16, false);
    assert_true(tool->invocation->listener.all_done(tool->invocation->listener.context, &error));
    assert_string_equal(tool_text(tool), "");
    tool_free(tool);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    remove(path);
    assert_string_equal(text, "before\n,mixed,0.016,0.016,0.016,1,1\n");
}

static void silence_leaves_out_the_text_alone(void **state)
{
    struct tool *quiet = make("--no-defaults -a -s");
    (void)state;
    run(quiet, 0, 16, false);
    assert_string_equal(tool_text(quiet), "");
    tool_free(quiet);
    struct tool *csv = make("--no-defaults -a -s --csv");
    run(csv, 0, 16, false);
    assert_string_equal(tool_text(csv), ",mixed,0.016,0.016,0.016,1,11\n");
    tool_free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_become_settings),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(option_files_are_read_by_their_groups),
        cmocka_unit_test(engines_and_clients_are_jobs_in_turn),
        cmocka_unit_test(own_statements_are_cut_and_counted_apart),
        cmocka_unit_test(only_a_schema_that_is_named_for_it_may_be_replaced),
        cmocka_unit_test(statements_are_the_same_each_time),
        cmocka_unit_test(text_is_printed_when_all_iterations_are_over),
        cmocka_unit_test(a_run_that_was_cut_short_is_in_no_figure),
        cmocka_unit_test(latencies_are_added_on_request),
        cmocka_unit_test(csv_has_seven_columns),
        cmocka_unit_test(csv_goes_behind_what_a_file_has),
        cmocka_unit_test(silence_leaves_out_the_text_alone),
    };
    return cmocka_run_group_tests_name("mysqlslap", tests, NULL, NULL);
}
