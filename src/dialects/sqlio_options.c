#include "dialects/sqlio.h"

#include "core/units.h"

#include <inttypes.h>
#include <string.h>

#define BLOCK_KB_MAX (1 << 20)
#define SECONDS_MAX 1000000000
#define PATTERN_MAX 1000000

struct reading {
    struct sqlio_given *given;
    const char *word, *value; /* "-b16", "16" */
    struct error *error;
};

/* ---- numbers ---- */

bool sqlio_number(const char *shown, const char *text, uint64_t low, uint64_t high, uint64_t *out, struct error *error)
{
    if (units_parse_count(text, out) && *out >= low && *out <= high)
        return true;
    return error_set(error, ERR_USAGE, "%s is not valid: it must be a whole number from %" PRIu64 " to %" PRIu64, shown,
                     low, high);
}

static int digit_of(char letter)
{
    const char *digits = "0123456789abcdef", *at = letter ? strchr(digits, letter | (letter > '9' ? 0x20 : 0)) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool sqlio_mask(const char *shown, const char *text, uint64_t *out, struct error *error)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!hex && units_parse_count(text, out))
        return true;
    *out = 0;
    size_t digits = 0;
    for (const char *at = text + 2; hex && *at && digits <= 16; ++at, ++digits) {
        int digit = digit_of(*at);
        if (digit < 0)
            digits = 17;
        else
            *out = *out << 4 | (uint64_t)digit;
    }
    if (hex && digits > 0 && digits <= 16)
        return true;
    return error_set(error, ERR_USAGE,
                     "%s is not valid: a mask of CPUs is a whole number, or 0x and up to 16 hexadecimal digits", shown);
}

void sqlio_mask_cpus(uint64_t mask, char *out, size_t out_bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned cpu = 0; cpu < 64 && used < out_bytes; ++cpu) {
        unsigned last = cpu;
        if (!(mask >> cpu & 1))
            continue;
        while (last + 1 < 64 && (mask >> (last + 1) & 1))
            ++last;
        used +=
            (size_t)snprintf(out + used, out_bytes - used, last > cpu ? "%s%u-%u" : "%s%u", used ? "," : "", cpu, last);
        cpu = last;
    }
}

static bool number(const struct reading *reading, uint64_t low, uint64_t high, uint64_t *out)
{
    return sqlio_number(reading->word, reading->value, low, high, out, reading->error);
}

static bool refuse(const struct reading *reading, const char *right)
{
    return error_set(reading->error, ERR_USAGE, "%s is not valid: it must be %s", reading->word, right);
}

static bool unsupported(const struct reading *reading, const char *why)
{
    return error_set(reading->error, ERR_UNSUPPORTED, "%s is not supported: %s", reading->word, why);
}

/* ---- options, one by one ---- */

static bool take_kind(struct reading *reading)
{
    reading->given->writes = strcmp(reading->value, "W") == 0;
    return reading->given->writes || strcmp(reading->value, "R") == 0 || refuse(reading, "-kR or -kW");
}

static bool take_threads(struct reading *reading)
{
    return number(reading, 1, SQLIO_THREADS_MAX, &reading->given->threads);
}

static bool take_seconds(struct reading *reading)
{
    return number(reading, 1, SECONDS_MAX, &reading->given->seconds);
}

static bool is_letter(char letter)
{
    return (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z';
}

static bool take_drives(struct reading *reading)
{
    const char *at = reading->value;
    reading->given->drives = at;
    while (is_letter(*at))
        ++at;
    return (*at == '\0' && at > reading->value) || refuse(reading, "drive letters, such as -dDE");
}

static bool take_raw(struct reading *reading)
{
    reading->given->raw = reading->value;
    return *reading->value ? true : refuse(reading, "drive letters and numbers of disks, such as -RD,E,1");
}

static bool take_pattern(struct reading *reading)
{
    struct sqlio_given *given = reading->given;
    given->pattern = strcmp(reading->value, "random") == 0       ? SQLIO_RANDOM
                     : strcmp(reading->value, "sequential") == 0 ? SQLIO_SEQUENTIAL
                                                                 : SQLIO_STRIPE;
    if (given->pattern != SQLIO_STRIPE)
        return true;
    bool good = units_parse_count(reading->value, &given->stripe_blocks) && given->stripe_blocks > 0 &&
                given->stripe_blocks <= PATTERN_MAX;
    return good || refuse(reading, "-frandom, -fsequential, or -f and the blocks of a stripe from 1 to 1000000");
}

static bool take_cpu(struct reading *reading)
{
    uint64_t cpu;
    if (*reading->value == 'I')
        return unsupported(reading, "an ideal processor is a hint that only Windows takes; -p binds to the CPU");
    if (!number(reading, 0, 4095, &cpu))
        return false;
    snprintf(reading->given->cpus, sizeof(reading->given->cpus), "%" PRIu64, cpu);
    return true;
}

static bool take_affinity(struct reading *reading)
{
    uint64_t mask;
    bool in_turn = *reading->value == 'R';
    if (strncmp(reading->value, "RI", 2) == 0)
        return unsupported(reading, "an ideal processor is a hint that only Windows takes; -aR binds to the CPUs");
    if (!sqlio_mask(reading->word, reading->value + in_turn, &mask, reading->error))
        return false;
    if (mask == 0)
        return refuse(reading, "a mask with at least one CPU");
    if (!in_turn && (mask & (mask - 1)) != 0)
        return unsupported(reading, "threads are bound to one CPU each; -aR and the same mask deals them out in turn");
    sqlio_mask_cpus(mask, reading->given->cpus, sizeof(reading->given->cpus));
    return strlen(reading->given->cpus) + 1 < sizeof(reading->given->cpus) ||
           unsupported(reading, "the mask has too many separate CPUs");
}

static bool take_run(struct reading *reading)
{
    return number(reading, 1, PATTERN_MAX, &reading->given->run_blocks);
}

static bool take_outstanding(struct reading *reading)
{
    return number(reading, 0, 4096, &reading->given->outstanding);
}

static bool take_block(struct reading *reading)
{
    return number(reading, 1, BLOCK_KB_MAX, &reading->given->block_kb);
}

static bool take_sub_blocks(struct reading *reading)
{
    return unsupported(reading, "blocks are read and written in one piece, without copies or scattering");
}

static bool take_latency(struct reading *reading)
{
    const char *value = reading->value;
    if (*value != 'S' && *value != 'P')
        return refuse(reading, "-LS, or -LP, which is measured with the system's counter too");
    reading->given->latency = true;
    if (strcmp(value + 1, "i") == 0)
        return unsupported(reading, "how long it takes to start an IO is not measured apart");
    return value[1] == '\0' || refuse(reading, "-LS or -LP");
}

static bool take_utilization(struct reading *reading)
{
    return unsupported(reading, "the CPU use of the whole machine is not measured");
}

static bool take_buffering(struct reading *reading)
{
    bool one = strlen(reading->value) == 1 && strchr("NYHS", *reading->value);
    reading->given->buffering = one ? *reading->value : '\0';
    return one || refuse(reading, "-BN (no cache), -BY (both), -BH (the disk's), or -BS (the system's)");
}

static bool take_first_block(struct reading *reading)
{
    return number(reading, 0, UINT64_C(1) << 50, &reading->given->first_block);
}

static bool take_version(struct reading *reading)
{
    reading->given->one_run = strcmp(reading->value, "1.1.1") == 0;
    return reading->given->one_run || refuse(reading, "-v1.1.1");
}

static bool take_wide(struct reading *reading) /* 64 bit memory operations: nothing to do */
{
    return strcmp(reading->value, "4") == 0 || refuse(reading, "-64");
}

static bool take_params(struct reading *reading)
{
    reading->given->param_path = reading->value;
    return *reading->value ? true : refuse(reading, "-F and the name of a parameter file");
}

static bool take_debug(struct reading *reading)
{
    return strcmp(reading->value, "0") == 0 || unsupported(reading, "there is no debug output");
}

static bool take_share(struct reading *reading)
{
    return unsupported(reading, "SQLIO v1.5 has no mix of reads and writes; its unpublished successor had");
}

static const struct {
    char letter;
    bool (*take)(struct reading *reading);
} options[] = {
    {'k', take_kind},    {'t', take_threads},     {'s', take_seconds},   {'d', take_drives},
    {'R', take_raw},     {'f', take_pattern},     {'p', take_cpu},       {'a', take_affinity},
    {'i', take_run},     {'o', take_outstanding}, {'b', take_block},     {'m', take_sub_blocks},
    {'L', take_latency}, {'U', take_utilization}, {'B', take_buffering}, {'S', take_first_block},
    {'v', take_version}, {'6', take_wide},        {'F', take_params},    {'D', take_debug},
    {'T', take_share},
};

/* ---- the command line ---- */

static bool take_option(struct sqlio_given *given, const char *word, struct error *error)
{
    struct reading reading = {given, word, word[1] ? word + 2 : "", error};
    for (size_t i = 0; i < COUNT_OF(options); ++i)
        if (options[i].letter == word[1])
            return options[i].take(&reading);
    return error_set(error, ERR_USAGE, "sqlio has no option %s; \"sqlio -?\" lists them", word);
}

static bool take_name(struct sqlio_given *given, const char *word, struct error *error)
{
    if (given->name_count == SQLIO_FILES_MAX)
        return error_set(error, ERR_USAGE, "%s: more than %d files", word, SQLIO_FILES_MAX);
    given->names[given->name_count++] = word;
    return true;
}

bool sqlio_options_read(struct sqlio_given *given, int argc, char *const *argv, struct error *error)
{
    memset(given, 0, sizeof(*given));
    given->threads = 1;
    given->seconds = 30;
    given->block_kb = 2;
    given->stripe_blocks = SQLIO_STRIPE_BLOCKS;
    given->run_blocks = SQLIO_RUN_BLOCKS;
    for (int i = 0; i < argc; ++i) {
        bool good = argv[i][0] == '-' ? take_option(given, argv[i], error) : take_name(given, argv[i], error);
        if (!good)
            return false;
    }
    return true;
}
