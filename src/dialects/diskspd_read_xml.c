/* diskspd_read_xml.c: what DiskSpd wrote with -Rxml, of 2.0 to 2.2, through libxml2's push parser, whose types
 * stay in this file. Nothing is loaded from anywhere: a document begins at <Results>, so it has no declarations, no
 * entities of its own and no network; paths limit its depth, and the transcript its length.
 *
 * The profile of a time span becomes the command line that asks for it; its results are figures. There is no rate in
 * the document: IOs and bytes are those of the threads, over TestTimeSeconds. */
#include "core/dialect.h"
#include "core/settings.h"
#include "dialects/diskspd.h"
#include "dialects/readers.h"
#include "platform/compiler.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 256
#define VALUE_BYTES 32
#define TIME_SPANS_MAX 64
#define PIECE_BYTES ((size_t)65536)

/* ---- elements ---- */

#define SPAN "Results/Profile/TimeSpans/TimeSpan/"
#define TARGET SPAN "Targets/Target/"
#define RESULT "Results/TimeSpan/"

/* What the profile tells, in the order of the words that are made of it. */
enum field {
    DURATION,
    WARMUP,
    SEED,
    MEASURES_LATENCY,
    MEASURES_IOPS,
    THREADS_OF_ALL,
    OUTSTANDING_OF_ALL,
    BLOCK,
    BASE,
    MAX_SIZE,
    CREATED,
    THREAD_STRIDE,
    OUTSTANDING,
    WRITES,
    THREADS,
    BURST,
    THINK_TIME,
    THROUGHPUT,
    RANDOM,
    RANDOM_RATIO,
    STRIDE,
    INTERLOCKED,
    NO_OS_CACHE,
    NO_CACHE,
    WRITE_THROUGH,
    MAPPED,
    DATA_PATTERN,
    DATA_BYTES,
    FIELDS
};

enum use {
    USE_ALWAYS,  /* the option with the value behind it */
    USE_ABOVE_0, /* 0 stands for none */
    USE_TRUE,    /* the option alone */
    USE_APART,   /* it makes a word together with others */
};

static const struct element {
    const char *path, *option;
    enum use use;
    const char *setting; /* that it states */
} elements[FIELDS] = {
    [DURATION] = {SPAN "Duration", "-d", USE_ALWAYS, "time"},
    [WARMUP] = {SPAN "Warmup", "-W", USE_ALWAYS, "warmup"},
    [SEED] = {SPAN "RandSeed", "-z", USE_ALWAYS, "seed"},
    [MEASURES_LATENCY] = {SPAN "MeasureLatency", "-L", USE_TRUE, NULL},
    [MEASURES_IOPS] = {SPAN "CalculateIopsStdDev", "-D", USE_TRUE, NULL},
    [THREADS_OF_ALL] = {SPAN "ThreadCount", "-F", USE_ABOVE_0, "threads"},
    [OUTSTANDING_OF_ALL] = {SPAN "RequestCount", "-O", USE_ABOVE_0, "depth"},
    [BLOCK] = {TARGET "BlockSize", "-b", USE_ALWAYS, "block_size"},
    [BASE] = {TARGET "BaseFileOffset", "-B", USE_ABOVE_0, "start"},
    [MAX_SIZE] = {TARGET "MaxFileSize", "-f", USE_ABOVE_0, NULL},
    [CREATED] = {TARGET "FileSize", "-c", USE_ABOVE_0, NULL},
    [THREAD_STRIDE] = {TARGET "ThreadStride", "-T", USE_ABOVE_0, NULL},
    [OUTSTANDING] = {TARGET "RequestCount", "-o", USE_ABOVE_0, "depth"},
    [WRITES] = {TARGET "WriteRatio", "-w", USE_ALWAYS, "mode"},
    [THREADS] = {TARGET "ThreadsPerFile", "-t", USE_ABOVE_0, "threads"},
    [BURST] = {TARGET "BurstSize", "-i", USE_ABOVE_0, NULL},
    [THINK_TIME] = {TARGET "ThinkTime", "-j", USE_ABOVE_0, "think_time"},
    [THROUGHPUT] = {TARGET "Throughput", "-g", USE_APART, "rate"},
    [RANDOM] = {TARGET "Random", "-r", USE_ALWAYS, "align"},
    [RANDOM_RATIO] = {TARGET "RandomRatio", "-rs", USE_ABOVE_0, "random_percent"},
    [STRIDE] = {TARGET "StrideSize", "-s", USE_APART, NULL},
    [INTERLOCKED] = {TARGET "InterlockedSequential", "-si", USE_APART, NULL},
    [NO_OS_CACHE] = {TARGET "DisableOSCache", "u", USE_APART, "cache"},
    [NO_CACHE] = {TARGET "DisableAllCache", "uw", USE_APART, "cache"},
    [WRITE_THROUGH] = {TARGET "WriteThrough", "w", USE_APART, "through"},
    [MAPPED] = {TARGET "MemoryMappedIo", "m", USE_APART, "engine"},
    [DATA_PATTERN] = {TARGET "WriteBufferContent/Pattern", "-Z", USE_APART, "data"},
    [DATA_BYTES] = {TARGET "WriteBufferContent/RandomDataSource/SizeInBytes", "-Z", USE_APART, NULL},
};

/* Parts of a load that isobench has no setting for. */
static const char *const without_setting[] = {SPAN "CompletionRoutines", TARGET "ParallelAsyncIO",
                                              TARGET "UseLargePages", TARGET "DisableLocalCache"};

static const struct {
    const char *path;
    enum figure_kind kind;
    int op;
    const char *pattern;
} figures[] = {
    {RESULT "TestTimeSeconds", FIGURE_ELAPSED_NS, OP_ALL, "^{s}$"},
    {RESULT "CpuUtilization/Average/UsagePercent", FIGURE_CPU_PERCENT, OP_ALL, "^{n}$"},
    {RESULT "Latency/AverageReadMilliseconds", FIGURE_MEAN_NS, CLASS_READ, "^{ms}$"},
    {RESULT "Latency/AverageWriteMilliseconds", FIGURE_MEAN_NS, CLASS_WRITE, "^{ms}$"},
    {RESULT "Latency/AverageTotalMilliseconds", FIGURE_MEAN_NS, OP_ALL, "^{ms}$"},
    {RESULT "Latency/ReadLatencyStdev", FIGURE_STDDEV_NS, CLASS_READ, "^{ms}$"},
    {RESULT "Latency/WriteLatencyStdev", FIGURE_STDDEV_NS, CLASS_WRITE, "^{ms}$"},
    {RESULT "Latency/LatencyStdev", FIGURE_STDDEV_NS, OP_ALL, "^{ms}$"},
    {RESULT "Latency/Bucket/ReadMilliseconds", FIGURE_PERCENTILE_NS, CLASS_READ, "^{ms}$"},
    {RESULT "Latency/Bucket/WriteMilliseconds", FIGURE_PERCENTILE_NS, CLASS_WRITE, "^{ms}$"},
    {RESULT "Latency/Bucket/TotalMilliseconds", FIGURE_PERCENTILE_NS, OP_ALL, "^{ms}$"},
};

/* Each thread has them for each of its targets; all of them count. */
static const struct {
    const char *path;
    enum figure_kind kind, rate;
    int op;
} amounts[] = {
    {RESULT "Thread/Target/IOCount", FIGURE_COUNT, FIGURE_PER_S, OP_ALL},
    {RESULT "Thread/Target/ReadCount", FIGURE_COUNT, FIGURE_PER_S, CLASS_READ},
    {RESULT "Thread/Target/WriteCount", FIGURE_COUNT, FIGURE_PER_S, CLASS_WRITE},
    {RESULT "Thread/Target/BytesCount", FIGURE_BYTES, FIGURE_BYTES_PER_S, OP_ALL},
    {RESULT "Thread/Target/ReadBytes", FIGURE_BYTES, FIGURE_BYTES_PER_S, CLASS_READ},
    {RESULT "Thread/Target/WriteBytes", FIGURE_BYTES, FIGURE_BYTES_PER_S, CLASS_WRITE},
};
#define AMOUNT_IOS 0

/* ---- one document ---- */

struct document {
    const struct transcript *transcript;
    size_t line; /* where it begins, from 0 */
    xmlParserCtxtPtr parser;
    bool failed; /* error has the reason */
    struct readings *out;
    struct error *error;
    char path[PATH_BYTES], text[TEXT_MAX]; /* of the element that is open */
    char version[NAME_MAX_BYTES];
    struct reading *spans[TIME_SPANS_MAX]; /* of the profile, borrowed */
    size_t spans_known, spans_done;

    struct reading *reading; /* of the time span that is read; borrowed */
    char values[FIELDS][VALUE_BYTES], target[TEXT_MAX];
    bool rate_in_ios;
    size_t targets;
    struct job first; /* that of its first target */
    double sums[COUNT_OF(amounts)], thread_ios, percent;
    uint32_t threads;
};

static bool is_at(const struct document *document, const char *path)
{
    return strcmp(document->path, path) == 0;
}

static size_t line_of(const struct document *document)
{
    int line = xmlSAX2GetLineNumber(document->parser);
    return document->line + (line > 0 ? (size_t)line - 1 : 0);
}

static bool make_reading(struct document *document)
{
    struct reading *reading =
        readings_add(document->out, "diskspd", document->transcript, document->line, document->error);
    document->reading = reading;
    if (reading)
        snprintf(reading->version, sizeof reading->version, "%s", document->version);
    return reading != NULL;
}

/* ---- the profile, as a command line ---- */

static bool is_given(const struct document *document, enum field field)
{
    return document->values[field][0] != '\0';
}

static bool is_true(const struct document *document, enum field field)
{
    return strcmp(document->values[field], "true") == 0;
}

/* Anything but zeros. */
static bool is_above_0(const struct document *document, enum field field)
{
    return document->values[field][strspn(document->values[field], "0")] != '\0';
}

struct words {
    char text[FIELDS + 1][VALUE_BYTES + 8];
    char *list[FIELDS + 2];
    size_t count;
};

static void add_word(struct words *words, const char *option, const char *value, const char *behind)
{
    char *text = words->text[words->count];
    snprintf(text, sizeof words->text[0], "%s%s%s", option, value, behind);
    words->list[words->count++] = text;
}

static void add_plain(const struct document *document, struct words *words)
{
    static const enum field instead[][2] = {{OUTSTANDING, OUTSTANDING_OF_ALL}, {THREADS, THREADS_OF_ALL}};
    for (int i = 0; i < FIELDS; i++) {
        enum field field = (enum field)i;
        bool used = elements[i].use == USE_ALWAYS    ? is_given(document, field)
                    : elements[i].use == USE_ABOVE_0 ? is_above_0(document, field)
                                                     : elements[i].use == USE_TRUE && is_true(document, field);
        for (size_t k = 0; k < COUNT_OF(instead); k++)
            used = used && (field != instead[k][0] || !is_above_0(document, instead[k][1]));
        if (used)
            add_word(words, elements[i].option, elements[i].use == USE_TRUE ? "" : document->values[i], "");
    }
}

static void add_caches(const struct document *document, struct words *words)
{
    char letters[8] = "";
    bool mapped = is_true(document, MAPPED), all = is_true(document, NO_CACHE);
    snprintf(letters, sizeof letters, "%s%s%s", mapped ? "m" : "", all || is_true(document, NO_OS_CACHE) ? "u" : "",
             all || is_true(document, WRITE_THROUGH) ? "w" : "");
    if (letters[0])
        add_word(words, "-S", letters, "");
}

static void add_data(const struct document *document, struct words *words)
{
    if (is_above_0(document, DATA_BYTES))
        add_word(words, "-Z", document->values[DATA_BYTES], "");
    else if (strcmp(document->values[DATA_PATTERN], "zero") == 0)
        add_word(words, "-Z", "", "");
    else if (strcmp(document->values[DATA_PATTERN], "random") == 0)
        add_word(words, "-Z", "r", "");
}

/* Of the words that several elements make together. Older versions give a stride beside random IO too. */
static void make_words(struct document *document, struct words *words)
{
    add_plain(document, words);
    if (!is_given(document, RANDOM) && is_given(document, STRIDE))
        add_word(words, is_true(document, INTERLOCKED) ? "-si" : "-s", document->values[STRIDE], "");
    if (is_above_0(document, THROUGHPUT))
        add_word(words, "-g", document->values[THROUGHPUT], document->rate_in_ios ? "i" : "");
    add_caches(document, words);
    add_data(document, words);
    words->list[words->count++] = document->target;
}

static void mark_stated(struct reading *reading, const char *setting)
{
    reading->provenance[setting_find(setting) - settings] = PROVENANCE_STATED;
}

static void take_first(struct document *document, const struct job *standard)
{
    struct reading *reading = document->reading;
    reading_take_job(reading, &document->first, standard);
    for (int i = 0; i < FIELDS; i++)
        if (elements[i].setting && is_given(document, (enum field)i))
            mark_stated(reading, elements[i].setting);
    if (reading->job.mode == MODE_RNDRW || reading->job.mode == MODE_SEQRW)
        mark_stated(reading, "read_percent");
    mark_stated(reading, "target");
}

/* The figures are of all targets; what they do not have in common is not told. */
static void take_further(struct document *document, const struct job *job)
{
    struct reading *reading = document->reading;
    if (document->targets == 2)
        reading_note(reading, DISKSPD_SEVERAL_TARGETS);
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_equal(&document->first, job, &settings[i]))
            reading_forget(reading, settings[i].name);
    reading_forget(reading, "files");
    reading_forget(reading, "total_size");
}

static void end_target(struct document *document)
{
    static char reads[] = "-w0", path[] = "testfile.dat";
    char *const plain[] = {reads, path};
    const struct dialect *dialect = dialect_find("diskspd");
    struct words *words = calloc(1, sizeof *words);
    struct reading *aside = calloc(1, sizeof *aside);
    struct job standard, job;
    document->targets++;
    if (words && aside && dialect && reading_parse_command(aside, dialect, COUNT_OF(plain), plain, &standard)) {
        make_words(document, words);
        if (!reading_parse_command(document->reading, dialect, words->count, words->list, &job))
            job = standard;
        if (document->targets == 1)
            document->first = job;
        if (document->targets == 1)
            take_first(document, &standard);
        else
            take_further(document, &job);
    }
    free(words);
    free(aside);
}

/* What the whole time span tells stands before its targets. */
static void begin_target(struct document *document)
{
    memset(document->values[BLOCK], 0, (FIELDS - BLOCK) * sizeof document->values[0]);
    snprintf(document->target, sizeof document->target, "testfile.dat");
    document->rate_in_ios = false;
}

static bool begin_span(struct document *document)
{
    memset(document->values, 0, sizeof document->values);
    document->targets = 0;
    if (document->spans_known == TIME_SPANS_MAX)
        return error_set(document->error, ERR_DATA, "%s:%zu: more than %d time spans; cut it to the runs that matter",
                         document->transcript->name, line_of(document) + 1, TIME_SPANS_MAX);
    if (!make_reading(document))
        return false;
    document->reading->partial = true; /* until its results are found */
    document->spans[document->spans_known++] = document->reading;
    return true;
}

static bool take_profile(struct document *document, const char *text)
{
    for (size_t i = 0; i < COUNT_OF(without_setting); i++)
        if (is_at(document, without_setting[i]) && strcmp(text, "true") == 0)
            reading_note(document->reading, "%s: isobench has no setting for it", strrchr(document->path, '/') + 1);
    if (is_at(document, TARGET "Path"))
        snprintf(document->target, sizeof document->target, "%s", text);
    for (size_t i = 0; i < FIELDS; i++)
        if (is_at(document, elements[i].path))
            snprintf(document->values[i], VALUE_BYTES, "%.31s", text);
    return true;
}

/* ---- results ---- */

static bool refuse_number(struct document *document, const char *text)
{
    return error_set(document->error, ERR_DATA, "%s:%zu: <%s> must be a number, not '%.40s'",
                     document->transcript->name, line_of(document) + 1, strrchr(document->path, '/') + 1, text);
}

static bool put(struct document *document, struct figure figure, const char *text)
{
    snprintf(figure.text, sizeof figure.text, "%.47s", text);
    figure.line = (uint32_t)line_of(document) + 1;
    return reading_add_figure(document->reading, &figure) ||
           error_set(document->error, ERR_SYSTEM, "not enough memory for what %s tells", document->transcript->name);
}

/* Percentile 0 is the minimum, 100 the maximum. */
static struct figure figure_at(const struct document *document, size_t i, const struct captured *captured)
{
    struct figure figure = {
        .kind = figures[i].kind, .op = figures[i].op, .value = captured->value, .quantum = captured->quantum};
    if (figure.kind != FIGURE_PERCENTILE_NS)
        return figure;
    figure.percent = document->percent;
    figure.kind = document->percent <= 0     ? FIGURE_MIN_NS
                  : document->percent >= 100 ? FIGURE_MAX_NS
                                             : FIGURE_PERCENTILE_NS;
    return figure;
}

static bool take_result(struct document *document, const char *text)
{
    struct captured captured[LINE_CAPTURES];
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        if (is_at(document, figures[i].path))
            return line_match(figures[i].pattern, text, captured, NULL)
                       ? put(document, figure_at(document, i, &captured[0]), text)
                       : refuse_number(document, text);
    for (size_t i = 0; i < COUNT_OF(amounts); i++) {
        if (!is_at(document, amounts[i].path))
            continue;
        if (!line_match("^{n}$", text, captured, NULL))
            return refuse_number(document, text);
        document->sums[i] += captured[0].value;
        document->thread_ios += i == AMOUNT_IOS ? captured[0].value : 0;
    }
    if (is_at(document, RESULT "Latency/Bucket/Percentile")) {
        if (!line_match("^{n}$", text, captured, NULL))
            return refuse_number(document, text);
        document->percent = captured[0].value;
    }
    if (is_at(document, RESULT "Error"))
        reading_note(document->reading, "DiskSpd's error: %.200s", text);
    return true;
}

/* The results of the profile's time spans, in their order; without a profile their settings are unknown. */
static bool begin_result(struct document *document)
{
    memset(document->sums, 0, sizeof document->sums);
    document->threads = 0;
    if (document->spans_done >= document->spans_known)
        return make_reading(document);
    document->reading = document->spans[document->spans_done++];
    return true;
}

static bool end_thread(struct document *document)
{
    struct figure figure = {
        .kind = FIGURE_THREAD_EVENTS, .op = OP_ALL, .thread = document->threads++, .value = document->thread_ios};
    document->thread_ios = 0;
    return put(document, figure, "");
}

static bool put_amount(struct document *document, enum figure_kind kind, int op, double value, double quantum)
{
    char text[32];
    struct figure figure = {.kind = kind, .op = op, .value = value, .quantum = quantum};
    snprintf(text, sizeof text, "%.*f", quantum > 0 ? 2 : 0, value);
    return put(document, figure, text);
}

/* A class without IOs has no rate; the elapsed time is printed to 10 ms. */
static bool put_amounts(struct document *document, const struct figure *elapsed)
{
    bool good = true;
    for (size_t i = 0; good && i < COUNT_OF(amounts); i++) {
        double sum = document->sums[i], rate = sum / elapsed->value * 1e9;
        good = sum <= 0 ||
               (put_amount(document, amounts[i].kind, amounts[i].op, sum, 0) &&
                put_amount(document, amounts[i].rate, amounts[i].op, rate, rate * elapsed->quantum / elapsed->value));
    }
    return good;
}

static bool end_result(struct document *document)
{
    struct reading *reading = document->reading;
    const struct figure *found = reading ? reading_figure(reading, FIGURE_ELAPSED_NS, OP_ALL, 0) : NULL;
    char threads[16];
    if (!reading)
        return true;
    reading->partial = !found || found->value <= 0 || document->sums[AMOUNT_IOS] <= 0;
    snprintf(threads, sizeof threads, "%u", (unsigned)document->threads);
    if (document->threads > 0)
        reading_state(reading, "threads", threads);
    if (reading->partial || !found)
        return true;
    struct figure elapsed = *found; /* what is added may move it */
    return put_amounts(document, &elapsed);
}

/* ---- elements, as they begin and end ---- */

/* Attributes come in fives: name, prefix, URI, where the value begins, and where it ends. */
struct attributes {
    const xmlChar **items;
    int count;
};

static void attribute(const struct attributes *attributes, const char *name, char out[VALUE_BYTES])
{
    out[0] = '\0';
    for (int i = 0; i < attributes->count; i++) {
        const xmlChar **item = attributes->items + (size_t)i * 5;
        if (strcmp((const char *)item[0], name) == 0)
            snprintf(out, VALUE_BYTES, "%.*s", (int)(item[4] - item[3]), (const char *)item[3]);
    }
}

static bool begin_element(struct document *document, const struct attributes *attributes)
{
    struct captured captured[LINE_CAPTURES];
    char value[VALUE_BYTES];
    if (is_at(document, "Results/Profile/TimeSpans/TimeSpan"))
        return begin_span(document);
    if (is_at(document, "Results/TimeSpan"))
        return begin_result(document);
    if (document->reading && is_at(document, SPAN "Targets/Target"))
        begin_target(document);
    if (document->reading && is_at(document, TARGET "Throughput")) {
        attribute(attributes, "unit", value);
        document->rate_in_ios = strcmp(value, "IOPS") == 0;
    }
    if (!document->reading || !is_at(document, RESULT "Iops/Bucket"))
        return true;
    attribute(attributes, "Total", value);
    return reading_add_interval(document->reading, line_match("^{n}$", value, captured, NULL) ? captured[0].value : 0);
}

static bool take_text(struct document *document, const char *text)
{
    if (is_at(document, "Results/System/Tool/Version"))
        snprintf(document->version, sizeof document->version, "%.60s", text);
    if (!document->reading)
        return true;
    return take_profile(document, text) && take_result(document, text);
}

/* The text of an element stands before its end; of one with others in it, it is of no use. */
static bool end_element(struct document *document)
{
    bool good = document->text[strspn(document->text, " \n\t")] == '\0' || take_text(document, document->text);
    document->text[0] = '\0';
    if (good && document->reading && is_at(document, SPAN "Targets/Target"))
        end_target(document);
    else if (good && document->reading && is_at(document, "Results/TimeSpan/Thread"))
        good = end_thread(document);
    else if (good && is_at(document, "Results/TimeSpan"))
        good = end_result(document);
    char *last = strrchr(document->path, '/');
    *(last ? last : document->path) = '\0';
    return good;
}

static bool enter(struct document *document, const char *name)
{
    size_t used = strlen(document->path);
    int added = snprintf(document->path + used, PATH_BYTES - used, "%s%.60s", used ? "/" : "", name);
    document->text[0] = '\0';
    return (added >= 0 && (size_t)added < PATH_BYTES - used) ||
           error_set(document->error, ERR_DATA, "%s:%zu: elements are nested too deeply for DiskSpd's XML",
                     document->transcript->name, line_of(document) + 1);
}

/* ---- the parser ---- */

static void check(struct document *document, bool good)
{
    if (good)
        return;
    document->failed = true;
    xmlStopParser(document->parser);
}

static void on_begin(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **more, int count, int defaulted, const xmlChar **items)
{
    struct document *document = context;
    struct attributes attributes = {items, count};
    (void)prefix;
    (void)uri;
    (void)namespaces;
    (void)more;
    (void)defaulted;
    if (!document->failed)
        check(document, enter(document, (const char *)name) && begin_element(document, &attributes));
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct document *document = context;
    (void)name;
    (void)prefix;
    (void)uri;
    if (!document->failed)
        check(document, end_element(document));
}

/* May come in pieces. */
static void on_text(void *context, const xmlChar *text, int bytes)
{
    struct document *document = context;
    size_t used = strlen(document->text), room = sizeof document->text - used - 1;
    size_t added = (size_t)bytes < room ? (size_t)bytes : room;
    memcpy(document->text + used, text, added);
    document->text[used + added] = '\0';
}

/* In pieces: the parser refuses to hold much at a time. */
static bool parse(struct document *document, const char *text)
{
    size_t left = strlen(text);
    int problem = xmlCtxtUseOptions(document->parser, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    while (problem == 0 && !document->failed && left > 0) {
        size_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
        left -= bytes;
        problem = xmlParseChunk(document->parser, text, (int)bytes, left == 0);
        text += bytes;
    }
    if (problem == 0 || document->failed)
        return !document->failed;
    return error_set(document->error, ERR_DATA, "%s:%zu: DiskSpd's XML is not whole or not XML here",
                     document->transcript->name, line_of(document) + 1);
}

static bool read_document(const struct transcript *transcript, size_t begin, const char *text, struct readings *out,
                          struct error *error)
{
    xmlSAXHandler handler = {
        .startElementNs = on_begin, .endElementNs = on_end, .characters = on_text, .initialized = XML_SAX2_MAGIC};
    struct document *document = calloc(1, sizeof *document);
    xmlParserCtxtPtr parser = document ? xmlCreatePushParserCtxt(&handler, document, NULL, 0, NULL) : NULL;
    if (!parser) {
        free(document);
        return error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", transcript->name);
    }
    document->transcript = transcript;
    document->line = begin;
    document->parser = parser;
    document->out = out;
    document->error = error;
    bool good = parse(document, text);
    xmlFreeParserCtxt(parser);
    free(document);
    return good;
}

/* ---- documents in a text ---- */

/* DiskSpd writes the names of files as they are, "R&D.dat" too, and the transcript has undone what was written as
 * XML would have it. */
static bool is_reference(const char *text)
{
    size_t digits = strspn(text + 1, "#x0123456789abcdefABCDEF");
    return strncmp(text, "&apos;", 6) == 0 || (text[1] == '#' && text[1 + digits] == ';');
}

static char *put_line(char *to, const char *line)
{
    for (; *line; line++) {
        *to++ = *line;
        for (const char *entity = "amp;"; *line == '&' && *entity && !is_reference(line); entity++)
            *to++ = *entity;
    }
    return to;
}

/* The lines as one text. One that does not end with a tag was broken by whatever showed it: between two attributes at a
 * blank, else within a word. */
static char *join_lines(const struct transcript *transcript, size_t begin, size_t end)
{
    size_t room = 1;
    for (size_t i = begin; i < end; i++)
        room += strlen(transcript->lines[i]) * 5 + 1; /* "&" becomes "&amp;" */
    char *text = malloc(room), *to = text;
    for (size_t i = begin; text && i < end; i++) {
        const char *line = i == begin ? strstr(transcript->lines[i], "<Results>") : transcript->lines[i];
        to = put_line(to, line);
        if (to > text && to[-1] == '>')
            *to++ = '\n';
        else if (to > text && to[-1] == '"')
            *to++ = ' ';
    }
    if (text)
        *to = '\0';
    return text;
}

/* Other tools have documents of that name: one of DiskSpd has time spans. */
static bool read_lines(const struct transcript *transcript, size_t begin, size_t end, struct readings *out,
                       struct error *error)
{
    char *text = join_lines(transcript, begin, end);
    if (!text)
        return error_set(error, ERR_SYSTEM, "%s: not enough memory to read it", transcript->name);
    diskspd_xml_clean(text);
    char *behind = strstr(text, "</Results>");
    if (behind)
        behind[strlen("</Results>")] = '\0';
    bool good = !strstr(text, "<TimeSpan>") || read_document(transcript, begin, text, out, error);
    free(text);
    return good;
}

static bool read_diskspd_xml(const struct transcript *transcript, struct readings *out, struct error *error)
{
    for (size_t begin = 0, end; begin < transcript->count; begin++) {
        if (!strstr(transcript->lines[begin], "<Results>"))
            continue;
        for (end = begin + 1; end < transcript->count && !strstr(transcript->lines[end - 1], "</Results>") &&
                              !strstr(transcript->lines[end], "<Results>");)
            end++;
        if (!read_lines(transcript, begin, end, out, error))
            return false;
        begin = end - 1;
    }
    return true;
}

const struct reader diskspd_xml_reader = {"diskspd", read_diskspd_xml};
