#include "cli/top.h"

#include "cli/cli.h"
#include "cli/common.h"
#include "core/host_sample.h"
#include "core/settings.h"
#include "core/units.h"
#include "platform/clock.h"
#include "platform/process.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEAST_NS (100 * NS_PER_MS)
#define LONGEST_NS (86400 * NS_PER_S)

struct top {
    uint64_t interval_ns, count; /* count 0 = for ever */
    bool help, redraws;
    struct clock clock;
    struct watch *watch;
    struct host_probe *probe;
    struct host_counters before, after;
    uint64_t started_ns, before_ns;
};

static void print_help(void)
{
    fputs(
        "usage: isobench top [--interval=SECONDS] [--count=N]\n\n"
        "What the whole machine does, whoever does it: CPUs, memory, network and devices. The figures are those that\n"
        "--sample puts into a result (docs/sampling.md); - is what the system does not tell. On a terminal the table "
        "is\ndrawn anew each time, otherwise its rows follow each other.\n\n"
        "  --interval=SECONDS\n      Between two looks, 0.1 or more. [1]\n"
        "  --count=N\n      Ends after so many; 0 = goes on until Ctrl-C, whose exit status is 130. [0]\n",
        stdout);
}

/* ---- options ---- */

static bool set_interval(struct top *top, const char *value, struct error *error)
{
    if (units_parse_time_ns(value, &top->interval_ns) && top->interval_ns >= LEAST_NS && top->interval_ns <= LONGEST_NS)
        return true;
    return error_set(error, ERR_USAGE, "--interval=%.40s: give a time from 100ms to 24h, such as 1s", value);
}

static bool set_count(struct top *top, const char *value, struct error *error)
{
    return units_parse_count(value, &top->count) ||
           error_set(error, ERR_USAGE, "--count=%.40s: give a whole number; 0 = until Ctrl-C", value);
}

static const struct {
    const char *name;
    bool (*set)(struct top *top, const char *value, struct error *error);
} options[] = {{"--interval", set_interval}, {"--count", set_count}};

/* "--interval=2s" or "--interval 2s". */
static bool parse_word(struct top *top, int argc, char *const *argv, int *at, struct error *error)
{
    const char *word = argv[*at];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return top->help = true;
    for (size_t i = 0; i < COUNT_OF(options); ++i) {
        const char *value = common_value(word, options[i].name);
        bool apart = strcmp(word, options[i].name) == 0;
        if (apart && *at + 1 >= argc)
            return error_set(error, ERR_USAGE, "%s: its value is missing", word);
        if (apart)
            value = argv[++*at];
        if (value)
            return options[i].set(top, value, error);
    }
    return error_set(error, ERR_USAGE, "%.60s: top has no such option; see `isobench top --help`", word);
}

static bool parse(struct top *top, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc; ++i)
        if (!parse_word(top, argc, argv, &i, error))
            return false;
    return true;
}

/* ---- the table ---- */

static void print_cell(const char *words)
{
    printf(" %10s", words);
}

static void print_number(double value)
{
    char words[32] = "-";
    if (host_known(value))
        snprintf(words, sizeof words, value < 99.95 && value > 0 ? "%.1f" : "%.0f", value);
    print_cell(words);
}

static void print_percent(double share)
{
    char words[32] = "-";
    if (host_known(share))
        snprintf(words, sizeof words, "%.1f%%", share * 100);
    print_cell(words);
}

static void print_bytes(double bytes)
{
    char words[32] = "-";
    if (host_known(bytes))
        units_bytes_human(bytes, words, sizeof words);
    for (char *blank = words; (blank = strchr(blank, ' ')) != NULL;) /* columns are words */
        memmove(blank, blank + 1, strlen(blank));
    print_cell(words);
}

static void print_title(const char *what, const char *const *titles)
{
    printf("      s %-7s", what);
    for (; *titles; ++titles)
        print_cell(*titles);
    putchar('\n');
}

static void print_titles(void)
{
    static const char *const cpu[] = {"user",    "system",  "iowait",     "idle", "other",
                                      "threads", "waiting", "switches/s", NULL};
    static const char *const cpus[] = {"busy", "of each", NULL};
    static const char *const memory[] = {"available", "cache", "dirty", NULL};
    static const char *const network[] = {"received/s", "sent/s", NULL};
    static const char *const power[] = {"MHz", "throttles", "battery", NULL};
    static const char *const device[] = {"reads/s", "writes/s", "read/s", "written/s", "queue", "busy", NULL};
    print_title("cpu", cpu);
    print_title("cpus", cpus);
    print_title("memory", memory);
    print_title("network", network);
    print_title("power", power);
    print_title("device", device);
}

static void begin_row(double at_s, const char *what)
{
    printf("%7.1f %-7s", at_s, what);
}

/* Threads: those that run too where the system tells, as Linux does; waiting: what Windows tells in their place. */
static void print_cpu(double at_s, const struct host_sample *sample)
{
    begin_row(at_s, "cpu");
    print_percent(sample->user_share);
    print_percent(sample->system_share);
    print_percent(sample->iowait_share);
    print_percent(sample->idle_share);
    print_percent(sample->other_share);
    print_number(sample->runnable_threads);
    print_number(sample->waiting_threads);
    print_number(sample->context_switches_per_s);
    putchar('\n');
}

static void print_memory(double at_s, const struct host_sample *sample)
{
    begin_row(at_s, "memory");
    print_bytes(sample->memory_available_bytes);
    print_bytes(sample->page_cache_bytes);
    print_bytes(sample->dirty_bytes);
    putchar('\n');
}

static void print_network(double at_s, const struct host_sample *sample)
{
    begin_row(at_s, "network");
    print_bytes(sample->network_received_bytes_per_s);
    print_bytes(sample->network_sent_bytes_per_s);
    putchar('\n');
}

static void print_power(double at_s, const struct host_sample *sample)
{
    begin_row(at_s, "power");
    print_number(sample->cpu_frequency_hz / 1e6);
    print_number(sample->throttled_per_s);
    print_percent(sample->battery_share);
    fputs(sample->on_battery == TRI_YES ? " discharging\n" : "\n", stdout);
}

static void print_cpus(double at_s, const struct host_sample *sample)
{
    begin_row(at_s, "cpus");
    for (size_t i = 0; i < sample->cpus_count; ++i)
        print_percent(sample->cpu_busy_share[i]);
    putchar('\n');
}

static void print_device(double at_s, const struct host_device_sample *device)
{
    begin_row(at_s, "device");
    print_number(device->read_iops);
    print_number(device->write_iops);
    print_bytes(device->read_bytes_per_s);
    print_bytes(device->write_bytes_per_s);
    print_number(device->queue_depth);
    print_percent(device->utilization_share);
    printf("  %s\n", device->name);
}

static void print_sample(const struct top *top, double at_s, const struct host_sample *sample, bool is_first)
{
    if (top->redraws)
        fputs("\033[H\033[J", stdout); /* to the screen's first corner, and clear what follows */
    if (top->redraws || is_first)
        print_titles();
    print_cpu(at_s, sample);
    print_cpus(at_s, sample);
    print_memory(at_s, sample);
    print_network(at_s, sample);
    print_power(at_s, sample);
    for (size_t i = 0; i < sample->devices_count; ++i)
        print_device(at_s, &sample->devices[i]);
    fflush(stdout);
}

/* ---- the loop ---- */

static bool show_next(struct top *top, bool is_first, struct error *error)
{
    struct host_sample sample;
    uint64_t steps_back = 0, after_ns = clock_now_ns(&top->clock);
    host_probe_read(top->probe, &top->after);
    if (!host_sample_between(&top->before, &top->after, clock_elapsed_ns(top->before_ns, after_ns, &steps_back),
                             &sample))
        return error_set(error, ERR_SYSTEM, "not enough memory for the host's figures");
    print_sample(top, (double)clock_elapsed_ns(top->started_ns, after_ns, &steps_back) / (double)NS_PER_S, &sample,
                 is_first);
    host_sample_done(&sample);
    struct host_counters spent = top->before;
    top->before = top->after;
    top->after = spent;
    top->before_ns = after_ns;
    return ferror(stdout) == 0; /* whoever calls commands says it */
}

static int watch_host(struct top *top, struct error *error)
{
    top->started_ns = top->before_ns = clock_now_ns(&top->clock);
    host_probe_read(top->probe, &top->before);
    for (uint64_t shown = 0; top->count == 0 || shown < top->count; ++shown) {
        uint64_t now_ns = clock_now_ns(&top->clock), next_ns = top->before_ns + top->interval_ns;
        if (watch_wait(top->watch, next_ns > now_ns ? next_ns - now_ns : 0) == WATCH_INTERRUPTED)
            return STATUS_INTERRUPTED;
        if (!show_next(top, shown == 0, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

int command_top(int argc, char *const *argv)
{
    struct top top = {.interval_ns = NS_PER_S, .clock = clock_system()};
    struct error error = ERROR_INIT;
    int status = STATUS_USAGE;
    if (parse(&top, argc, argv, &error) && !top.help) {
        status = STATUS_FAILED;
        top.redraws = process_stdout_redraws();
        if (host_probe_open(&top.probe, &error) && watch_make(&top.watch, &error))
            status = watch_host(&top, &error);
    } else if (top.help) {
        print_help();
        status = STATUS_OK;
    }
    common_print_error(&error);
    host_counters_done(&top.before);
    host_counters_done(&top.after);
    host_probe_close(top.probe);
    watch_free(top.watch);
    return status;
}
