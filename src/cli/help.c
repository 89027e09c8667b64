#include "cli/help.h"

#include "core/dialect.h"
#include "core/settings.h"

#include <string.h>

static const struct {
    const char *name, *title;
} groups[] = {{"work", "Work: what is loaded"},
              {"target", "Target: the files"},
              {"access", "Access: what is read and written where"},
              {"path", "Path to the device"},
              {"database", "Database: which one, and the way to it"},
              {"workload", "Workload: the tables, and what a transaction does"},
              {"replication", "Replication: the source's replicas while it works"},
              {"random", "Random numbers"},
              {"load", "Load"},
              {"stop", "Stop: when the run ends"},
              {"reading", "Reading: what is shown"},
              {"verify", "Verification"}};

void help_overview(FILE *out)
{
    fputs("isobench " ISOBENCH_VERSION ": the same storage and database benchmarks on Linux and on Windows\n\n"
          "usage: isobench fileio prepare|run|check|cleanup [--setting=value …]\n"
          "       isobench oltp [WORKLOAD] prepare|warmup|run|cleanup [--setting=value …]\n"
          "       isobench query --sql=… --params=… --connections=1,10,100   the user's own statements\n"
          "       isobench TOOL …        a tool's own command line and layout; also when the program is called TOOL\n"
          "       isobench reconcile FILE …           what tools printed, held against each other\n"
          "       isobench attribute --from=A --to=B  which setting makes the difference\n"
          "       isobench run PLAN --out=DIR         every job of a plan, into a folder of results\n"
          "       isobench compare DIR…              sets of results side by side\n"
          "       isobench report DIR… -o FILE.html   the same as a page to look at\n"
          "       isobench merge RESULT.json …        several hosts' results as one\n"
          "       isobench verify --source DSN --replica DSN   are a server's tables and its replicas' the same\n"
          "       isobench load --db-driver=NAME      the ways to load a table: how fast, and is every row there\n"
          "       isobench top [--interval=SECONDS] [--count=N]   what the whole machine does, live\n"
          "       isobench hdr export|import FILE …   latencies to and from HdrHistogram's logs\n"
          "       isobench completion bash|zsh|powershell   completion of these words in a shell\n"
          "       isobench man            all of this as a manual page\n"
          "       isobench help COMMAND   its options; of fileio and oltp every setting, with its default\n"
          "       isobench version        which one this is\n\ntools:\n",
          out);
    for (size_t i = 0; dialects[i]; ++i)
        fprintf(out, "  %-10s %s\n", dialects[i]->name, dialects[i]->summary);
}

/* "N", "SIZE" or "a|b|c": what stands behind the equals sign. */
static void print_form(FILE *out, const struct setting *setting)
{
    static const char *const forms[] = {"on|off", "N", "SIZE", "SECONDS", "NUMBER", "", "TEXT", "N,N,…"};
    if (!setting->choices) {
        fputs(setting->form ? setting->form : forms[setting->type], out);
        return;
    }
    for (size_t i = 0; setting->choices[i] && setting->choices[i][0]; ++i)
        fprintf(out, "%s%s", i ? "|" : "", setting->choices[i]);
}

/* Words wrapped to the width of a terminal. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = 0;
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " ");
        if (column == 0 || column + 1 + length > 90)
            column = (size_t)fprintf(out, "%s      ", column ? "\n" : "") - (column ? 1 : 0);
        else
            column += (size_t)fprintf(out, " ");
        column += fwrite(word, 1, length, out);
        word += length;
        word += strspn(word, " ");
    }
    fputc('\n', out);
}

static void print_setting(FILE *out, const struct setting *setting)
{
    char option[NAME_MAX_BYTES];
    setting_option_name(setting, option, sizeof(option));
    fprintf(out, "  %s=", option);
    print_form(out, setting);
    fprintf(out, "  [%s]\n", setting->fallback);
    print_wrapped(out, setting->help);
}

static const struct command_help {
    const char *intro, *outro;
} command_helps[] = {
    [WORK_FILES] = {"usage: isobench fileio prepare|run|check|cleanup [options]\n\n"
                    "prepare makes the files, run loads them, cleanup removes those that prepare made. check holds "
                    "files that were\n"
                    "prepared with --verify against what was acknowledged as durable, after a crash too.\n",
                    "  --overwrite-target=PATH\n      Lets a write mode write to this path of --target; its data is "
                    "lost.\n"
                    "  --extend-targets=SIZE\n      Makes targets that are not there, or too short, longer before the "
                    "run, as SQLIO does: nothing is\n      written into them. They get this size where --total-size "
                    "says none.\n"},
    [WORK_DATABASE] = {"usage: isobench oltp [WORKLOAD] prepare|warmup|run|cleanup [options]\n\n"
                       "prepare makes and fills the tables, warmup reads them once, run loads them, cleanup drops "
                       "them.\n"
                       "WORKLOAD is the same as --workload=WORKLOAD.\n",
                       "  --password-env=NAME\n      Takes the password from that variable of the environment. Without "
                       "any of these three,\n      MYSQL_PWD or PGPASSWORD is.\n"
                       "  --password-file=FILE\n      Takes it from the file's first line.\n"
                       "  --ask-password\n      Asks for it at the terminal.\n"}};

void help_command(FILE *out, enum work work)
{
    fprintf(out, "%sSizes take K, M, G and T (1024), times are seconds or take ms, us, m and h. Defaults are in [].\n",
            command_helps[work].intro);
    for (size_t group = 1; group < COUNT_OF(groups); ++group) { /* the first says which command it is */
        bool titled = false;
        for (size_t i = 0; i < settings_count; ++i) {
            if (strcmp(settings[i].group, groups[group].name) != 0 || !setting_concerns(&settings[i], work))
                continue;
            if (!titled)
                fprintf(out, "\n%s\n", groups[group].title);
            titled = true;
            print_setting(out, &settings[i]);
        }
    }
    fprintf(out,
            "\nBeside the settings\n"
            "  --json=FILE\n      Writes the result as JSON (docs/result.md); - prints JSON alone on stdout.\n"
            "  --openmetrics=FILE|PORT|ADDRESS:PORT\n      Shows the run's figures while it goes, as Prometheus reads "
            "them: "
            "in a file, or at\n      http://127.0.0.1:PORT/metrics (docs/sampling.md).\n"
            "%s"
            "  --as TOOL\n      Prints the same load as a command line of sysbench, sqlio, … with a note for what it "
            "cannot say.\n"
            "  --show-job\n      Prints the job as JSON and runs nothing.\n"
            "  --help\n      Prints this.\n\n"
            "exit status: 0 done, 1 the run or the system failed, 2 wrong command line, 3 forced shutdown,\n"
            "130 Ctrl-C (what was measured is printed, marked partial)\n",
            command_helps[work].outro);
}

/* A '|' ends a table's cell even within backquotes, so choices are listed with commas. */
static void print_markdown_values(FILE *out, const struct setting *setting)
{
    static const char *const types[] = {
        "on, off", "whole number", "bytes, with K M G T", "seconds, or with ms us m h", "number",
        "",        "text",         "numbers with commas"};
    if (!setting->choices) {
        fputs(setting->form ? "path" : types[setting->type], out);
        return;
    }
    for (size_t i = 0; setting->choices[i] && setting->choices[i][0]; ++i)
        fprintf(out, "%s`%s`", i ? ", " : "", setting->choices[i]);
}

void help_settings_markdown(FILE *out)
{
    fputs("# Settings of a job\n\n"
          "Made by `isobench help settings` from the table in `src/core/settings.c`. Each is an option of\n"
          "`isobench fileio` or `isobench oltp` (`total_size` is `--total-size`) and a key under `job` in a result's "
          "JSON.\n",
          out);
    for (size_t group = 0; group < COUNT_OF(groups); ++group) {
        fprintf(out, "\n## %s\n\n| setting | values | default | meaning |\n| --- | --- | --- | --- |\n",
                groups[group].title);
        for (size_t i = 0; i < settings_count; ++i) {
            const struct setting *setting = &settings[i];
            if (strcmp(setting->group, groups[group].name) != 0)
                continue;
            fprintf(out, "| `%s` | ", setting->name);
            print_markdown_values(out, setting);
            fprintf(out, " | %s%s%s | %s |\n", setting->fallback[0] ? "`" : "", setting->fallback,
                    setting->fallback[0] ? "`" : "", setting->help);
        }
    }
}
