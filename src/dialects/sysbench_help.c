/* sysbench_help.c: what is printed instead of a run. Names, forms and defaults come from the table of options. */
#include "dialects/sysbench.h"

#include <string.h>

static const char *const versions[SYSBENCH_VERSIONS] = {"0.4.12", "1.0.20", "1.1.0"};

void sysbench_print_banner(FILE *out, enum sysbench_version version)
{
    if (version == SYSBENCH_04)
        fprintf(out, "sysbench %s:  multi-threaded system evaluation benchmark (isobench %s)\n\n", versions[version],
                ISOBENCH_VERSION);
    else
        fprintf(out, "sysbench %s (isobench %s)\n\n", versions[version], ISOBENCH_VERSION);
}

void sysbench_print_version(FILE *out, enum sysbench_version version)
{
    fprintf(out, "sysbench %s (isobench %s)\n", versions[version], ISOBENCH_VERSION);
}

/* The options of one group as a table: names padded to the widest, then the description and [default]. */
static void print_group(FILE *out, enum option_group group, enum sysbench_version version, const char *workload)
{
    static const char *const forms[] = {"[=on|off]", "=N", "=SIZE", "=STRING", "=[LIST,...]", "=FILENAME"};
    size_t widest = 0;
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        size_t width = strlen(option->name) + strlen(forms[option->form]);
        if (option->group == group && width > widest)
            widest = width;
    }
    for (size_t i = 0; i < sysbench_options_count; ++i) {
        const struct sysbench_option *option = &sysbench_options[i];
        const char *fallback = sysbench_fallback(option, version);
        if (option->group != group || (workload && !sysbench_workload_has(workload, option)))
            continue;
        int rest = (int)(widest - strlen(option->name)) + 1;
        fprintf(out, "  --%s%-*s%s", option->name, rest, forms[option->form], option->help);
        if (fallback)
            fprintf(out, " [%s]", fallback);
        fputc('\n', out);
    }
}

static void print_table(FILE *out, const char *heading, enum option_group group, enum sysbench_version version)
{
    fprintf(out, "\n%s\n", heading);
    print_group(out, group, version, NULL);
}

void sysbench_print_usage(FILE *out, enum sysbench_version version)
{
    fputs("Usage:\n"
          "  sysbench [options]... [testname] [command]\n"
          "\n"
          "Commands: prepare (make the test files), run, cleanup (remove them), help (options of the test)\n",
          out);
    print_table(out, "General options:", GROUP_GENERAL, version);
    print_table(out, "Pseudo-Random Numbers Generator options:", GROUP_RANDOM, version);
    print_table(out, "Log options:", GROUP_LOG, version);
    print_table(out, "isobench's own options:", GROUP_OWN, version);
    fputs("\n"
          "Options of databases (--db-*, --mysql-*, --pgsql-*) are taken by every test and have no effect on fileio.\n"
          "\n"
          "Compiled-in tests:\n"
          "  fileio - File I/O test\n"
          "  oltp_read_write, oltp_read_only, oltp_write_only, oltp_point_select, oltp_insert, oltp_delete,\n"
          "  oltp_update_index, oltp_update_non_index, select_random_points, select_random_ranges, bulk_insert\n"
          "\n"
          "See 'sysbench fileio help' for the options of the test. sysbench 0.4's form works too:\n"
          "  sysbench --test=fileio --num-threads=4 --max-time=60 --file-test-mode=rndrd run\n",
          out);
}

void sysbench_print_fileio_help(FILE *out, enum sysbench_version version)
{
    sysbench_print_banner(out, version);
    fputs("fileio options:\n", out);
    print_group(out, GROUP_FILEIO, version, NULL);
    print_table(out, "isobench's own options:", GROUP_OWN, version);
    fputs("\n"
          "What is written is random data, not the zeros of sysbench: zeros flatter storage that compresses.\n"
          "\n",
          out);
}

void sysbench_print_oltp_help(FILE *out, const char *test, enum sysbench_version version)
{
    sysbench_print_banner(out, version);
    fprintf(out, "%s options:\n", test);
    print_group(out, GROUP_OLTP, version, sysbench_workload(test));
    if (version == SYSBENCH_04)
        print_table(out, "0.4's names:", GROUP_OLTP_04, version);
    print_table(out, "The way to the database:", GROUP_DATABASE, version);
    print_table(out, "isobench's own options:", GROUP_OWN, version);
    fputs("\n--db-driver=sqlite needs no server: --sqlite-db names its file.\n\n", out);
}
