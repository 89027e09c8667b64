#include "core/settings.h"
#include "dialects/sysbench.h"
#include "tests/dialects/sysbench_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct expected {
    const char *line, *setting, *value;
};

static const struct expected rows[] = {
    {"oltp_read_write run", "workload", "oltp_read_write"},
    {"/usr/share/sysbench/oltp_read_only.lua run", "workload", "oltp_read_only"},
    {"bulk_insert run", "workload", "bulk_insert"},
    {"oltp_insert run", "db_statements", "text"},
    {"oltp_delete run", "db_statements", "prepared"},
    {"oltp_read_write run", "work", "database"},
    {"oltp_read_write run", "db_driver", "mysql"},
    {"oltp_read_write run", "distribution", "special"},
    {"oltp_read_write run", "db_statements", "prepared"},
    {"oltp_read_write run", "db_tls", "off"},
    {"oltp_read_write run", "table_size", "10000"},
    {"oltp_read_write run", "time", "10"},
    {"oltp_read_write --rate=100 run", "arrival", "poisson"},
    {"oltp_read_write --table-size=500 run", "table_size", "500"},
    {"oltp_read_write --table_size=500 run", "table_size", "500"},
    {"oltp_read_write --tables=16 run", "tables", "16"},
    {"oltp_read_write --range-size=7 run", "range_size", "7"},
    {"oltp_read_write --range_selects=off run", "range_selects", "off"},
    {"oltp_read_write --point-selects=1 run", "point_selects", "1"},
    {"oltp_read_write --simple-ranges=0 run", "simple_ranges", "0"},
    {"oltp_read_write --sum-ranges=2 run", "sum_ranges", "2"},
    {"oltp_read_write --order-ranges=3 run", "order_ranges", "3"},
    {"oltp_read_write --distinct-ranges=4 run", "distinct_ranges", "4"},
    {"oltp_read_write --index-updates=5 run", "index_updates", "5"},
    {"oltp_read_write --non-index-updates=6 run", "non_index_updates", "6"},
    {"oltp_read_write --delete-inserts=7 run", "delete_inserts", "7"},
    {"oltp_read_write --auto-inc=off run", "auto_inc", "off"},
    {"oltp_read_write --skip-trx=on run", "skip_trx", "on"},
    {"oltp_read_write --skip-trx run", "skip_trx", "on"},
    {"oltp_read_write --secondary=on run", "secondary", "on"},
    {"oltp_read_write --create-secondary=off run", "create_secondary", "off"},
    {"oltp_read_write --mysql-storage-engine=myisam run", "table_engine", "myisam"},
    {"oltp_read_write --create-table-options=x run", "table_options", "x"},
    {"oltp_read_write --reconnect=10 run", "reconnect_every", "10"},
    {"select_random_points --random-points=3 run", "random_points", "3"},
    {"select_random_ranges --number-of-ranges=4 run", "number_of_ranges", "4"},
    {"select_random_ranges --delta=9 run", "delta", "9"},
    {"oltp_read_write --db-driver=pgsql run", "db_driver", "pgsql"},
    {"oltp_read_write --db-driver=pgsql --pgsql-host=h run", "db_host", "h"},
    {"oltp_read_write --db-driver=pgsql --pgsql-port=5433 run", "db_port", "5433"},
    {"oltp_read_write --db-driver=pgsql --pgsql-user=u run", "db_user", "u"},
    {"oltp_read_write --db-driver=pgsql --pgsql-db=d run", "db_name", "d"},
    {"oltp_read_write --db-driver=pgsql --pgsql-sslmode=require run", "db_tls", "required"},
    {"oltp_read_write --db-driver=pgsql run", "db_tls", "preferred"},
    {"oltp_read_write --db-driver=pgsql --mysql-host=h run", "db_host", "localhost"},
    {"oltp_read_write --db-driver=sqlite --sqlite-db=a.db run", "db_file", "a.db"},
    {"oltp_read_write --mysql-host=a,b run", "db_host", "a,b"},
    {"oltp_read_write --mysql-port=3307,3308 run", "db_port", "3307,3308"},
    {"oltp_read_write --mysql-socket=/s run", "db_socket", "/s"},
    {"oltp_read_write --mysql-user=u run", "db_user", "u"},
    {"oltp_read_write --mysql-db=d run", "db_name", "d"},
    {"oltp_read_write --mysql-ssl=on run", "db_tls", "required"},
    {"oltp_read_write --mysql-ssl=VERIFY_CA run", "db_tls", "verify-ca"},
    {"oltp_read_write --mysql-ssl-ca=c run", "db_tls_ca", "c"},
    {"oltp_read_write --mysql-compression=on run", "db_compression", "on"},
    {"oltp_read_write --mysql-ignore-errors=all run", "retry_errors", "all"},
    {"oltp_read_write --mysql-ignore-errors=1213,1020,1205 run", "retry_errors", "auto"},
    {"oltp_read_write --mysql-ignore-errors=1062,2013 run", "reconnect_on_loss", "86400"},
    {"oltp_read_write --mysql-ignore-errors=12013 run", "reconnect_on_loss", "0"},
    {"oltp_read_write --db-ps-mode=disable run", "db_statements", "text"},
    {"oltp_read_write --rand-type=uniform run", "distribution", "uniform"},
    {"oltp_read_write --rand-type=zipfian --rand-zipfian-exp=1.1 run", "zipfian_exponent", "1.1"},
    {"--test=oltp run", "table_form", "0.4"},
    {"--test=oltp run", "workload", "oltp_read_write"},
    {"--test=oltp run", "events", "10000"},
    {"--test=oltp --oltp-test-mode=simple run", "workload", "oltp_point_select"},
    {"--test=oltp --oltp-read-only run", "workload", "oltp_read_only"},
    {"--test=oltp --oltp-test-mode=nontrx --oltp-nontrx-mode=update_nokey run", "workload", "oltp_update_non_index"},
    {"--test=oltp --oltp-test-mode=nontrx --oltp-nontrx-mode=insert run", "workload", "oltp_insert"},
    {"--test=oltp --oltp-table-size=77 run", "table_size", "77"},
    {"--test=oltp --oltp-table-name=t run", "table_name", "t"},
    {"--test=oltp --oltp-skip-trx=on run", "skip_trx", "on"},
    {"--test=oltp --oltp-dist-type=uniform run", "distribution", "uniform"},
    {"--test=oltp --oltp-reconnect-mode=transaction --oltp-connect-delay=0 run", "reconnect_every", "1"},
    {"--test=oltp --mysql-table-engine=memory run", "table_engine", "memory"},
    {"--test=oltp --mysql-table-type=memory run", "table_engine", "memory"},
    {"--test=oltp --mysql-engine-trx=yes run", "workload", "oltp_read_write"},
    {"--test=/x/oltp.lua --oltp-tables-count=8 run", "table_form", "1.0"},
    {"--test=/x/oltp.lua --oltp-tables-count=8 run", "tables", "8"},
    {"--test=/x/oltp.lua run", "table_form", "1.0"},
    {"--test=/x/oltp.lua run", "workload", "oltp_read_write"},
    {"--test=/x/oltp.lua run", "events", "10000"},
    {"--test=/x/oltp.lua --oltp-read-only=on run", "workload", "oltp_read_only"},
    {"--test=/x/oltp.lua --oltp-write-only=on run", "workload", "oltp_write_only"},
    {"--test=/x/oltp.lua --oltp-delete-inserts=3 run", "delete_inserts", "3"},
    {"--test=/x/oltp.lua --oltp-range-selects=off run", "range_selects", "off"},
    {"--test=/x/oltp.lua --oltp-create-secondary=off run", "create_secondary", "off"},
    {"--test=/x/oltp.lua --mysql-table-options=x run", "table_options", "x"},
    {"--test=/x/oltp_read_only.lua run", "workload", "oltp_read_only"},
    {"--test=/x/select_random_points.lua run", "workload", "select_random_points"},
    {"--test=oltp --oltp-tables-count=8 run", "table_form", "1.0"},
    {"/x/oltp.lua --oltp-tables-count=8 --oltp-read-only=on run", "workload", "oltp_read_only"},
    {"oltp_read_write --sysbench-version=1.1 run", "distribution", "uniform"},
    {"oltp_read_write --sysbench-version=1.1 --rand-type=special run", "distribution", "special"},
    {"--test=oltp --num-threads=8 run", "threads", "8"},
};

static void each_option_reaches_its_setting(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture *fixture = fixture_make(rows[i].line);
        char value[TEXT_MAX];
        if (!fixture->good)
            fail_msg("%s: %s", rows[i].line, fixture->error.text);
        job_get(&fixture->invocation->job, setting_find(rows[i].setting), value, sizeof value);
        if (strcmp(value, rows[i].value) != 0)
            fail_msg("%s: %s is %s, not %s", rows[i].line, rows[i].setting, value, rows[i].value);
        fixture_free(fixture);
    }
}

static void commands_are_actions(void **state)
{
    static const struct {
        const char *line;
        enum action action;
    } words[] = {{"oltp_insert prepare", ACTION_PREPARE}, {"oltp_insert prewarm", ACTION_WARMUP},
                 {"oltp_insert warmup", ACTION_WARMUP},   {"oltp_insert run", ACTION_RUN},
                 {"oltp_insert cleanup", ACTION_CLEANUP}, {"oltp_insert help", ACTION_PRINTED}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        struct fixture *fixture = fixture_make(words[i].line);
        assert_true(fixture->good);
        assert_int_equal(fixture->invocation->action, words[i].action);
        fixture_free(fixture);
    }
}

static void a_password_is_kept_apart(void **state)
{
    struct fixture *fixture = fixture_make("oltp_insert --mysql-password=secret run");
    (void)state;
    assert_true(fixture->good);
    assert_string_equal(fixture->invocation->password, "secret");
    for (size_t i = 0; i < settings_count; i++) {
        char value[TEXT_MAX];
        job_get(&fixture->invocation->job, &settings[i], value, sizeof value);
        assert_null(strstr(value, "secret"));
    }
    fixture_free(fixture);
}

static void what_is_wrong_is_named(void **state)
{
    static const char *const wrong[][2] = {
        {"oltp_insert", "needs a command"},
        {"oltp_insert go", "unknown command 'go'"},
        {"fileio prewarm", "unknown command 'prewarm'"},
        {"oltp_insert --tables=0 run", "--tables=0"},
        {"oltp_insert --table-size=-1 run", "--table-size=-1"},
        {"oltp_insert --file-num=2 run", "--file-num"},
        {"fileio --tables=2 --file-test-mode=rndrd run", "--tables"},
        {"oltp_insert --db-driver=oracle run", "--db-driver=oracle"},
        {"oltp_insert --db-ps-mode=on run", "--db-ps-mode=on"},
        {"oltp_insert --mysql-ssl=maybe run", "--mysql-ssl=maybe"},
        {"oltp_insert --mysql-dry-run=on run", "--mysql-dry-run"},
        {"oltp_insert --debug=on run", "--debug"},
        {"oltp_insert --pgsql-variant=redshift run", "--pgsql-variant=redshift"},
        {"oltp_insert --rand-type=odd run", "--rand-type=odd"},
        {"--test=oltp --oltp-test-mode=sp run", "--oltp-test-mode=sp"},
        {"--test=oltp --oltp-nontrx-mode=x --oltp-test-mode=nontrx run", "--oltp-nontrx-mode=x"},
        {"--test=oltp --oltp-user-delay-min=5 run", "--oltp-user-delay-min=5"},
        {"--test=oltp --oltp-reconnect-mode=random run", "--oltp-reconnect-mode=random"},
        {"--test=oltp --myisam-max-rows=5 run", "--myisam-max-rows"},
        {"--test=oltp --mysql-engine-trx=no run", "--mysql-engine-trx=no"},
        {"--test=oltp --oltp-reconnect-mode=transaction run", "--oltp-connect-delay=0"},
        {"--test=oltp --oltp-point-select-mysql-handler run", "--oltp-point-select-mysql-handler"},
        {"--test=oltp --oltp-sp-name=x run", "--oltp-sp-name=x"},
        {"oltp_insert --oltp-test-mode=simple run", "--oltp-test-mode is an option of sysbench 0.4"},
        {"--test=/x/oltp.lua --oltp-test-mode=simple run", "--oltp-test-mode is an option of sysbench 0.4"},
        {"--test=oltp --oltp-tables-count=2 --oltp-table-name=t run", "--oltp-table-name is an option of sysbench 0.4"},
        {"--test=/x/oltp.lua --oltp-read-only=on --oltp-write-only=on run", "one of them"},
        {"--test=/x/bulk_insert.lua --oltp-read-only=on run", "--oltp-read-only is an option of the script oltp.lua"},
        {"--test=/x/select.lua run", "/x/select.lua"},
        {"oltp_insert --mysql-port=abc run", "--mysql-port=abc: a number from 1 to 65535"},
        {"oltp_insert --mysql-port=3306,99999999 run", "--mysql-port=3306,99999999: a number"},
        {"oltp_insert --mysql-ignore-errors=1213,abc run", "--mysql-ignore-errors=1213,abc: auto"},
        {"oltp_insert --db-driver=pgsql --pgsql-port=0 run", "--pgsql-port=0: a number"},
        {"oltp_insert --mysql-storage-engine=a-b run", "--mysql-storage-engine=a-b: the name"},
        {"oltp_insert --delta=4 run", "--delta: the test oltp_insert has no such option"},
        {"select_random_points --number-of-ranges=4 run", "--number-of-ranges: the test select_random_points"},
        {"bulk_insert --tables=2 run", "--tables: the test bulk_insert has no such option"},
        {"bulk_insert --oltp-table-size=2 run", "--oltp-table-size: the test bulk_insert has no such option"},
        {"bulk_insert prewarm", "unknown command 'prewarm'"},
        {"oltp_insert --validate run", "--validate"},
        {"oltp_insert --file-dir=x run", "--file-dir"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct fixture *fixture = fixture_make(wrong[i][0]);
        if (fixture->good || !strstr(fixture->error.text, wrong[i][1]))
            fail_msg("%s: \"%s\" does not say \"%s\"", wrong[i][0], fixture->error.text, wrong[i][1]);
        fixture_free(fixture);
    }
}

/* ---- back ---- */

static void a_job_says_itself_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strncmp(rows[i].line, "--test", 6) == 0)
            continue; /* 1.0's words have no table of 0.4 */
        struct fixture *fixture = fixture_make(rows[i].line);
        struct command *command = calloc(1, sizeof *command);
        struct invocation *again = calloc(1, sizeof *again);
        struct error error = ERROR_INIT;
        assert_true(dialect_sysbench.write(fixture->invocation, &fixture->invocation->job, command, &error));
        if (!dialect_sysbench.parse(command->argc, command->argv, NULL, again, &error))
            fail_msg("%s: %s", rows[i].line, error.text);
        for (size_t k = 0; k < settings_count; k++)
            if (!setting_equal(&fixture->invocation->job, &again->job, &settings[k]) &&
                strcmp(settings[k].name, "reconnect_on_loss") != 0)
                fail_msg("%s: %s differs", rows[i].line, settings[k].name);
        invocation_free(again);
        free(again);
        free(command);
        fixture_free(fixture);
    }
}

/* As sysbench 1.0.20 takes it: on or off. */
static void tls_is_told_in_words_of_1_0(void **state)
{
    static const char *const modes[][2] = {{"off", NULL}, {"preferred", NULL}, {"required", "--mysql-ssl=on"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        struct fixture *fixture = fixture_make("oltp_insert run");
        struct command *command = calloc(1, sizeof *command);
        struct error error = ERROR_INIT;
        const char *found = NULL;
        job_set(&fixture->invocation->job, setting_find("db_tls"), "", modes[i][0], &error);
        assert_true(dialect_sysbench.write(fixture->invocation, &fixture->invocation->job, command, &error));
        for (int k = 0; k < command->argc; k++)
            found = strncmp(command->argv[k], "--mysql-ssl", 11) == 0 ? command->argv[k] : found;
        assert_true(modes[i][1] ? found && strcmp(found, modes[i][1]) == 0 : !found);
        free(command);
        fixture_free(fixture);
    }
}

static void errors_name_the_options_of_sysbench(void **state)
{
    static const char *const rows_of[][3] = {
        {"oltp_insert run", "look at --db-user and the password (--password-env, --password-file, --ask-password)",
         "look at --mysql-user and the password (--mysql-password)"},
        {"oltp_insert run", "--db-tls-ca=/x", "--mysql-ssl-ca=/x"},
        {"oltp_insert --db-driver=pgsql run", "another --db-name", "another --pgsql-db"},
        {"fileio --file-test-mode=rndrd run", "--db-name", "--db-name"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows_of); i++) {
        struct fixture *fixture = fixture_make(rows_of[i][0]);
        struct error error = ERROR_INIT;
        error_set(&error, ERR_SYSTEM, "%s", rows_of[i][1]);
        fixture->invocation->reword(&fixture->invocation->job, &error);
        assert_string_equal(error.text, rows_of[i][2]);
        fixture_free(fixture);
    }
}

/* ---- layouts ---- */

static struct result *make_result(const struct job *job)
{
    static const struct {
        enum op_class op;
        uint64_t count;
    } counts[] = {
        {CLASS_TRANSACTION, 1522}, {CLASS_READ_QUERY, 21308}, {CLASS_WRITE_QUERY, 6088}, {CLASS_OTHER_QUERY, 3044}};
    struct result *result = result_make(job);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (uint64_t n = 0; n < counts[i].count; n++)
            histogram_record(&result->total.of[counts[i].op].latency, 4000000);
    result->total.of[CLASS_TRANSACTION].errors = 3;
    result->total.events = 1522;
    result->elapsed_ns = result->load_ns = 3000000000;
    result->threads[0].events = 1522;
    result->measured = true;
    return result;
}

static void layout_is(const char *line, const char *const *lines)
{
    struct fixture *fixture = fixture_make(line);
    if (!fixture->good)
        fail_msg("%s", fixture->error.text);
    struct result *result = make_result(&fixture->invocation->job);
    fixture->invocation->listener.run_done(fixture->invocation->listener.context, result);
    const char *text = fixture_text(fixture);
    for (; *lines; lines++) {
        const char *at = strstr(text, *lines);
        if (!at)
            fail_msg("%s: not there, or not in its place: %s\n%s", line, *lines, fixture->text);
        text = at + strlen(*lines);
    }
    result_free(result);
    fixture_free(fixture);
}

static void the_report_of_1_0(void **state)
{
    static const char *const lines[] = {"SQL statistics:\n    queries performed:\n",
                                        "        read:                            21308\n",
                                        "        write:                           6088\n",
                                        "        other:                           3044\n",
                                        "        total:                           30440\n",
                                        "    transactions:                        1522   (507.33 per sec.)\n",
                                        "    queries:                             30440  (10146.67 per sec.)\n",
                                        "    ignored errors:                      3      (1.00 per sec.)\n",
                                        "    reconnects:                          0      (0.00 per sec.)\n",
                                        "\nGeneral statistics:\n",
                                        "    total time:                          3.0000s\n",
                                        "    total number of events:              1522\n",
                                        "Latency (ms):\n",
                                        "Threads fairness:\n",
                                        NULL};
    (void)state;
    layout_is("oltp_read_write run", lines);
}

static void the_report_of_0_4(void **state)
{
    static const char *const lines[] = {"OLTP test statistics:\n    queries performed:\n",
                                        "        total:                           30440\n",
                                        "    transactions:                        1522   (507.33 per sec.)\n",
                                        "    deadlocks:                           3      (1.00 per sec.)\n",
                                        "    read/write requests:                 27396  (9132.00 per sec.)\n",
                                        "    other operations:                    3044   (1014.67 per sec.)\n",
                                        "\nTest execution summary:\n",
                                        "    total number of events:              1522\n",
                                        "         approx.  95 percentile:",
                                        "Threads fairness:\n",
                                        NULL};
    (void)state;
    layout_is("--test=oltp run", lines);
}

/* ---- tables ---- */

static void tables_are_announced_as_sysbench_does(void **state)
{
    static const struct {
        const char *line, *shown;
        enum table_step step;
    } steps[] = {
        {"oltp_insert --threads=2 prewarm", "Initializing worker threads...\n\nPrewarming table t1\n", TABLE_WARM},
        {"oltp_insert --threads=1 prewarm", ")\n\nPrewarming table t1\n", TABLE_WARM},
        {"oltp_insert --sysbench-version=1.1 prewarm", ")\n\nPreloading table t1\n", TABLE_WARM},
        {"oltp_insert --threads=2 cleanup", ")\n\nDropping table 't1'...\n", TABLE_DROP},
        {"oltp_insert --threads=2 prepare", "threads...\n\nInserting 7 records into 't1'\n", TABLE_FILL},
        {"bulk_insert --threads=2 prepare", ")\n\nCreating table 't1'...\n", TABLE_CREATE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        struct fixture *fixture = fixture_make(steps[i].line);
        assert_true(fixture->good);
        const struct invocation *invocation = fixture->invocation;
        const struct listener *listener = &invocation->listener;
        if (invocation->action == ACTION_PREPARE)
            listener->prepare_started(listener->context, &invocation->job);
        listener->table_step(listener->context, "t1", steps[i].step, 7);
        if (!strstr(fixture_text(fixture), steps[i].shown))
            fail_msg("%s: %s", steps[i].line, fixture->text);
        fixture_free(fixture);
    }
}

static void interval_lines_of_an_open_loop_have_its_queue(void **state)
{
    static const char shown[] = "err/s: 0.00 reconn/s: 0.00\n[ 2s ] queue length: 9, concurrency: 3\n";
    const struct interval interval = {
        .start_ns = UINT64_C(1000000000), .end_ns = UINT64_C(2000000000), .waiting = 9, .running = 3};
    (void)state;
    for (int open = 0; open < 2; open++) {
        struct fixture *fixture =
            fixture_make(open ? "oltp_insert --report-interval=1 --rate=5 run" : "oltp_insert --report-interval=1 run");
        assert_true(fixture->good);
        const struct invocation *invocation = fixture->invocation;
        invocation->listener.run_interval(invocation->listener.context, &invocation->job, &interval);
        assert_int_equal(strstr(fixture_text(fixture), shown) != NULL, open);
        assert_int_equal(strstr(fixture->text, "queue") != NULL, open);
        fixture_free(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_option_reaches_its_setting),
        cmocka_unit_test(commands_are_actions),
        cmocka_unit_test(a_password_is_kept_apart),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_job_says_itself_again),
        cmocka_unit_test(tls_is_told_in_words_of_1_0),
        cmocka_unit_test(errors_name_the_options_of_sysbench),
        cmocka_unit_test(the_report_of_1_0),
        cmocka_unit_test(the_report_of_0_4),
        cmocka_unit_test(tables_are_announced_as_sysbench_does),
        cmocka_unit_test(interval_lines_of_an_open_loop_have_its_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
