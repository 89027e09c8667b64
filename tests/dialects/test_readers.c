/* Every reader × everything that happens to text on its way from a tool to a file: what is read is the same. And what
 * is cut off, shuffled or made up is refused with a sentence, or read as far as it goes. */
#include "tests/scratch.h"

#include "core/reading.h"
#include "core/settings.h"
#include "platform/path.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct sample {
    const char *file, *tool; /* of the first run */
    size_t runs;
    double first; /* figure of the first run: events or bytes per second */
} samples[] = {
    {"sb04.txt", "sysbench", 1, 325723.37},
    {"sb10.txt", "sysbench", 1, 0},
    {"sb11.txt", "sysbench", 1, 0},
    {"oltp04.txt", "sysbench", 1, 484.73},
    {"oltp10.txt", "sysbench", 1, 319.76},
    {"laptop-sqlio-sysbench.txt", "sqlio", 4, 3835.39},
    {"sqlio.txt", "sqlio", 1, 644319.84},
    {"diskspd.txt", "diskspd", 1, 454407.41},
    {"diskspd.xml", "diskspd", 1, 344657},
    {"diskspd-2.0.xml", "diskspd", 2, 100},
    {"fio.txt", "fio", 1, 0},
    {"fiojson.txt", "fio", 1, 0},
    {"iozone.txt", "iozone", 9, 0},
    {"seeker.txt", "hdparm", 8, 0},
    {"hdparm.txt", "hdparm", 2, 0},
    {"ioping.txt", "ioping", 1, 3270},
    {"slap.txt", "mysqlslap", 3, 0},
    {"isobench.json", "isobench", 1, 0},
};

struct text {
    char *at;
    size_t bytes, room;
};

static void put_bytes(struct text *text, const char *bytes, size_t count)
{
    if (!text->at || text->bytes + count + 1 > text->room) {
        text->room = (text->bytes + count + 1) * 2;
        text->at = realloc(text->at, text->room);
        assert_non_null(text->at);
    }
    memcpy(text->at + text->bytes, bytes, count);
    text->bytes += count;
    text->at[text->bytes] = '\0';
}

static void put_text(struct text *text, const char *more)
{
    put_bytes(text, more, strlen(more));
}

static struct text load(const struct sample *sample)
{
    char path[1024];
    struct text text = {0};
    struct error error = ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s", ISO_READER_SAMPLES, sample->file);
    if (!path_read_text(path, 1 << 20, &text.at, &text.bytes, &error))
        fail_msg("%s", error.text);
    return text;
}

/* ---- what happens to text ---- */

static void keep(const char *from, struct text *out)
{
    put_text(out, from);
}

static void end_lines_as_windows(const char *from, struct text *out)
{
    for (; *from; from++)
        put_bytes(out, *from == '\n' ? "\r\n" : from, *from == '\n' ? 2 : 1);
}

/* As PowerShell's redirection writes it; characters of up to three bytes. */
static void encode_utf16(const char *from, struct text *out)
{
    put_bytes(out, "\xFF\xFE", 2);
    while (*from) {
        const unsigned char *bytes = (const unsigned char *)from;
        unsigned code = bytes[0] < 0x80   ? bytes[0]
                        : bytes[0] < 0xE0 ? (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu)
                                          : (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
        char unit[2] = {(char)(code & 0xFF), (char)(code >> 8)};
        put_bytes(out, unit, 2);
        from += bytes[0] < 0x80 ? 1 : bytes[0] < 0xE0 ? 2 : 3;
    }
}

/* Dashes, quotes and blanks as a blog has them. */
static void set_as_web_page(const char *from, struct text *out)
{
    bool open = false;
    for (; *from; from++) {
        if (strncmp(from, "--", 2) == 0 && isalpha((unsigned char)from[2]) && (from[-1] == ' ' || from[-1] == '\n')) {
            put_text(out, "\xE2\x80\x93");
            from++;
        } else if (*from == '"') {
            put_text(out, open ? "\xE2\x80\x9D" : "\xE2\x80\x9C");
            open = !open;
        } else if (*from == ' ' && from[1] == ' ') {
            put_text(out, "\xC2\xA0");
        } else {
            put_bytes(out, from, 1);
        }
    }
}

/* The page's source. */
static void set_as_html(const char *from, struct text *out)
{
    for (; *from; from++) {
        if (*from == '<')
            put_text(out, "&lt;");
        else if (*from == '>')
            put_text(out, "&gt;");
        else if (*from == '"')
            put_text(out, "&quot;");
        else if (*from == '&')
            put_text(out, "&amp;");
        else
            put_bytes(out, from, 1);
    }
}

/* The same, line by line in tags. */
static void set_in_tags(const char *from, struct text *out)
{
    struct text plain = {0};
    set_as_html(from, &plain);
    put_text(out, "<pre><code>");
    for (const char *at = plain.at; at && *at; at++) {
        if (*at == '\n')
            put_text(out, "<br />");
        put_bytes(out, at, 1);
    }
    put_text(out, "</code></pre>");
    free(plain.at);
}

static void quote(const char *from, struct text *out)
{
    put_text(out, "> ");
    for (; *from; from++)
        put_text(out, *from == '\n' ? "\n> " : (char[]){*from, '\0'});
}

/* Numbers as a German's system writes them: 3.835,39. Versions, and what is data, stay. */
static void set_decimal_commas(const char *from, struct text *out)
{
    bool is_data = strchr(from, '{') || strstr(from, "<Results>") || strstr(from, ",mixed,");
    for (const char *at = from; *at; at++) {
        size_t length = strspn(at, "0123456789.");
        size_t whole = strspn(at, "0123456789");
        bool begins = at == from || strchr(" \t=([:/|", at[-1]) != NULL;
        const char *line = at;
        while (line > from && line[-1] != '\n')
            line--;
        bool is_command = strncmp(line, "Command Line", 12) == 0 || memchr(line, '$', (size_t)(at - line)) != NULL;
        if (is_data || is_command || !begins || !whole || at[whole] != '.' || whole + 1 >= length ||
            memchr(at + whole + 1, '.', length - whole - 1)) {
            put_bytes(out, at, 1);
            continue;
        }
        for (size_t i = 0; i < length; i++) {
            if (i > 0 && i < whole && (whole - i) % 3 == 0)
                put_text(out, ".");
            put_bytes(out, at[i] == '.' ? "," : at + i, 1);
        }
        at += length - 1;
    }
}

static void break_lines(const char *from, struct text *out)
{
    size_t column = 0;
    for (; *from; from++) {
        bool begins = ((unsigned char)*from & 0xC0) != 0x80; /* a character, not the rest of one */
        if (column == 80 && begins && *from != '\n') {
            put_text(out, "\n");
            column = 0;
        }
        put_bytes(out, from, 1);
        column = *from == '\n' ? 0 : column + begins;
    }
}

static void capture_terminal(const char *from, struct text *out)
{
    put_text(out, "Last login: Tue Mar 17 02:00:01 2009\n[root@host ~]# cat result\n");
    put_text(out, from);
    put_text(out, "\n\x1B[01;32mroot@host\x1B[0m:~# exit\nlogout\n");
}

static void capture_powershell(const char *from, struct text *out)
{
    put_text(out, "Windows PowerShell\r\n\r\nPS C:\\Tools> Get-Content .\\result.txt\r\n");
    end_lines_as_windows(from, out);
    put_text(out, "\r\nPS C:\\Tools> ");
}

static void repeat_text(const char *from, struct text *out)
{
    put_text(out, from);
    put_text(out, "\n$ once more\n");
    put_text(out, from);
}

static const struct mangling {
    const char *name;
    void (*apply)(const char *from, struct text *out);
    size_t times;
} manglings[] = {
    {"plain", keep, 1},
    {"CRLF", end_lines_as_windows, 1},
    {"UTF-16", encode_utf16, 1},
    {"web page", set_as_web_page, 1},
    {"HTML", set_as_html, 1},
    {"tags", set_in_tags, 1},
    {"quoted", quote, 1},
    {"decimal commas", set_decimal_commas, 1},
    {"80 columns", break_lines, 1},
    {"terminal", capture_terminal, 1},
    {"PowerShell", capture_powershell, 1},
    {"twice", repeat_text, 2},
};

/* ---- reading ---- */

static bool read_text(const char *bytes, size_t count, struct readings *out, struct error *error)
{
    struct transcript transcript;
    if (!transcript_make(&transcript, "sample", bytes, count, error))
        return false;
    bool good = readings_find(&transcript, out, error);
    transcript_free(&transcript);
    return good;
}

static double first_rate(const struct reading *reading)
{
    static const int ops[] = {OP_ALL, CLASS_READ, CLASS_WRITE, CLASS_TRANSACTION};
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        const struct figure *figure = reading_figure(reading, FIGURE_PER_S, ops[i], 0);
        if (figure)
            return figure->value;
    }
    return 0;
}

static void expect_sample(const struct sample *sample, const struct readings *readings)
{
    const struct reading *first = readings->items[0];
    if (readings->count != sample->runs || strcmp(first->tool, sample->tool) != 0)
        fail_msg("%s: %u runs, the first of %s", sample->file, (unsigned)readings->count, first->tool);
    if (first->figures_count == 0)
        fail_msg("%s: no figures", sample->file);
    if (sample->first > 0 && first_rate(first) != sample->first)
        fail_msg("%s: %.17g per s and not %.17g", sample->file, first_rate(first), sample->first);
}

static void expect_same(const char *what, const struct reading *a, const struct reading *b)
{
    if (strcmp(a->tool, b->tool) != 0 || a->partial != b->partial || strcmp(a->version, b->version) != 0)
        fail_msg("%s: %s %s became %s %s", what, a->tool, a->version, b->tool, b->version);
    for (size_t i = 0; i < settings_count; i++)
        if (a->provenance[i] != b->provenance[i] || !setting_equal(&a->job, &b->job, &settings[i]))
            fail_msg("%s: %s %s: the setting %s is another", what, a->tool, a->name, settings[i].name);
    if (a->figures_count != b->figures_count || a->series_count != b->series_count)
        fail_msg("%s: %s: %u figures became %u, %u intervals %u", what, a->tool, (unsigned)a->figures_count,
                 (unsigned)b->figures_count, (unsigned)a->series_count, (unsigned)b->series_count);
    for (size_t i = 0; i < a->figures_count; i++)
        if (a->figures[i].kind != b->figures[i].kind || a->figures[i].value != b->figures[i].value)
            fail_msg("%s: %s: figure %u was %g and became %g", what, a->tool, (unsigned)i, a->figures[i].value,
                     b->figures[i].value);
}

static void every_reader_reads_through_every_mangling(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(samples); s++) {
        struct text text = load(&samples[s]);
        struct readings plain = {0};
        struct error error = ERROR_INIT;
        if (!read_text(text.at, text.bytes, &plain, &error))
            fail_msg("%s", error.text);
        expect_sample(&samples[s], &plain);
        for (size_t m = 0; m < COUNT_OF(manglings); m++) {
            char what[128];
            struct text mangled = {0};
            struct readings readings = {0};
            snprintf(what, sizeof what, "%s, %s", samples[s].file, manglings[m].name);
            manglings[m].apply(text.at, &mangled);
            if (!read_text(mangled.at, mangled.bytes, &readings, &error))
                fail_msg("%s: %s", what, error.text);
            if (readings.count != plain.count * manglings[m].times)
                fail_msg("%s: %u runs became %u", what, (unsigned)plain.count, (unsigned)readings.count);
            for (size_t i = 0; i < readings.count; i++)
                expect_same(what, plain.items[i % plain.count], readings.items[i]);
            readings_free(&readings);
            free(mangled.at);
        }
        readings_free(&plain);
        free(text.at);
    }
}

/* ---- figures of real outputs that are easily taken for others ---- */

static const struct told {
    const char *file;
    size_t run;
    enum figure_kind kind;
    int op;
    double percent, value; /* value −1: not told */
} told[] = {
    /* slat, clat and lat have percentiles: those of lat are whole latencies */
    {"fio-slat.txt", 0, FIGURE_PERCENTILE_NS, CLASS_READ, 99, 1598e3},
    {"fio-slat.txt", 0, FIGURE_PERCENTILE_NS, CLASS_WRITE, 99, 1074e3},
    {"fio-slat.txt", 0, FIGURE_PERCENTILE_NS, CLASS_READ, 50, 149e3},
    {"fio-slat.txt", 0, FIGURE_MEAN_NS, CLASS_READ, 0, 200.79e3},
    /* the percentiles of syncs stand below those of writes; "avg= 4.78" */
    {"fio-sync.txt", 0, FIGURE_PERCENTILE_NS, CLASS_WRITE, 99, 17e3},
    {"fio-sync.txt", 0, FIGURE_MEAN_NS, CLASS_WRITE, 0, 4.78e3},
    {"fio-sync.txt", 0, FIGURE_PER_S, CLASS_WRITE, 0, 11024 / 1.001},
    /* kb_base=1000: "BW=43.6MB/s (41.6MiB/s)" */
    {"fio-kb1000.txt", 0, FIGURE_BYTES_PER_S, CLASS_READ, 0, 43.6e6},
    {"fio-kb1000.txt", 0, FIGURE_BYTES, CLASS_READ, 0, 43.7e6},
    /* fio 2: "bw=235988KB/s, iops=58996" */
    {"fio-2.txt", 0, FIGURE_BYTES_PER_S, CLASS_READ, 0, 235988.0 * 1024},
    {"fio-2.txt", 0, FIGURE_PER_S, CLASS_READ, 0, 58996},
    {"fio-2.txt", 0, FIGURE_COUNT, CLASS_READ, 0, 1048576},
    /* two processes of one job, which ran at one time */
    {"fio-numjobs.txt", 0, FIGURE_COUNT, CLASS_READ, 0, 16288 + 16129},
    {"fio-numjobs.txt", 0, FIGURE_PER_S, CLASS_READ, 0, (16288 + 16129) / 1.001},
    {"fio-numjobs.txt", 0, FIGURE_PERCENTILE_NS, CLASS_READ, 99, -1},
    /* "28.6 k requests completed in 2.84 s, 111.7 MiB read, 10.1 k iops, 39.3 MiB/s" */
    {"ioping-flood.txt", 0, FIGURE_COUNT, CLASS_READ, 0, 28600},
    {"ioping-flood.txt", 0, FIGURE_PER_S, OP_ALL, 0, 10100},
    {"ioping-flood.txt", 0, FIGURE_BYTES_PER_S, CLASS_READ, 0, 39.3 * 0x1p20},
    {"ioping-write.txt", 0, FIGURE_PER_S, OP_ALL, 0, 1510},
    {"ioping-write.txt", 0, FIGURE_COUNT, CLASS_WRITE, 0, 4},
};

static void figures_are_those_that_the_tool_means(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        const struct sample sample = {told[i].file, "", 0, 0};
        struct text text = load(&sample);
        struct readings readings = {0};
        struct error error = ERROR_INIT;
        if (!read_text(text.at, text.bytes, &readings, &error) || readings.count <= told[i].run)
            fail_msg("%s: %u runs %s", told[i].file, (unsigned)readings.count, error.text);
        const struct figure *figure =
            reading_figure(readings.items[told[i].run], told[i].kind, told[i].op, told[i].percent);
        double value = figure ? figure->value : -1, off = value - told[i].value;
        if (fabs(off) > 1e-6 * fabs(value))
            fail_msg("%s: row %u: %.17g and not %.17g", told[i].file, (unsigned)i, value, told[i].value);
        readings_free(&readings);
        free(text.at);
    }
}

static void expect_setting(const char *file, size_t runs, const char *setting, const char *expected)
{
    const struct sample sample = {file, "", 0, 0};
    struct text text = load(&sample);
    struct readings readings = {0};
    struct error error = ERROR_INIT;
    char value[TEXT_MAX] = "unknown";
    if (!read_text(text.at, text.bytes, &readings, &error) || readings.count != runs)
        fail_msg("%s: %u runs and not %u %s", file, (unsigned)readings.count, (unsigned)runs, error.text);
    if (reading_provenance(readings.items[0], setting) != PROVENANCE_UNKNOWN)
        job_get(&readings.items[0]->job, setting_find(setting), value, sizeof value);
    if (strcmp(value, expected) != 0)
        fail_msg("%s: %s is %s and not %s", file, setting, value, expected);
    readings_free(&readings);
    free(text.at);
}

static void settings_of_real_outputs_are_told_or_open(void **state)
{
    static const struct {
        const char *file;
        size_t runs;
        const char *setting, *value;
    } rows[] = {
        {"fio-numjobs.txt", 1, "threads", "2"},
        {"fio-grouped.json", 1, "threads", "2"},
        {"fio-grouped.json", 1, "cache", "off"},
        {"fio-grouped.json", 1, "passes", "unknown"},
        {"fio-range.txt", 1, "block_size", "unknown"},
        {"fio-split.json", 1, "block_size", "unknown"},
        {"ioping-write.txt", 1, "mode", "rndwr"},
        {"ioping-write.txt", 1, "cache", "unknown"},
        {"ioping-direct.txt", 1, "cache", "off"},
        {"ioping-write.txt", 1, "block_size", "4K"},
        {"sqlio-files.txt", 1, "target", "a.dat,b.dat"},
        {"sqlio-files.txt", 1, "total_size", "200M"},
        {"sqlio-files.txt", 1, "file_choice", "turn"},
        {"diskspd-refused.txt", 1, "cache", "off"},
        {"diskspd-refused.txt", 1, "rate", "unknown"},
        {"diskspd-refused.txt", 1, "threads", "2"},
        {"fio-2.txt", 1, "depth", "32"},
        {"fio-2.txt", 1, "block_size", "4K"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect_setting(rows[i].file, rows[i].runs, rows[i].setting, rows[i].value);
}

/* ---- what is wrong ---- */

static void expect_sentence_or_runs(const char *what, const char *bytes, size_t count)
{
    struct readings readings = {0};
    struct error error = ERROR_INIT;
    bool good = read_text(bytes, count, &readings, &error);
    if (good ? readings.count == 0 : (strncmp(error.text, "sample", 6) != 0 || strchr(error.text, '\n')))
        fail_msg("%s: %s, %u runs", what, good ? "good" : error.text, (unsigned)readings.count);
    readings_free(&readings);
}

static void what_is_cut_off_is_partial_or_refused(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(samples); s++) {
        struct text text = load(&samples[s]);
        for (size_t part = 0; part < 16; part++)
            expect_sentence_or_runs(samples[s].file, text.at, text.bytes * part / 16);
        free(text.at);
    }
}

/* The lines in another order, which is the same in every run. */
static void shuffle(const char *from, struct text *out, unsigned seed)
{
    const char *lines[4096];
    size_t count = 0;
    for (; *from && count < COUNT_OF(lines); from += strcspn(from, "\n"), from += *from == '\n')
        lines[count++] = from;
    for (; count > 0; count--) {
        seed = seed * 1103515245u + 12345u;
        size_t at = (seed >> 8) % count;
        put_bytes(out, lines[at], strcspn(lines[at], "\n"));
        put_text(out, "\n");
        lines[at] = lines[count - 1];
    }
}

static void lines_in_another_order_do_no_harm(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(samples); s++) {
        struct text text = load(&samples[s]);
        for (unsigned seed = 1; seed <= 4; seed++) {
            struct text shuffled = {0};
            shuffle(text.at, &shuffled, seed);
            expect_sentence_or_runs(samples[s].file, shuffled.at, shuffled.bytes);
            free(shuffled.at);
        }
        free(text.at);
    }
}

static void what_is_hostile_is_refused_by_name(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"", "no run of a tool that can be read"},
        {"3;fio-3.33;a;0;0;177896;177718;44429;1001;0;0;0.0;0.0\n", "fio's terse output is not read"},
        {"sysbench 1.0.20 (using LuaJIT)\n\nRunning the test with following options:\nNumber of threads: 1\n\n"
         "Prime numbers limit: 10000\n\nCPU speed:\n    events per second:  3315.34\n\nGeneral statistics:\n"
         "    total time:                          1.0005s\n    total number of events:              3317\n",
         "sysbench's cpu test is of no file"},
        {"2 423059 4727 19363729 192859 211530 230200 18670 3 200475566\n", "the raw output of ioping (-B)"},
        {"{\"isobench\": 1", "sample: "},
        {"{\n\"fio version\": \"fio-3.33\", \"jobs\": [", "fio's JSON is not whole"},
        {"<Results><TimeSpan><TestTimeSeconds>1.00", "XML is not whole"},
        {"<Results>\n<TimeSpan>\n<TestTimeSeconds>soon</TestTimeSeconds></TimeSpan></Results>",
         "sample:3: <TestTimeSeconds> must be a number, not 'soon'"},
        {"<Results><!DOCTYPE Results [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><TimeSpan>&a;</TimeSpan></Results>",
         "XML is not whole or not XML here"},
        {"<Results><TimeSpan><TestTimeSeconds>&a;</TestTimeSeconds></TimeSpan></Results>", "must be a number"},
        {"<Results><Other/></Results>", "no run of a tool that can be read"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct readings readings = {0};
        struct error error = ERROR_INIT;
        if (read_text(rows[i].text, strlen(rows[i].text), &readings, &error) || !strstr(error.text, rows[i].part))
            fail_msg("%s: %s", rows[i].text, error.text);
        readings_free(&readings);
    }
}

static void elements_without_end_are_refused(void **state)
{
    struct text text = {0};
    struct readings readings = {0};
    struct error error = ERROR_INIT;
    (void)state;
    put_text(&text, "<Results><TimeSpan>");
    for (size_t i = 0; i < 100000; i++)
        put_text(&text, "<x>");
    assert_false(read_text(text.at, text.bytes, &readings, &error));
    assert_non_null(strstr(error.text, "nested too deeply"));
    readings_free(&readings);
    free(text.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reader_reads_through_every_mangling),
        cmocka_unit_test(figures_are_those_that_the_tool_means),
        cmocka_unit_test(settings_of_real_outputs_are_told_or_open),
        cmocka_unit_test(what_is_cut_off_is_partial_or_refused),
        cmocka_unit_test(lines_in_another_order_do_no_harm),
        cmocka_unit_test(what_is_hostile_is_refused_by_name),
        cmocka_unit_test(elements_without_end_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
