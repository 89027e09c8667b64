/* fio_options.c: the keys of a job, each a row. One that is not here is refused by name; `refused` says why where
 * people would ask. */
#include "dialects/fio.h"

#include "core/cpu_list.h"
#include "core/units.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define SIZE_MOST (UINT64_C(1) << 60)
#define BLOCK_MOST (UINT64_C(1) << 30)
#define MANY UINT64_C(1000000000000000000)
#define SECONDS_MOST UINT64_C(4294967295)
#define NS_PER_US (NS_PER_MS / 1000)

struct row;

struct taking {
    struct fio_given *given;
    const struct fio_line *line;
    const struct row *row;
    const char *value; /* never NULL */
    struct fio_text *notes;
    struct error *error;
};

struct row {
    const char *key;
    bool (*take)(const struct taking *taking);
    size_t offset;
    uint64_t low, high;
    bool alone; /* a key without a value means 1 */
};

/* ---- errors and notes ---- */

static const char *shown(const struct taking *taking, char *out, size_t out_bytes)
{
    char place[400];
    if (taking->line->file)
        snprintf(out, out_bytes, "%s: %.60s=%.200s",
                 fio_place(taking->line->file, taking->line->line, place, sizeof(place)), taking->line->key,
                 taking->value);
    else
        snprintf(out, out_bytes, "--%.60s=%.200s", taking->line->key, taking->value);
    return out;
}

static bool refuse(const struct taking *taking, const char *right)
{
    char word[800];
    return error_set(taking->error, ERR_USAGE, "%s is not valid: it must be %s", shown(taking, word, sizeof(word)),
                     right);
}

static bool unsupported(const struct taking *taking, const char *why)
{
    char word[800];
    return error_set(taking->error, ERR_UNSUPPORTED, "%s is not supported: %s", shown(taking, word, sizeof(word)), why);
}

static void *field(const struct taking *taking)
{
    return (char *)taking->given + taking->row->offset;
}

/* ---- kinds of values ---- */

static bool take_number(const struct taking *taking, const char *text, uint64_t *out)
{
    char right[160];
    bool decimal;
    if (fio_parse_bytes(text, out, &decimal) && *out >= taking->row->low && *out <= taking->row->high) {
        if (decimal)
            fio_text_add(taking->notes, "note: %s=%s is %" PRIu64 ": to fio, kib and mib are 1000 and its powers\n",
                         taking->line->key, text, *out);
        return true;
    }
    snprintf(right, sizeof(right), "a whole number from %" PRIu64 " to %" PRIu64 "; k, m, g, t and p are 1024 and more",
             taking->row->low, taking->row->high);
    return refuse(taking, right);
}

static bool take_count(const struct taking *taking)
{
    return take_number(taking, taking->value, field(taking));
}

/* "4k", or the same for reads, writes (and trims): "4k,4k". */
static bool take_same(const struct taking *taking)
{
    uint64_t *out = field(taking), other;
    char item[64];
    bool first = true;
    if (taking->value[0] == '\0')
        return refuse(taking, "given a value");
    for (const char *at = taking->value; first || *at;) {
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof(item), "%.*s", length < sizeof(item) ? (int)length : 0, at);
        if (item[0] && !take_number(taking, item, first ? out : &other))
            return false;
        if (first ? item[0] == '\0' : item[0] && other != *out)
            return unsupported(taking, "reads and writes must have the same");
        first = false;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool take_seconds(const struct taking *taking)
{
    uint64_t *out = field(taking);
    return (fio_parse_time(taking->value, NS_PER_S, out) && *out <= SECONDS_MOST * NS_PER_S) ||
           refuse(taking, "a whole number of seconds, or one with us, ms, s, m, h or d");
}

static bool take_microseconds(const struct taking *taking)
{
    uint64_t *out = field(taking);
    return (fio_parse_time(taking->value, NS_PER_US, out) && *out <= SECONDS_MOST * NS_PER_S) ||
           refuse(taking, "a whole number of microseconds, or one with us, ms, s, m, h or d");
}

static bool take_switch(const struct taking *taking)
{
    bool *out = field(taking);
    *out = strcmp(taking->value, "1") == 0;
    return *out || strcmp(taking->value, "0") == 0 || refuse(taking, "0 or 1");
}

/* Its opposite is what the field says. */
static bool take_not(const struct taking *taking)
{
    bool *out = field(taking);
    if (!take_switch(taking))
        return false;
    *out = !*out;
    return true;
}

static bool take_word(const struct taking *taking)
{
    const char **out = field(taking);
    *out = taking->value;
    return true;
}

/* What isobench does anyway; the other value is refused. */
static bool take_one(const struct taking *taking)
{
    return strcmp(taking->value, "1") == 0 || unsupported(taking, "isobench always does it (1)");
}

static bool take_zero(const struct taking *taking)
{
    return strcmp(taking->value, "0") == 0 || unsupported(taking, "only 0 is");
}

/* ---- keys of their own ---- */

static bool take_name(const struct taking *taking)
{
    taking->given->name = taking->value;
    return taking->value[0] != '\0' || refuse(taking, "the job's name");
}

static bool take_rw(const struct taking *taking)
{
    static const struct {
        const char *word;
        enum fio_rw rw;
    } words[] = {{"read", FIO_READ},         {"write", FIO_WRITE},         {"rw", FIO_RW},        {"readwrite", FIO_RW},
                 {"randread", FIO_RANDREAD}, {"randwrite", FIO_RANDWRITE}, {"randrw", FIO_RANDRW}};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].word, taking->value) == 0) {
            taking->given->rw = words[i].rw;
            return true;
        }
    if (strchr(taking->value, ':'))
        return unsupported(taking, "offsets behind ':' are not; IOs are all sequential or all random");
    if (strstr(taking->value, "trim"))
        return unsupported(taking, "isobench does not trim");
    return refuse(taking, "read, write, randread, randwrite, rw or randrw");
}

static bool take_engine(const struct taking *taking)
{
    static const char *const words[] = {"sync",   "psync",    "vsync",    "pvsync",     "pvsync2",
                                        "libaio", "io_uring", "posixaio", "windowsaio", "mmap"};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i], taking->value) == 0) {
            snprintf(taking->given->ioengine, sizeof(taking->given->ioengine), "%s", words[i]);
            return true;
        }
    return unsupported(taking, "isobench has psync, sync, vsync, pvsync, pvsync2, libaio, io_uring, posixaio, "
                               "windowsaio and mmap");
}

static bool take_sync(const struct taking *taking)
{
    static const struct {
        const char *word;
        enum write_through through;
    } words[] = {{"none", WRITE_THROUGH_OFF},
                 {"0", WRITE_THROUGH_OFF},
                 {"sync", WRITE_THROUGH_FULL},
                 {"1", WRITE_THROUGH_FULL},
                 {"dsync", WRITE_THROUGH_DATA}};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].word, taking->value) == 0) {
            taking->given->through = words[i].through;
            return true;
        }
    return refuse(taking, "none, sync or dsync (or 0, 1)");
}

static bool take_write_share(const struct taking *taking)
{
    uint64_t writes;
    if (!take_number(taking, taking->value, &writes))
        return false;
    taking->given->read_percent = 100 - writes;
    return true;
}

static bool take_process(const struct taking *taking)
{
    taking->given->poisson = strcmp(taking->value, "poisson") == 0;
    return taking->given->poisson || strcmp(taking->value, "linear") == 0 || refuse(taking, "linear or poisson");
}

/* zipf:1.2, pareto:0.2, normal:20 */
static bool take_parameter(const struct taking *taking, double low, double high, double *out)
{
    char right[160], low_text[32], high_text[32];
    const char *colon = strchr(taking->value, ':');
    if (colon && units_parse_real(colon + 1, out) && *out >= low && *out <= high)
        return true;
    if (colon && strchr(colon + 1, ':'))
        return unsupported(taking, "a centre of the hot part is not");
    snprintf(right, sizeof(right), "the distribution, a colon, and a number from %s to %s",
             units_real_exact(low, low_text, sizeof(low_text)), units_real_exact(high, high_text, sizeof(high_text)));
    return refuse(taking, right);
}

static bool take_distribution(const struct taking *taking)
{
    struct fio_given *given = taking->given;
    if (strcmp(taking->value, "random") == 0) {
        given->distribution = DIST_UNIFORM;
        return true;
    }
    if (strncmp(taking->value, "zipf:", 5) == 0) {
        given->distribution = DIST_ZIPFIAN;
        return take_parameter(taking, 0.01, 10, &given->zipf_theta);
    }
    if (strncmp(taking->value, "pareto:", 7) == 0) {
        given->distribution = DIST_PARETO;
        return take_parameter(taking, 0.0001, 0.9999, &given->pareto_h);
    }
    if (strncmp(taking->value, "normal:", 7) == 0) {
        given->distribution = DIST_GAUSSIAN;
        return take_parameter(taking, 1, 28, &given->normal_percent);
    }
    return unsupported(taking, "random, zipf:THETA, pareto:H and normal:DEVIATION are");
}

static bool take_generator(const struct taking *taking)
{
    static const char *const words[] = {"tausworthe", "tausworthe64", "lfsr"};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i], taking->value) == 0) {
            fio_text_add(taking->notes, "note: random_generator=%s: the numbers are of isobench's own generator\n",
                         taking->value);
            return true;
        }
    return refuse(taking, "tausworthe, tausworthe64 or lfsr");
}

static bool take_order(const struct taking *taking)
{
    static const struct {
        const char *word;
        enum fio_files order;
    } words[] = {{"roundrobin", FIO_FILES_TURN},
                 {"roundrobin:1", FIO_FILES_TURN},
                 {"random", FIO_FILES_RANDOM},
                 {"random:1", FIO_FILES_RANDOM},
                 {"sequential", FIO_FILES_SEQUENTIAL}};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].word, taking->value) == 0) {
            taking->given->file_order = words[i].order;
            return true;
        }
    return unsupported(taking, "roundrobin, random and sequential are, one IO at a time");
}

static bool take_directory(const struct taking *taking)
{
    bool drive = taking->value[0] && taking->value[1] == ':'; /* C:\x; fio wants C\:\x */
    char *out = taking->given->directory;
    size_t used = 0;
    for (const char *at = taking->value; *at && used + 1 < TEXT_MAX; ++at) {
        if (*at == ':' && !(drive && at == taking->value + 1))
            return unsupported(taking, "one directory is, not several");
        if (*at == '\\' && at[1] == ':')
            ++at;
        out[used++] = *at;
    }
    out[used] = '\0';
    return (used > 0 && used + 1 < TEXT_MAX) || refuse(taking, "the name of a directory");
}

/* Names are separated by ':'; "\:" is a colon of a name. */
static bool take_filename(const struct taking *taking)
{
    bool drive = taking->value[0] && taking->value[1] == ':' && (taking->value[2] == '\\' || taking->value[2] == '/');
    char *out = taking->given->targets;
    size_t used = 0;
    for (const char *at = taking->value; *at && used + 1 < TEXT_MAX; ++at) {
        if (*at == ',')
            return unsupported(taking, "a name with a comma is not");
        if (*at == '\\' && at[1] == ':')
            out[used++] = *++at;
        else
            out[used++] = (char)(*at == ':' && !(drive && at == taking->value + 1) ? ',' : *at);
    }
    out[used] = '\0';
    bool gap = used == 0 || out[0] == ',' || out[used - 1] == ',' || strstr(out, ",,");
    if (strcmp(out, "-") == 0)
        return unsupported(taking, "standard input and output cannot be measured at offsets");
    return (!gap && used + 1 < TEXT_MAX) || refuse(taking, "files or devices, separated by colons");
}

static bool take_percentiles(const struct taking *taking)
{
    struct real_list *list = &taking->given->percentiles;
    char item[64];
    list->count = 0;
    for (const char *at = taking->value; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(item, sizeof(item), "%.*s", length < sizeof(item) ? (int)length : 0, at);
        if (list->count == FIO_PERCENTILES_MAX || !units_parse_real(item, &list->values[list->count]) ||
            list->values[list->count] <= 0 || list->values[list->count] > 100)
            return refuse(taking, "up to 20 numbers above 0 and up to 100, separated by colons, such as 50:99:99.9");
        ++list->count;
        at += length + (at[length] == ':');
    }
    return list->count > 0 || refuse(taking, "numbers separated by colons, such as 50:99:99.9");
}

static bool take_fallocate(const struct taking *taking)
{
    static const struct {
        const char *word;
        enum fio_fallocate fallocate;
    } words[] = {{"native", FIO_FALLOCATE_NATIVE}, {"posix", FIO_FALLOCATE_NATIVE},
                 {"1", FIO_FALLOCATE_NATIVE},      {"none", FIO_FALLOCATE_NONE},
                 {"0", FIO_FALLOCATE_NONE},        {"truncate", FIO_FALLOCATE_TRUNCATE}};
    for (size_t i = 0; i < COUNT_OF(words); ++i)
        if (strcmp(words[i].word, taking->value) == 0) {
            taking->given->fallocate = words[i].fallocate;
            return true;
        }
    return unsupported(taking, "native, posix, none and truncate are");
}

static bool take_cpus(const struct taking *taking)
{
    size_t length = strlen(taking->value);
    if (length >= NAME_MAX_BYTES || (length && cpu_list_count(taking->value) == 0))
        return refuse(taking, "a list of CPUs with fewer than 64 letters, such as 0-3,8");
    memcpy(taking->given->cpus, taking->value, length + 1);
    return length > 0 || refuse(taking, "a list of CPUs, such as 0-3,8");
}

static bool take_cpu_policy(const struct taking *taking)
{
    taking->given->split_cpus = strcmp(taking->value, "split") == 0;
    return taking->given->split_cpus || strcmp(taking->value, "shared") == 0 || refuse(taking, "shared or split");
}

static bool take_seed(const struct taking *taking)
{
    if (!take_count(taking))
        return false;
    taking->given->repeatable = true;
    return true;
}

/* ---- the table ---- */

#define AT(member) offsetof(struct fio_given, member)

static const struct row rows[] = {
    {"name", take_name, 0, 0, 0, false},
    {"description", take_word, AT(description), 0, 0, false},
    {"rw", take_rw, 0, 0, 0, false},
    {"readwrite", take_rw, 0, 0, 0, false},
    {"bs", take_same, AT(block_bytes), 1, BLOCK_MOST, false},
    {"blocksize", take_same, AT(block_bytes), 1, BLOCK_MOST, false},
    {"ba", take_same, AT(align_bytes), 1, SIZE_MOST, false},
    {"blockalign", take_same, AT(align_bytes), 1, SIZE_MOST, false},
    {"size", take_count, AT(size_bytes), 1, SIZE_MOST, false},
    {"filesize", take_count, AT(filesize_bytes), 1, SIZE_MOST, false},
    {"io_size", take_count, AT(io_bytes), 1, SIZE_MOST, false},
    {"io_limit", take_count, AT(io_bytes), 1, SIZE_MOST, false},
    {"offset", take_count, AT(offset_bytes), 0, SIZE_MOST, false},
    {"number_ios", take_count, AT(ios), 1, MANY, false},
    {"loops", take_count, AT(loops), 1, MANY, false},
    {"numjobs", take_count, AT(clones), 1, FIO_CLONES_MAX, false},
    {"thread", take_switch, AT(thread), 0, 0, true},
    {"ioengine", take_engine, 0, 0, 0, false},
    {"iodepth", take_count, AT(depth), 1, 4096, false},
    {"direct", take_switch, AT(direct), 0, 0, false},
    {"buffered", take_not, AT(direct), 0, 0, false},
    {"sync", take_sync, 0, 0, 0, false},
    {"fsync", take_count, AT(fsync), 0, MANY, false},
    {"fdatasync", take_count, AT(fdatasync), 0, MANY, false},
    {"end_fsync", take_switch, AT(end_fsync), 0, 0, false},
    {"rwmixread", take_count, AT(read_percent), 0, 100, false},
    {"rwmixwrite", take_write_share, 0, 0, 100, false},
    {"rate_iops", take_same, AT(rate_ios), 0, 1000000000, false},
    {"rate", take_same, AT(rate_bytes), 0, SIZE_MOST, false},
    {"rate_process", take_process, 0, 0, 0, false},
    {"thinktime", take_microseconds, AT(think_ns), 0, 0, false},
    {"thinktime_blocks", take_count, AT(think_blocks), 1, MANY, false},
    {"thinktime_spin", take_zero, 0, 0, 0, false},
    {"runtime", take_seconds, AT(time_ns), 0, 0, false},
    {"timeout", take_seconds, AT(time_ns), 0, 0, false},
    {"time_based", take_switch, AT(time_based), 0, 0, true},
    {"ramp_time", take_seconds, AT(ramp_ns), 0, 0, false},
    {"random_distribution", take_distribution, 0, 0, 0, false},
    {"random_generator", take_generator, 0, 0, 0, false},
    {"randseed", take_seed, AT(seed), 1, INT64_MAX, false},
    {"randrepeat", take_switch, AT(repeatable), 0, 0, false},
    {"allrandrepeat", take_switch, AT(repeatable), 0, 0, false},
    {"norandommap", take_switch, AT(any_place), 0, 0, true},
    {"nrfiles", take_count, AT(files), 1, 1000000, false},
    {"nr_files", take_count, AT(files), 1, 1000000, false},
    {"openfiles", take_count, AT(open_files), 1, 1000000, false},
    {"file_service_type", take_order, 0, 0, 0, false},
    {"directory", take_directory, 0, 0, 0, false},
    {"filename", take_filename, 0, 0, 0, false},
    {"group_reporting", take_switch, AT(group_reporting), 0, 0, true},
    {"new_group", take_switch, AT(new_group), 0, 0, true},
    {"stonewall", take_switch, AT(waits), 0, 0, true},
    {"wait_for_previous", take_switch, AT(waits), 0, 0, true},
    {"percentile_list", take_percentiles, 0, 0, 0, false},
    {"clat_percentiles", take_switch, AT(show_clat), 0, 0, false},
    {"lat_percentiles", take_switch, AT(show_lat), 0, 0, false},
    {"slat_percentiles", take_zero, 0, 0, 0, false},
    {"overwrite", take_switch, AT(overwrite), 0, 0, false},
    {"fallocate", take_fallocate, 0, 0, 0, false},
    {"invalidate", take_switch, AT(invalidate), 0, 0, false},
    {"create_on_open", take_zero, 0, 0, 0, false},
    {"create_serialize", take_one, 0, 0, 0, false},
    {"create_fsync", take_one, 0, 0, 0, false},
    {"refill_buffers", take_one, 0, 0, 0, true},
    {"scramble_buffers", take_one, 0, 0, 0, false},
    {"zero_buffers", take_switch, AT(zeros), 0, 0, true},
    {"buffer_compress_percentage", take_count, AT(compress_percent), 0, 100, false},
    {"cpus_allowed", take_cpus, 0, 0, 0, false},
    {"cpus_allowed_policy", take_cpu_policy, 0, 0, 0, false},
};

static const struct {
    const char *key, *why;
} refused[] = {
    {"verify", "fio reads back what it wrote when it is done; isobench's own way is `isobench fileio run --verify` and "
               "`isobench fileio check`"},
    {"filename_format", "the files are called NAME.0, NAME.1 and so on; filename= names others"},
    {"bsrange", "all IOs of a job have one size (bs=)"},
    {"bssplit", "all IOs of a job have one size (bs=)"},
    {"rate_min", "a run does not end for being slow"},
    {"rate_iops_min", "a run does not end for being slow"},
    {"startdelay", "jobs begin together, or after those before them (stonewall)"},
    {"start_delay", "jobs begin together, or after those before them (stonewall)"},
    {"wait_for", "jobs begin together, or after all before them (stonewall)"},
    {"fsync_on_close", "a sync at the end is end_fsync=1, and its time counts"},
    {"kb_base", "k, m and g are 1024 and its powers"},
    {"write_bw_log", "the time series is in the result: --json=FILE"},
    {"write_lat_log", "the time series is in the result: --json=FILE"},
    {"write_iops_log", "the time series is in the result: --json=FILE"},
    {"write_hist_log", "the histograms are in the result: --json=FILE, and isobench hdr"},
    {"hipri", "isobench waits for IOs, it does not poll"},
    {"dedupe_percentage", "written blocks all differ"},
    {"buffer_pattern", "written blocks all differ, or are zeros (zero_buffers)"},
    {"offset_increment", "give each job an offset of its own"},
    {"thinktime_iotime", "thinktime_blocks says when a job pauses"},
    {"thinktime_blocks_type", "a pause comes after completed IOs"},
    {"iodepth_batch", "an IO is given to the system as soon as there is room for it"},
    {"iodepth_low", "an IO is given to the system as soon as there is room for it"},
};

static const struct row *find_row(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        if (strcmp(rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}

bool fio_key_stands_alone(const char *key)
{
    const struct row *row = find_row(key);
    return row && row->alone;
}

static bool refuse_key(const struct fio_line *line, struct error *error)
{
    char place[512], word[600];
    if (line->file)
        snprintf(word, sizeof(word), "%s: %.60s", fio_place(line->file, line->line, place, sizeof(place)), line->key);
    else
        snprintf(word, sizeof(word), "--%.60s", line->key);
    for (size_t i = 0; i < COUNT_OF(refused); ++i)
        if (strcmp(refused[i].key, line->key) == 0)
            return error_set(error, ERR_UNSUPPORTED, "%s is not supported: %s", word, refused[i].why);
    return error_set(error, ERR_UNSUPPORTED, "%s is not supported: \"fio --help\" lists the keys that are", word);
}

bool fio_given_take(struct fio_given *given, const struct fio_line *line, struct fio_text *notes, struct error *error)
{
    struct taking taking = {given, line, find_row(line->key), line->value, notes, error};
    if (!taking.row)
        return refuse_key(line, error);
    if (!taking.value && !taking.row->alone) {
        taking.value = "";
        return refuse(&taking, "given a value");
    }
    if (!taking.value)
        taking.value = "1";
    return taking.row->take(&taking);
}

void fio_given_init(struct fio_given *given)
{
    static const double percentiles[] = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
    memset(given, 0, sizeof(*given));
    given->block_bytes = 4096;
    given->loops = given->clones = given->depth = given->think_blocks = given->files = 1;
    given->read_percent = 50;
    given->seed = FIO_SEED;
    given->repeatable = given->show_clat = given->invalidate = true;
    memcpy(given->percentiles.values, percentiles, sizeof(percentiles));
    given->percentiles.count = COUNT_OF(percentiles);
}

void fio_print_usage(FILE *out)
{
    fputs("usage: fio [options] [--KEY=VALUE …] [job file …]\n"
          "Keys in front of --name=JOB are for all jobs; each --name=JOB begins one.\n"
          "  --output=FILE  --output-format=normal|json|json+  --section=NAME  --readonly  --parse-only\n"
          "  --version  --help\n"
          "Keys of jobs:\n",
          out);
    for (size_t i = 0; i < COUNT_OF(rows); ++i)
        fprintf(out, "%s%-27s%s", i % 3 == 0 ? "  " : "", rows[i].key,
                i % 3 == 2 || i + 1 == COUNT_OF(rows) ? "\n" : "");
    fputs("isobench adds: --json=FILE, --show-job, --as TOOL\n", out);
}
