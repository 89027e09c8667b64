/* iozone_options.c: iozone's words. They are those of getopt: letters may share a dash, and a value stands in the same
 * word or in the next. */
#include "dialects/iozone.h"

#include "core/settings.h"
#include "core/units.h"
#include "platform/compiler.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define SIZE_KB_MAX (UINT64_C(1) << 40) /* so that those of all processes stay in 64 bits */
#define STRIDE_MAX 1000000
#define TESTS_END 13

struct reading {
    struct iozone_given *given;
    char letter;
    const char *value;  /* NULL = the option takes none */
    char *const *words; /* what follows the option, for -F */
    int left, used;
    struct error *error;
};

/* ---- helpers ---- */

static bool refuse(const struct reading *reading, const char *right)
{
    return error_set(reading->error, ERR_USAGE, "-%c %.200s is not valid: it must be %s", reading->letter,
                     reading->value, right);
}

static void say(struct reading *reading, const char *format, ...) PRINTF_LIKE(2, 3);

/* A line that iozone prints of an option before it begins. */
static void say(struct reading *reading, const char *format, ...)
{
    char *lines = reading->given->option_lines;
    size_t used = strlen(lines), room = sizeof(reading->given->option_lines) - used;
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(lines + used, room, format, arguments);
    va_end(arguments);
    if (bytes < 0 || (size_t)bytes >= room)
        lines[used] = '\0'; /* options given a hundred times over: their lines alone are missing */
}

static bool take_count(const struct reading *reading, uint64_t low, uint64_t high, uint64_t *out)
{
    char right[96];
    if (units_parse_count(reading->value, out) && *out >= low && *out <= high)
        return true;
    snprintf(right, sizeof(right), "a whole number from %" PRIu64 " to %" PRIu64, low, high);
    return refuse(reading, right);
}

static uint64_t unit_kb(char letter)
{
    switch (letter | 0x20) {
    case 'k':
        return 1;
    case 'm':
        return 1024;
    case 'g':
        return UINT64_C(1024) * 1024;
    default:
        return 0;
    }
}

/* "512", "512k", "1m", "2g": a plain number is kB. */
static bool take_kb(const struct reading *reading, uint64_t most_kb, uint64_t *out)
{
    char digits[32], right[128];
    size_t length = strlen(reading->value);
    uint64_t unit = length ? unit_kb(reading->value[length - 1]) : 0;
    snprintf(digits, sizeof(digits), "%.*s", (int)(length < sizeof(digits) ? length - (unit > 0) : 0), reading->value);
    bool good = units_parse_count(digits, out) && *out > 0;
    unit = unit ? unit : 1;
    if (good && *out <= most_kb / unit) {
        *out *= unit;
        return true;
    }
    snprintf(right, sizeof(right), "a whole number of kB, or with k, m or g behind it, from 1k to %" PRIu64 "m",
             most_kb / 1024);
    return refuse(reading, right);
}

static bool add_kb(const struct reading *reading, struct iozone_sizes *sizes, uint64_t most_kb)
{
    if (sizes->count == IOZONE_LIST_MAX)
        return error_set(reading->error, ERR_USAGE, "-%c is given more than %d times", reading->letter,
                         IOZONE_LIST_MAX);
    return take_kb(reading, most_kb, &sizes->list[sizes->count]) && ++sizes->count;
}

/* ---- options, one by one ---- */

static bool take_auto(struct reading *reading)
{
    say(reading, "\tAuto Mode\n");
    return reading->given->automatic = true;
}

static bool take_all_records(struct reading *reading)
{
    say(reading, "\tCross over of record size disabled.\n");
    return reading->given->all_records = true;
}

static bool take_direct(struct reading *reading)
{
    say(reading, "\tO_DIRECT feature enabled\n");
    return reading->given->direct = true;
}

static bool take_sync(struct reading *reading)
{
    say(reading, "\tSYNC Mode. \n");
    return reading->given->sync = true;
}

static bool take_mapped(struct reading *reading)
{
    say(reading, "\tUsing mmap files\n");
    return reading->given->mapped = true;
}

static bool take_flush(struct reading *reading)
{
    say(reading, "\tInclude fsync in write timing\n");
    return reading->given->with_flush = true;
}

static bool take_close(struct reading *reading)
{
    say(reading, "\tInclude close in write timing\n");
    return reading->given->with_close = true;
}

static bool take_excel(struct reading *reading)
{
    say(reading, "\tExcel chart generation enabled\n");
    return reading->given->excel = true;
}

static bool take_keep(struct reading *reading)
{
    say(reading, "\tSetting no_unlink\n");
    return reading->given->keeps = true;
}

static bool take_no_wall(struct reading *reading)
{
    say(reading, "\tStonewall disabled\n");
    return reading->given->no_wall = true;
}

static bool take_pthreads(struct reading *reading)
{
    return reading->given->pthreads = true;
}

static bool take_size(struct reading *reading)
{
    struct iozone_sizes *files = &reading->given->files;
    if (!add_kb(reading, files, SIZE_KB_MAX))
        return false;
    say(reading, "\tFile size set to %" PRIu64 " kB\n", files->list[files->count - 1]);
    return true;
}

static bool take_record(struct reading *reading)
{
    struct iozone_sizes *records = &reading->given->records;
    if (!add_kb(reading, records, IOZONE_RECORD_KB_MAX))
        return false;
    say(reading, "\tRecord Size %" PRIu64 " kB\n", records->list[records->count - 1]);
    return true;
}

static bool take_least_size(struct reading *reading)
{
    if (!take_kb(reading, SIZE_KB_MAX, &reading->given->files.low))
        return false;
    say(reading, "\tUsing minimum file size of %" PRIu64 " kilobytes.\n", reading->given->files.low);
    return true;
}

static bool take_most_size(struct reading *reading)
{
    if (!take_kb(reading, SIZE_KB_MAX, &reading->given->files.high))
        return false;
    say(reading, "\tUsing maximum file size of %" PRIu64 " kilobytes.\n", reading->given->files.high);
    return true;
}

static bool take_least_record(struct reading *reading)
{
    if (!take_kb(reading, IOZONE_RECORD_KB_MAX, &reading->given->records.low))
        return false;
    say(reading, "\tUsing Minimum Record Size %" PRIu64 " kB\n", reading->given->records.low);
    return true;
}

static bool take_most_record(struct reading *reading)
{
    if (!take_kb(reading, IOZONE_RECORD_KB_MAX, &reading->given->records.high))
        return false;
    say(reading, "\tUsing Maximum Record Size %" PRIu64 " kB\n", reading->given->records.high);
    return true;
}

static bool take_test(struct reading *reading)
{
    static const struct {
        uint64_t test;
        const char *why;
    } missing[] = {{6, "fwrite writes through the C library's buffer, and isobench has no such load; -i 0 writes"},
                   {7, "fread reads through the C library's buffer, and isobench has no such load; -i 1 reads"},
                   {11, "pwritev writes several buffers at once, and isobench has no such load; -i 9 is pwrite"},
                   {12, "preadv reads several buffers at once, and isobench has no such load; -i 10 is pread"}};
    uint64_t test;
    if (!take_count(reading, 0, TESTS_END - 1, &test))
        return false;
    for (size_t i = 0; i < COUNT_OF(missing); ++i)
        if (missing[i].test == test)
            return error_set(reading->error, ERR_UNSUPPORTED, "-i %" PRIu64 " is not supported: %s", test,
                             missing[i].why);
    reading->given->tests |= UINT32_C(1) << test;
    return true;
}

static bool take_processes(struct reading *reading)
{
    return take_count(reading, 1, IOZONE_PROCESSES_MAX, &reading->given->processes);
}

static bool take_stride(struct reading *reading)
{
    return take_count(reading, 1, STRIDE_MAX, &reading->given->stride);
}

static bool take_file(struct reading *reading)
{
    reading->given->file = reading->value;
    return *reading->value ? true : refuse(reading, "the name of a file");
}

static bool take_excel_path(struct reading *reading)
{
    reading->given->excel_path = reading->value;
    return *reading->value ? true : refuse(reading, "the name of a file");
}

/* All words up to the next option. */
static bool take_names(struct reading *reading)
{
    struct iozone_given *given = reading->given;
    given->name_count = 0;
    given->names[given->name_count++] = reading->value;
    while (reading->used < reading->left && reading->words[reading->used][0] != '-') {
        if (given->name_count == IOZONE_PROCESSES_MAX)
            return error_set(reading->error, ERR_USAGE, "-F names more than %d files", IOZONE_PROCESSES_MAX);
        given->names[given->name_count++] = reading->words[reading->used++];
    }
    return true;
}

static const struct {
    char letter;
    bool has_value;
    bool (*take)(struct reading *reading);
} options[] = {
    {'a', false, take_auto},        {'z', false, take_all_records}, {'I', false, take_direct},
    {'o', false, take_sync},        {'B', false, take_mapped},      {'e', false, take_flush},
    {'c', false, take_close},       {'R', false, take_excel},       {'w', false, take_keep},
    {'x', false, take_no_wall},     {'T', false, take_pthreads},    {'s', true, take_size},
    {'r', true, take_record},       {'n', true, take_least_size},   {'g', true, take_most_size},
    {'y', true, take_least_record}, {'q', true, take_most_record},  {'i', true, take_test},
    {'t', true, take_processes},    {'j', true, take_stride},       {'f', true, take_file},
    {'b', true, take_excel_path},   {'F', true, take_names},
};

static const struct {
    char letter;
    const char *why;
} refused[] = {
    {'A', "it is old; say -a -z -i 0 -i 1"},
    {'C', "each process's own figures are in the JSON of --json=FILE"},
    {'d', "all processes begin at one moment"},
    {'D', "mapped files are written back by the system, or at the end by -e"},
    {'E', "pwrite and pread are -i 9 and -i 10"},
    {'G', "mapped files are written back by the system, or at the end by -e"},
    {'H', "IO with a queue is what isobench fileio --depth=N does"},
    {'J', "pauses are what isobench fileio --think-time does"},
    {'k', "IO with a queue is what isobench fileio --depth=N does"},
    {'K', "random accesses are in the random tests alone: -i 2"},
    {'l', "give one number of processes with -t"},
    {'L', "nothing here depends on the processor's cache lines"},
    {'m', "each process has one buffer, as iozone has without -m"},
    {'M', "the machine is in the JSON of --json=FILE"},
    {'N', "figures are in kB/s alone"},
    {'O', "figures are in kB/s alone"},
    {'p', "the processor's cache is not purged"},
    {'P', "binding to CPUs is what isobench fileio --cpus does"},
    {'Q', "latencies are in the JSON of --json=FILE, as histograms"},
    {'S', "nothing here depends on the processor's cache"},
    {'u', "give one number of processes with -t"},
    {'U', "nothing is unmounted; isobench fileio --drop-cache=on starts cold"},
    {'V', "checking what is read is what isobench fileio --verify=on does"},
    {'W', "files are not locked"},
    {'X', "telemetry files are not read"},
    {'Y', "telemetry files are not read"},
    {'Z', "a file is mapped for all its IO or for none: -B"},
};

/* ---- the command line ---- */

static bool refuse_letter(const char *word, char letter, struct error *error)
{
    if (letter == '+')
        return error_set(error, ERR_UNSUPPORTED, "%.60s is not supported: none of the options that begin with -+ is",
                         word);
    for (size_t i = 0; i < COUNT_OF(refused); ++i)
        if (refused[i].letter == letter)
            return error_set(error, ERR_UNSUPPORTED, "iozone -%c is not supported: %s", letter, refused[i].why);
    return error_set(error, ERR_USAGE, "iozone has no option -%c; \"iozone -h\" lists those that are supported",
                     letter);
}

static size_t find(char letter)
{
    size_t i = 0;
    while (i < COUNT_OF(options) && options[i].letter != letter)
        ++i;
    return i;
}

/* One word that begins with a dash, and what belongs to it; *used = how many more words that are. */
static bool take_word(struct iozone_given *given, char *const *words, int left, int *used, struct error *error)
{
    const char *word = words[0];
    *used = 0;
    if (word[1] == '\0')
        return error_set(error, ERR_USAGE, "- is no option");
    for (const char *at = word + 1; *at; ++at) {
        struct reading reading = {given, *at, NULL, words + 1, left - 1, 0, error};
        size_t index = find(*at);
        if (index == COUNT_OF(options))
            return refuse_letter(word, *at, error);
        bool has_value = options[index].has_value;
        if (has_value && at[1] == '\0' && reading.left == 0)
            return error_set(error, ERR_USAGE, "-%c needs a value", *at);
        if (has_value)
            reading.value = at[1] ? at + 1 : reading.words[reading.used++];
        if (!options[index].take(&reading))
            return false;
        *used = reading.used;
        if (has_value)
            break;
    }
    return true;
}

static void keep_command_line(struct iozone_given *given, int argc, char *const *argv)
{
    size_t used = (size_t)snprintf(given->command_line, sizeof(given->command_line), "iozone");
    for (int i = 0; i < argc && used < sizeof(given->command_line); ++i)
        used += (size_t)snprintf(given->command_line + used, sizeof(given->command_line) - used, " %s", argv[i]);
}

bool iozone_options_read(struct iozone_given *given, int argc, char *const *argv, struct error *error)
{
    given->stride = IOZONE_STRIDE;
    keep_command_line(given, argc, argv);
    for (int i = 0, used; i < argc; i += 1 + used) {
        if (argv[i][0] != '-')
            return error_set(error, ERR_USAGE, "%.200s is no option of iozone: they begin with a dash", argv[i]);
        if (!take_word(given, argv + i, argc - i, &used, error))
            return false;
    }
    return true;
}
