/* diskspd_options.c: DiskSpd's options in their glued form, with - or / before them, and the targets behind them. */
#include "dialects/diskspd.h"

#include "core/units.h"
#include "platform/host.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define COUNT_HIGH UINT32_MAX
#define SECONDS_HIGH 1000000000
#define SIZE_HIGH (UINT64_C(1) << 60)
#define BLOCK_HIGH (UINT64_C(1) << 30)
#define THREADS_HIGH 100000
#define DEPTH_HIGH 4096
#define SEED_HIGH ((uint64_t)INT64_MAX - 1)
#define CPU_HIGH 255 /* of a group */

struct reading {
    struct diskspd_given *given;
    const char *word, *value; /* "-b16K", "16K" */
    struct error *error;
};

/* ---- values ---- */

bool diskspd_size(const char *text, uint64_t block_bytes, uint64_t *out)
{
    static const char letters[] = "KMGT";
    char digits[24];
    size_t length = strspn(text, "0123456789");
    uint64_t unit = 1;
    if (length == 0 || length >= sizeof(digits))
        return false;
    snprintf(digits, sizeof(digits), "%.*s", (int)length, text);
    if (!units_parse_count(digits, out))
        return false;
    char suffix = text[length], upper = (char)(suffix >= 'a' ? suffix - 'a' + 'A' : suffix);
    const char *found = suffix ? strchr(letters, upper) : NULL;
    if (found)
        unit = UINT64_C(1) << (10 * (found - letters + 1));
    else if (upper == 'B')
        unit = block_bytes;
    else if (suffix != '\0')
        return false;
    if ((suffix != '\0' && text[length + 1] != '\0') || (unit > 0 && *out > UINT64_MAX / unit))
        return false;
    *out *= unit;
    return true;
}

static bool refuse(const struct reading *reading, const char *right)
{
    return error_set(reading->error, ERR_USAGE, "%.80s is not valid: it must be %s", reading->word, right);
}

static bool unsupported(const struct reading *reading, const char *why)
{
    return error_set(reading->error, ERR_UNSUPPORTED, "%.80s is not supported: %s", reading->word, why);
}

static bool whole(const struct reading *reading, uint64_t low, uint64_t high, uint64_t *out)
{
    if (units_parse_count(reading->value, out) && *out >= low && *out <= high)
        return true;
    return error_set(reading->error, ERR_USAGE,
                     "%.80s is not valid: it must be -%c and a whole number from %" PRIu64 " to %" PRIu64,
                     reading->word, reading->word[1], low, high);
}

/* `text` is the value or a part of it. */
static bool size_of(const struct reading *reading, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    char least[32], most[32];
    if (diskspd_size(text, reading->given->block_bytes, out) && *out >= low && *out <= high)
        return true;
    return error_set(reading->error, ERR_USAGE,
                     "%.80s is not valid: sizes are whole numbers from %s to %s, with K, M, G or T, or b for blocks",
                     reading->word, units_bytes_exact(low, least, sizeof(least)),
                     units_bytes_exact(high, most, sizeof(most)));
}

static bool nothing_more(const struct reading *reading)
{
    char right[16];
    snprintf(right, sizeof(right), "-%c alone", reading->word[1]);
    return *reading->value == '\0' || refuse(reading, right);
}

/* ---- options that are one number, or one size ---- */

#define FIELD(name) offsetof(struct diskspd_given, name)

static const struct {
    char letter;
    size_t offset;
    uint64_t low, high;
} numbers[] = {
    {'d', FIELD(duration_s), 1, SECONDS_HIGH},    {'W', FIELD(warmup_s), 0, SECONDS_HIGH},
    {'C', FIELD(cooldown_s), 0, SECONDS_HIGH},    {'t', FIELD(threads), 1, THREADS_HIGH},
    {'F', FIELD(all_threads), 1, THREADS_HIGH},   {'o', FIELD(outstanding), 1, DEPTH_HIGH},
    {'O', FIELD(all_outstanding), 1, DEPTH_HIGH}, {'i', FIELD(burst), 1, COUNT_HIGH},
    {'j', FIELD(think_ms), 1, COUNT_HIGH},        {'w', FIELD(write_percent), 0, 100},
};

static bool take_number(struct reading *reading)
{
    size_t row = 0;
    while (numbers[row].letter != reading->word[1])
        ++row;
    reading->given->threads_given |= numbers[row].letter == 't';
    return whole(reading, numbers[row].low, numbers[row].high,
                 (uint64_t *)(void *)((char *)reading->given + numbers[row].offset));
}

static bool take_cooldown(struct reading *reading)
{
    if (!take_number(reading))
        return false;
    return reading->given->cooldown_s == 0 ||
           unsupported(reading, "nothing runs after the measured part; leave it out, no figure holds the cool down");
}

static bool take_block(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    uint64_t bytes;
    if (!size_of(reading, reading->value, 1, BLOCK_HIGH, &bytes))
        return false;
    given->block_bytes = bytes;
    return true;
}

static bool take_create(struct reading *reading)
{
    return size_of(reading, reading->value, 1, SIZE_HIGH, &reading->given->create_bytes);
}

static bool take_thread_stride(struct reading *reading)
{
    return size_of(reading, reading->value, 1, SIZE_HIGH, &reading->given->thread_stride_bytes);
}

/* -B<base>, -B<base>:<length> */
static bool take_base(struct reading *reading)
{
    char base[64];
    const char *colon = strchr(reading->value, ':');
    size_t length = colon ? (size_t)(colon - reading->value) : strlen(reading->value);
    snprintf(base, sizeof(base), "%.*s", (int)(length < sizeof(base) ? length : sizeof(base)), reading->value);
    if (!size_of(reading, base, 0, SIZE_HIGH, &reading->given->base_bytes))
        return false;
    return !colon || size_of(reading, colon + 1, 1, SIZE_HIGH, &reading->given->range_bytes);
}

/* -f<size>, or hints to the system. */
static bool take_end_or_hints(struct reading *reading)
{
    const char *value = reading->value;
    if (*value && value[strspn(value, "rst")] == '\0')
        return unsupported(reading, "hints for the cache of Windows are not given; -f and a size limits the part used");
    return size_of(reading, value, 1, SIZE_HIGH, &reading->given->end_bytes);
}

/* ---- what is accessed in which order ---- */

static bool take_random_share(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    uint64_t percent;
    if (given->mixed)
        return refuse(reading, "given once");
    if (given->sequential)
        return refuse(reading, "without -s: with -rs, -r<size> gives the alignment");
    if (!units_parse_count(reading->value + 1, &percent) || percent < 1 || percent > 100)
        return refuse(reading, "-rs and a percentage from 1 to 100");
    given->mixed = true;
    given->random_percent = percent;
    return true;
}

static bool take_random(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    if (*reading->value == 's')
        return take_random_share(reading);
    if (*reading->value == 'd')
        return unsupported(reading, "offsets are spread evenly; the distributions that isobench has are another kind");
    if (given->random)
        return refuse(reading, "given once");
    if (given->sequential)
        return refuse(reading, "without -s: IO is random or sequential");
    given->random = true;
    return *reading->value == '\0' || size_of(reading, reading->value, 1, SIZE_HIGH, &given->align_bytes);
}

static bool take_sequential(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    const char *size = reading->value;
    if (given->sequential)
        return refuse(reading, "given once");
    if (given->random || given->mixed)
        return refuse(reading, "without -r: IO is random or sequential");
    given->sequential = true;
    given->interlocked = *size == 'i';
    size += given->interlocked;
    return *size == '\0' || size_of(reading, size, 1, SIZE_HIGH, &given->stride_bytes);
}

static bool take_write(struct reading *reading)
{
    return *reading->value ? take_number(reading) : refuse(reading, "-w and the percentage of writes from 0 to 100");
}

/* ---- how fast ---- */

static bool take_rate(struct reading *reading)
{
    char digits[24];
    size_t length = strspn(reading->value, "0123456789");
    reading->given->rate_in_ios = strcmp(reading->value + length, "i") == 0;
    bool good =
        length > 0 && length < sizeof(digits) && (reading->value[length] == '\0' || reading->given->rate_in_ios);
    snprintf(digits, sizeof(digits), "%.*s", (int)(good ? length : 0), reading->value);
    good = good && units_parse_count(digits, &reading->given->rate) && reading->given->rate > 0 &&
           reading->given->rate <= COUNT_HIGH;
    return good || refuse(reading, "-g and the bytes per millisecond of each thread, or its IOs per second as -g100i");
}

static bool take_priority(struct reading *reading)
{
    uint64_t level;
    if (!whole(reading, 1, 3, &level))
        return false;
    return level == 3 || unsupported(reading, "IOs have the normal priority, -I3");
}

/* ---- caches ---- */

static bool set_cache(const struct reading *reading, bool uncached)
{
    struct diskspd_given *given = reading->given;
    if (given->cache_given || (uncached && given->mapped))
        return refuse(reading, "without an earlier word about the cache or mapped files");
    given->cache_given = true;
    given->uncached = uncached;
    return true;
}

static bool set_through(const struct reading *reading)
{
    if (reading->given->through)
        return refuse(reading, "without an earlier word about write-through");
    reading->given->through = true;
    return true;
}

static bool set_mapped(const struct reading *reading)
{
    if (reading->given->mapped || reading->given->uncached)
        return refuse(reading, "without an earlier word about mapped files, and in the cache");
    reading->given->mapped = true;
    return true;
}

static bool take_cache_letter(const struct reading *reading, char letter)
{
    switch (letter) {
    case 'b':
        return set_cache(reading, false);
    case 'u':
        return set_cache(reading, true);
    case 'w':
        return set_through(reading);
    case 'h':
        return set_cache(reading, true) && set_through(reading);
    case 'm':
        return set_mapped(reading);
    case 'r':
        return unsupported(reading, "the local cache of remote files alone cannot be turned off; -Su turns off all");
    default:
        return refuse(reading, "-S and some of b (cached), u (not cached), w (write-through), h (u and w), m (mapped)");
    }
}

static bool take_cache(struct reading *reading)
{
    const char *letters = *reading->value ? reading->value : "u";
    for (; *letters; ++letters)
        if (!take_cache_letter(reading, *letters))
            return false;
    return true;
}

static bool take_no_cache(struct reading *reading)
{
    return nothing_more(reading) && take_cache_letter(reading, 'h');
}

/* ---- data ---- */

static bool take_data(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    given->data = *reading->value ? DATA_RANDOM : DATA_ZERO;
    given->buffer_bytes = 0;
    if (*reading->value == '\0' || strcmp(reading->value, "r") == 0)
        return true;
    if (strchr(reading->value, ','))
        return unsupported(reading, "data is not taken from a file; -Zr writes random bytes");
    return size_of(reading, reading->value, 1, SIZE_HIGH, &given->buffer_bytes);
}

static bool take_seed(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    uint64_t seed;
    if (*reading->value == '\0') {
        given->seed = 0;
        return true;
    }
    if (!whole(reading, 0, SEED_HIGH, &seed))
        return false;
    given->seed = seed + 1;
    return true;
}

/* ---- CPUs ---- */

static bool add_cpus(const struct reading *reading, uint64_t first, uint64_t last)
{
    struct diskspd_given *given = reading->given;
    for (uint64_t cpu = first; cpu <= last; ++cpu) {
        if (given->cpu_count == DISKSPD_CPUS_MAX)
            return unsupported(reading, "the list of CPUs is too long");
        given->cpus[given->cpu_count++] = (uint16_t)cpu;
    }
    return true;
}

/* "3", "g0" and their comma; *cpu is UINT64_MAX for a group. */
static bool take_cpu_item(const struct reading *reading, const char **at, uint64_t *cpu)
{
    char digits[8];
    bool group = **at == 'g';
    const char *number = *at + group;
    size_t length = strspn(number, "0123456789");
    snprintf(digits, sizeof(digits), "%.*s", (int)(length < 7 ? length : 7), number);
    if (!units_parse_count(digits, cpu) || *cpu > CPU_HIGH || (number[length] != '\0' && number[length] != ',') ||
        (number[length] == ',' && number[length + 1] == '\0'))
        return refuse(reading, "-a and CPUs such as -a0,1,2 or -ag0,0,1,2, or -ag for all of them");
    *at = number + length + (number[length] == ',');
    if (group && *cpu > 0)
        return unsupported(reading,
                           "CPUs have one numbering here, without groups: leave out g and number them through");
    if (group)
        *cpu = UINT64_MAX;
    return true;
}

static bool take_affinity(struct reading *reading)
{
    if (strcmp(reading->value, "g") == 0) {
        struct host_facts host;
        host_measure(&host);
        return add_cpus(reading, 0, host.cpu_count > 1 ? host.cpu_count - 1 : 0);
    }
    const char *at = reading->value;
    uint64_t cpu;
    do {
        if (!take_cpu_item(reading, &at, &cpu) || (cpu != UINT64_MAX && !add_cpus(reading, cpu, cpu)))
            return false;
    } while (*at);
    return cpu != UINT64_MAX || refuse(reading, "-a and CPUs behind the group, such as -ag0,0,1,2");
}

/* ---- what is shown ---- */

static bool take_interval(struct reading *reading)
{
    struct diskspd_given *given = reading->given;
    given->interval = true;
    return *reading->value == '\0' || whole(reading, 10, SECONDS_HIGH, &given->interval_ms);
}

static bool take_dots(struct reading *reading)
{
    reading->given->dot_every = DISKSPD_DOT_EVERY;
    return *reading->value == '\0' || whole(reading, 1, COUNT_HIGH, &reading->given->dot_every);
}

static bool take_format(struct reading *reading)
{
    const char *value = reading->value;
    bool profile = *value == 'p';
    value += profile;
    reading->given->profile_only |= profile;
    reading->given->xml = strcmp(value, "xml") == 0;
    return reading->given->xml || strcmp(value, "text") == 0 || (profile && *value == '\0') ||
           refuse(reading, "-Rtext or -Rxml; with p before it (-Rptext) only the profile is shown");
}

static bool take_verbose(struct reading *reading)
{
    if (strcmp(reading->value, "s") == 0)
        return unsupported(reading, "how threads wait for IOs is not counted; -v shows what happens");
    reading->given->verbose = true;
    return nothing_more(reading);
}

static bool take_latency(struct reading *reading)
{
    reading->given->latency = true;
    return nothing_more(reading);
}

static bool take_unbound(struct reading *reading)
{
    reading->given->unbound = true;
    return nothing_more(reading);
}

/* ---- what cannot be done ---- */

static const struct {
    char letter;
    const char *why;
} absent[] = {
    {'e', "events of the Windows kernel (ETW) are not traced"},
    {'l', "buffers have pages of the normal size"},
    {'N', "mapped files are not flushed after each write"},
    {'p', "each IO in flight has an offset of its own; -o gives their number"},
    {'x', "IOs in flight end through completion ports on Windows and io_uring on Linux, not through routines"},
    {'X', "a profile is not read from XML: give its settings as options"},
    {'y', "events that other programs wait for are not set"},
};

static bool take_absent(struct reading *reading)
{
    size_t row = 0;
    while (absent[row].letter != reading->word[1])
        ++row;
    return unsupported(reading, absent[row].why);
}

static const struct {
    char letter;
    bool (*take)(struct reading *reading);
} options[] = {
    {'a', take_affinity},   {'b', take_block},    {'B', take_base},    {'c', take_create},        {'C', take_cooldown},
    {'d', take_number},     {'D', take_interval}, {'e', take_absent},  {'f', take_end_or_hints},  {'F', take_number},
    {'g', take_rate},       {'h', take_no_cache}, {'i', take_number},  {'I', take_priority},      {'j', take_number},
    {'l', take_absent},     {'L', take_latency},  {'n', take_unbound}, {'N', take_absent},        {'o', take_number},
    {'O', take_number},     {'p', take_absent},   {'P', take_dots},    {'r', take_random},        {'R', take_format},
    {'s', take_sequential}, {'S', take_cache},    {'t', take_number},  {'T', take_thread_stride}, {'v', take_verbose},
    {'w', take_write},      {'W', take_number},   {'x', take_absent},  {'X', take_absent},        {'y', take_absent},
    {'z', take_seed},       {'Z', take_data},
};

/* ---- the command line ---- */

/* DiskSpd takes / as well. A word that begins so and has another / is a path of a POSIX system. */
static bool is_option(const char *word)
{
    return word[0] == '-' || (word[0] == '/' && !strchr(word + 1, '/'));
}

static bool take_option(struct diskspd_given *given, const char *word, struct error *error)
{
    struct reading reading = {given, word, word[1] ? word + 2 : "", error};
    for (size_t i = 0; i < COUNT_OF(options); ++i)
        if (options[i].letter == word[1])
            return options[i].take(&reading);
    return error_set(error, ERR_USAGE, "diskspd has no option %.80s; \"diskspd -?\" lists them", word);
}

/* Dashes that a blog made of the hyphen: U+2013, U+2014, U+2212. */
static bool is_dashed(const char *word)
{
    return strncmp(word, "\xE2\x80\x93", 3) == 0 || strncmp(word, "\xE2\x80\x94", 3) == 0 ||
           strncmp(word, "\xE2\x88\x92", 3) == 0;
}

static bool take_target(struct diskspd_given *given, const char *word, struct error *error)
{
    if (is_dashed(word))
        return error_set(error, ERR_USAGE, "%.80s begins with a dash that is no hyphen: type the option with -", word);
    if (*word == '*')
        return error_set(error, ERR_UNSUPPORTED, "%.80s: targets that stand for others need an XML profile (-X)", word);
    if (given->target_count == DISKSPD_TARGETS_MAX)
        return error_set(error, ERR_USAGE, "%.80s: more than %d targets", word, DISKSPD_TARGETS_MAX);
    given->targets[given->target_count++] = word;
    return true;
}

/* Sizes in blocks may stand before -b. */
static bool read_blocks(struct diskspd_given *given, int argc, char *const *argv, struct error *error)
{
    for (int i = 0; i < argc && is_option(argv[i]); ++i)
        if (argv[i][1] == 'b' && !take_option(given, argv[i], error))
            return false;
    return true;
}

static void keep_line(struct diskspd_given *given, int argc, char *const *argv)
{
    size_t used = (size_t)snprintf(given->command_line, sizeof(given->command_line), "diskspd");
    for (int i = 0; i < argc && used < sizeof(given->command_line); ++i) {
        const char *quote = argv[i][0] == '\0' || strchr(argv[i], ' ') ? "\"" : "";
        used += (size_t)snprintf(given->command_line + used, sizeof(given->command_line) - used, " %s%s%s", quote,
                                 argv[i], quote);
    }
}

bool diskspd_options_read(struct diskspd_given *given, int argc, char *const *argv, struct error *error)
{
    *given = (struct diskspd_given){.block_bytes = DISKSPD_BLOCK_BYTES,
                                    .duration_s = 10,
                                    .warmup_s = 5,
                                    .threads = 1,
                                    .outstanding = 2,
                                    .seed = 1,
                                    .interval_ms = DISKSPD_INTERVAL_MS,
                                    .random_percent = 100,
                                    .data = DATA_COUNT_UP};
    keep_line(given, argc, argv);
    if (!read_blocks(given, argc, argv, error))
        return false;
    for (int i = 0; i < argc; ++i) {
        if (!is_option(argv[i])) {
            if (!take_target(given, argv[i], error))
                return false;
        } else if (given->target_count > 0) {
            return error_set(error, ERR_USAGE, "%.80s stands behind a target: options come before the targets",
                             argv[i]);
        } else if (!take_option(given, argv[i], error)) {
            return false;
        }
    }
    return given->target_count > 0 || error_set(error, ERR_USAGE, "no target is named: give a file or a device");
}

void diskspd_print_usage(FILE *out)
{
    fputs("usage: diskspd [options] target ...    options are glued to their values, as in -b8K\n"
          "sizes: bytes, or with K, M, G, T (1024), or b for blocks; targets: files, #N disks, X: volumes\n"
          "  -bSIZE            one IO [64K]\n"
          "  -BBASE[:SIZE]     where the part used begins, and its length\n"
          "  -cSIZE            make the targets of that size\n"
          "  -fSIZE            use the targets up to there\n"
          "  -dS -WS           seconds measured [10] and before that [5]\n"
          "  -tN, -FN          threads of each target [1]\n"
          "  -oN, -ON          IOs in flight per thread [2]\n"
          "  -r[SIZE] -rsN     random, aligned to SIZE; N percent random, the others behind the one before\n"
          "  -s[i][SIZE]       sequential, SIZE from one IO to the next; i: threads share a position\n"
          "  -TSIZE            sequential: from one thread's beginning to the next's\n"
          "  -wN               percent of writes [0]; they go over what the target holds\n"
          "  -S[b|u|w|h|m]     caches: -Su none, -Sw write-through, -Sh both, -Sm mapped files\n"
          "  -Z, -Zr, -ZSIZE   write zeros, random bytes [0 to 255 over and over]\n"
          "  -gN[i]            bytes per ms, or IOs per s, of each thread at most\n"
          "  -iN -jMS          pause after every N IOs\n"
          "  -aLIST, -ag       bind the threads to CPUs in turn\n"
          "  -L, -D[MS]        latencies; standard deviation of the IOPS of intervals [1000]\n"
          "  -z[N]             seed [0]; drawn where N is left out\n"
          "  -R[p]text|xml     form of the report [text]; p: only what would be run\n"
          "  -P[N], -v         a dot for every N IOs [65536]; say what happens\n"
          "isobench adds: --json=FILE, --show-job, --as TOOL\n",
          out);
}
