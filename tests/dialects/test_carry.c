/* Published command lines of every tool, carried to every other tool and back: the load survives, but for the settings
 * that a note names. */
#include "cli/as.h"
#include "core/relevance.h"
#include "core/settings.h"
#include "dialects/places.h"
#include "tests/dialects/tool_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EC2                                                                                                            \
    "--test=fileio --max-time=60 --max-requests=1000000 --file-num=1 --file-extra-flags=direct --file-fsync-freq=0 "   \
    "--file-total-size=128M "

static const struct published {
    const char *tool, *line, *params;
} published[] = {
    {"sqlio", "-kR -s300 -dc -b16 -frandom -Fparam.txt", "testfile.dat 1 0x0 3072\n"},
    {"sqlio", "-kR -t1 -s300 -dC -frandom -b16 -BH -LS -Fparam.txt", "testfile.dat 1 0x0 3072\n"},
    {"sqlio", "-kW -t2 -s120 -dD -o8 -frandom -b8 -BH -LS testfile.dat", NULL},
    {"sqlio", "-kR -t8 -s120 -o8 -fsequential -b64 -BN -LS Testfile.dat", NULL},
    {"sqlio", "-kW -s10 -f64 -i64 -b2 testfile.dat", NULL},
    {"sysbench", "--test=fileio --file-total-size=3G --file-test-mode=rndrd --max-time=300 run", NULL},
    {"sysbench", EC2 "--file-test-mode=rndrd run", NULL},
    {"sysbench", EC2 "--num-threads=64 --file-test-mode=rndrd run", NULL},
    {"sysbench", EC2 "--num-threads=64 --file-test-mode=rndwr run", NULL},
    {"sysbench", "fileio --file-total-size=64M --file-test-mode=rndrw --time=2 --threads=2 run", NULL},
    {"sysbench", "fileio --file-total-size=64M --file-test-mode=seqrd --time=2 run", NULL},
    {"sysbench", "fileio --file-total-size=64M --file-test-mode=seqwr --file-num=4 run", NULL},
    {"diskspd", "-b8K -d30 -o4 -t8 -h -r -w25 -L -Z1G -c20G io.dat", NULL},
    {"diskspd", "-d30 -W5 -Sh -b128K -o4 -t2 -r file.dat", NULL},
    {"diskspd", "-c2G -b4K -F8 -r -o32 -W60 -d60 -Sh testfile.dat", NULL},
    {"diskspd", "-c1G -b64K -t4 -T1b -s4b -o1 -w100 -d10 file.dat", NULL},
    {"diskspd", "-b8K -rs30 -w0 -d10 -g100i -o8 -t2 file.dat", NULL},
    {"seeker", "/dev/sda1", NULL},
    {"seeker", "/dev/sda2 32", NULL},
    {"hdparm", "-t /dev/sda1", NULL},
    {"hdparm", "-t --direct --offset 2 /dev/sda2", NULL},
    {"hdparm", "-T /dev/sda", NULL},
    {"iozone", "-s 102400 -r 4 -i 0 -i 2 -I -e", NULL},
    {"iozone", "-i 0 -i 1 -s 2097152 -r 128 -o -c", NULL},
    {"iozone", "-i 5 -w -s 8192 -r 64 -f x", NULL},
    {"iozone", "-t 4 -s 65536 -r 64 -i 0 -i 2", NULL},
    {"fio", "--name=a --rw=randrw --bs=4k --size=16m --runtime=1 --time_based --ioengine=psync", NULL},
    {"fio",
     "--name=a --rw=randread --bs=4k --size=1g --runtime=60 --time_based --ioengine=libaio --iodepth=32 --direct=1 "
     "--numjobs=4 --group_reporting",
     NULL},
    {"fio", "--name=a --rw=write --bs=1m --size=1g --fsync=16 --end_fsync=1", NULL},
    {"fio",
     "--name=a --rw=randwrite --bs=8k --filename=x.dat --size=1g --rate_iops=500 --ramp_time=5 --runtime=30 "
     "--time_based",
     NULL},
};

/* What --as printed of the first load: its line, the lines of a parameter file, and the notes. */
struct carried {
    char line[TOOL_TEXT_BYTES], params[TOOL_TEXT_BYTES], notes[TOOL_TEXT_BYTES];
    bool good;
};

static void add_text(char *text, const char *from, size_t bytes)
{
    size_t used = strlen(text);
    assert_true(used + bytes < TOOL_TEXT_BYTES);
    memcpy(text + used, from, bytes);
    text[used + bytes] = '\0';
}

/* Behind the lines of one load. */
static const char *skip_load(const char *text)
{
    do
        text += strcspn(text, "\n") + 1;
    while (*text == '#');
    return text;
}

static void take_carried(struct carried *out, const char *tool, const char *text)
{
    static const char params[] = "# param.txt: ";
    size_t name = strlen(tool) + 1, length = strcspn(text, "\n");
    assert_true(strncmp(text, tool, name - 1) == 0 && length > name);
    add_text(out->line, text + name, length - name);
    for (text += length + 1; *text == '#'; text += length + 1) {
        length = strcspn(text, "\n");
        if (strncmp(text, params, strlen(params)) == 0)
            add_text(out->params, text + strlen(params), length - strlen(params) + 1);
        else
            add_text(out->notes, text, length + 1);
    }
}

/* Which of the runs of its line the load is, from 1. */
static unsigned long run_of(const struct carried *carried)
{
    static const char run[] = "this load is run ", job[] = "what follows is of job ";
    const char *at = strstr(carried->notes, run);
    if (at)
        return strtoul(at + strlen(run), NULL, 10);
    at = strstr(carried->notes, job);
    return at ? strtoul(at + strlen(job), NULL, 10) : 1;
}

/* False where the tool refuses the load as a whole, which it must say by its own name. */
static bool carry(struct tool *from, unsigned long run, const char *to, struct carried *out)
{
    struct error error = ERROR_INIT;
    memset(out, 0, sizeof(*out));
    out->good = as_print(to, from->invocation, from->out, &error);
    const char *text = tool_text(from);
    for (; out->good && run > 1; run--)
        text = skip_load(text);
    if (out->good)
        take_carried(out, to, text);
    else if (strncmp(error.text, to, strlen(to)) != 0)
        fail_msg("--as %s: %s", to, error.text);
    return out->good;
}

static struct tool *make_carried(const char *tool, const struct carried *carried)
{
    struct tool *made = tool_make(tool, carried->line, carried->params[0] ? carried->params : NULL);
    if (!made->good)
        fail_msg("%s %s: %s", tool, carried->line, made->error.text);
    return made;
}

/* ---- what survives ---- */

static bool is_near(const struct job *a, const struct job *b, const struct setting *setting)
{
    double left, right;
    if (setting->type != SETTING_REAL)
        return false;
    memcpy(&left, (const char *)a + setting->offset, sizeof(left));
    memcpy(&right, (const char *)b + setting->offset, sizeof(right));
    return fabs(left - right) <= 1e-6 * fabs(left);
}

/* A set of one file and a target of its name are the same place. */
static bool is_same_place(const struct job *a, const struct job *b, const struct setting *setting)
{
    static const char *const names[] = {"target", "dir", "file_name", "files"};
    char left[PLACE_BYTES], right[PLACE_BYTES];
    bool place = false;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        place = place || strcmp(names[i], setting->name) == 0;
    place_name(a, 0, left);
    place_name(b, 0, right);
    return place && place_count(a) == place_count(b) && strcmp(left, right) == 0;
}

static bool is_kept(const struct job *a, const struct job *b, const struct setting *setting)
{
    return setting_equal(a, b, setting) || is_near(a, b, setting) || is_same_place(a, b, setting) ||
           (!setting_matters(setting, a) && !setting_matters(setting, b));
}

static bool is_noted(const struct carried *carried, const struct setting *setting)
{
    char note[NAME_MAX_BYTES + 16];
    snprintf(note, sizeof(note), "# note: %s is ", setting->name);
    return strstr(carried->notes, note) != NULL;
}

struct journey {
    const struct published *row;
    const char *to;
    struct job before, between;
    struct carried there, back;
};

/* What has no effect between got lost with the setting that gave it one, and that is noted. */
static size_t count_unnoted(const struct journey *journey, const struct job *after, const struct setting **first)
{
    size_t count = 0;
    for (size_t i = 0; i < settings_count; i++)
        if (!is_kept(&journey->before, after, &settings[i]) && !is_noted(&journey->there, &settings[i]) &&
            !is_noted(&journey->back, &settings[i]) && setting_matters(&settings[i], &journey->between) && count++ == 0)
            *first = &settings[i];
    return count;
}

/* Of the runs that the line makes, one is the load. */
static void expect_survival(const struct journey *journey, const struct invocation *after)
{
    const struct setting *lost = NULL;
    size_t least = count_unnoted(journey, &after->job, &lost);
    for (size_t i = 0; i < after->further_count && least > 0; i++) {
        size_t count = count_unnoted(journey, &after->further[i], &lost);
        least = count < least ? count : least;
    }
    if (least > 0)
        fail_msg("%s %s\n-> %s %s\n%s-> %s %s\n%sand %s is lost without a note", journey->row->tool, journey->row->line,
                 journey->to, journey->there.line, journey->there.notes, journey->row->tool, journey->back.line,
                 journey->back.notes, lost->name);
}

static void carry_back(struct journey *journey)
{
    struct tool *other = make_carried(journey->to, &journey->there);
    unsigned long run = run_of(&journey->there);
    journey->between = run > 1 ? other->invocation->further[run - 2] : other->invocation->job;
    bool good = carry(other, run, journey->row->tool, &journey->back);
    tool_free(other);
    if (!good)
        return;
    struct tool *last = make_carried(journey->row->tool, &journey->back);
    expect_survival(journey, last->invocation);
    tool_free(last);
}

static void carry_there_and_back(const struct published *row, const char *to)
{
    struct journey *journey = calloc(1, sizeof(*journey));
    struct tool *first = tool_make(row->tool, row->line, row->params);
    assert_non_null(journey);
    if (!first->good)
        fail_msg("%s %s: %s", row->tool, row->line, first->error.text);
    journey->row = row;
    journey->to = to;
    journey->before = first->invocation->job;
    bool good = carry(first, 1, to, &journey->there);
    tool_free(first);
    if (good)
        carry_back(journey);
    free(journey);
}

static void published_lines_survive_every_other_tool(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT_OF(published); row++)
        for (size_t to = 0; dialects[to]; to++)
            if (dialects[to]->write)
                carry_there_and_back(&published[row], dialects[to]->name);
}

/* Nothing is refused but what has a reason: each published load can be said in each tool's words. */
static void published_lines_can_be_said_by_every_tool(void **state)
{
    struct carried *carried = calloc(1, sizeof(*carried));
    (void)state;
    assert_non_null(carried);
    for (size_t row = 0; row < COUNT_OF(published); row++)
        for (size_t to = 0; dialects[to]; to++) {
            if (!dialects[to]->write)
                continue;
            struct tool *tool = tool_make(published[row].tool, published[row].line, published[row].params);
            if (!carry(tool, 1, dialects[to]->name, carried))
                fail_msg("%s %s --as %s is refused", published[row].tool, published[row].line, dialects[to]->name);
            tool_free(tool);
        }
    free(carried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_lines_survive_every_other_tool),
        cmocka_unit_test(published_lines_can_be_said_by_every_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
