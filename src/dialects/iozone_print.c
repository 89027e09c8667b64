/* iozone_print.c: the matrix, figure by figure as the runs end, and the report of throughput mode. Facts of form:
 * outputs of iozone 3.3 to 3.5.
 *
 * A figure is what was transferred over the time that the IOs took, one after the other: what iozone's own loop does
 * besides is next to nothing, and the start of a thread or the making of data are in no figure there either. The flush
 * of -e and the close of -c come on top. */
#include "dialects/iozone.h"

#include "core/settings.h"
#include "platform/clock.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define WIDTH 9 /* of a figure */

/* ---- figures ---- */

static void add_process(struct iozone_crowd *crowd, const struct thread_row *row)
{
    uint64_t bytes = row->read.bytes + row->write.bytes, ns = row->busy_ns + row->end_ns;
    double kb_per_s = (double)bytes * ((double)NS_PER_S / 1024) / (double)(ns ? ns : 1);
    bool first = crowd->processes++ == 0;
    crowd->bytes += bytes;
    crowd->sum += kb_per_s;
    if (first || bytes < crowd->least_bytes)
        crowd->least_bytes = bytes;
    if (first || kb_per_s < crowd->least)
        crowd->least = kb_per_s;
    if (first || kb_per_s > crowd->most)
        crowd->most = kb_per_s;
}

static void add_result(struct iozone *iozone, const struct result *result)
{
    struct iozone_crowd *crowd = &iozone->crowd;
    for (uint64_t i = 0; i < result->job.threads; ++i) {
        struct thread_row row = result->threads[i];
        if (!iozone->given.with_flush && !iozone->given.with_close)
            row.end_ns = 0;
        add_process(crowd, &row);
    }
    if (result->elapsed_ns > crowd->elapsed_ns)
        crowd->elapsed_ns = result->elapsed_ns;
}

/* ---- before the first run ---- */

/* As C's asctime, whose day of the month has two places. */
static void print_date(FILE *out)
{
    time_t now = time(NULL);
    const struct tm *local = localtime(&now);
    char day[32], rest[64];
    if (local && strftime(day, sizeof(day), "%a %b", local) && strftime(rest, sizeof(rest), "%H:%M:%S %Y", local))
        fprintf(out, "\tRun began: %s %2d %s\n\n", day, local->tm_mday, rest);
}

static bool all_tests_of_matrix(const struct iozone *iozone)
{
    return iozone->given.processes == 0 && iozone->given.tests == 0;
}

static void print_heading(const struct iozone *iozone)
{
    bool wide = (iozone->given.tests >> 9 & 3) != 0;
    fputs("                                                                random    random     bkwd    record    "
          "stride  "
          "                                  \n",
          iozone->out);
    fputs("              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read "
          "  fwrite frewrite    fread  freread",
          iozone->out);
    fputs(wide ? "   pwrite repwrite    pread  repread\n" : "\n", iozone->out);
}

/* Of the host's processor nothing is used; the two lines are there for those who read the layout line by line, with
 * what iozone says of itself when it is not told otherwise. */
static void print_banner(const struct iozone *iozone)
{
    const struct iozone_given *given = &iozone->given;
    double tick_s = 1.0 / (double)clock_system().ticks_per_s;
    fprintf(iozone->out, "\tIozone: Performance Test of File I/O\n\t        by isobench %s\n\n", ISOBENCH_VERSION);
    print_date(iozone->out);
    fputs(given->option_lines, iozone->out);
    if (all_tests_of_matrix(iozone))
        fputs("\tNot run, as isobench makes no such load: fwrite, fread (-i 6, -i 7)\n", iozone->out);
    fprintf(iozone->out, "\tCommand line used: %s\n", given->command_line);
    fprintf(iozone->out, "\tOutput is in kBytes/sec\n\tTime Resolution = %.9f seconds.\n", tick_s);
    fputs("\tProcessor cache size set to 1024 kBytes.\n\tProcessor cache line size set to 32 bytes.\n", iozone->out);
    fprintf(iozone->out, "\tFile stride size set to %" PRIu64 " * record size.\n", given->stride);
    if (given->processes == 0)
        print_heading(iozone);
}

/* ---- the matrix ---- */

static void print_blanks(FILE *out, int columns)
{
    fprintf(out, "%*s", columns * WIDTH, "");
}

static void print_cell(const struct iozone *iozone, const struct iozone_run *run)
{
    const struct iozone_row *row = &iozone->rows[run->row];
    int columns = (iozone->given.tests >> 9 & 3) != 0 ? STEP_COLUMNS : STEP_PLAIN_COLUMNS, before = (int)run->step;
    if (run->first_of_row)
        fprintf(iozone->out, "%16" PRIu64 "%8" PRIu64, row->size_kb, row->record_kb);
    else
        before = (int)run->step - (int)(run - 1)->step - 1;
    print_blanks(iozone->out, before);
    fprintf(iozone->out, "%*.0f", WIDTH, run->kb_per_s);
    if (!run->last_of_row)
        return;
    print_blanks(iozone->out, columns - (int)run->step - 1);
    fputs("\n", iozone->out);
}

/* ---- throughput mode ---- */

static void print_row_heading(const struct iozone *iozone, const struct iozone_row *row)
{
    uint64_t processes = iozone->given.processes;
    const char *one = iozone->given.pthreads ? "thread" : "process",
               *more = iozone->given.pthreads ? "threads" : "processes";
    fprintf(iozone->out, "\tThroughput test with %" PRIu64 " %s\n", processes, processes == 1 ? one : more);
    fprintf(iozone->out, "\tEach process writes a %" PRIu64 " kByte file in %" PRIu64 " kByte records\n", row->size_kb,
            row->record_kb);
}

static void print_crowd(const struct iozone *iozone, const struct iozone_run *run)
{
    const struct iozone_step *step = &iozone_steps[run->step];
    const struct iozone_crowd *crowd = &iozone->crowd;
    const char *each = iozone->given.pthreads ? "thread " : "process";
    uint64_t elapsed_ns = crowd->elapsed_ns ? crowd->elapsed_ns : 1;
    double whole = (double)crowd->bytes / 1024 / ((double)elapsed_ns / (double)NS_PER_S);
    fprintf(iozone->out, "\n\tChildren see throughput for %*" PRIu64 " %s= %10.2f kB/sec\n", step->padded ? 2 : 1,
            crowd->processes, step->crowd, crowd->sum);
    fprintf(iozone->out, "\tParent sees throughput for %*" PRIu64 " %s= %10.2f kB/sec\n", step->padded ? 2 : 1,
            crowd->processes, step->crowd, whole);
    fprintf(iozone->out, "\tMin throughput per %s \t\t\t= %10.2f kB/sec \n", each, crowd->least);
    fprintf(iozone->out, "\tMax throughput per %s \t\t\t= %10.2f kB/sec\n", each, crowd->most);
    fprintf(iozone->out, "\tAvg throughput per %s \t\t\t= %10.2f kB/sec\n", each,
            crowd->sum / (double)crowd->processes);
    fprintf(iozone->out, "\tMin xfer \t\t\t\t\t= %10.2f kB\n", (double)crowd->least_bytes / 1024);
}

/* ---- the listener ---- */

static void run_starting(void *context, const struct job *job)
{
    struct iozone *iozone = context;
    (void)job;
    if (!iozone->begun)
        print_banner(iozone);
    iozone->begun = true;
    fflush(iozone->out);
}

static void run_done(void *context, const struct result *result)
{
    struct iozone *iozone = context;
    if (iozone->done == iozone->count || result->partial)
        return; /* a part of a pass is no figure of iozone's */
    struct iozone_run *run = &iozone->runs[iozone->done++];
    add_result(iozone, result);
    if (iozone->given.processes > 0 && run->first_of_row)
        print_row_heading(iozone, &iozone->rows[run->row]);
    if (run->half)
        return; /* the other one is yet to come */
    run->kb_per_s = iozone->crowd.sum;
    if (iozone->given.processes == 0)
        run->kb_per_s = (double)(uint64_t)run->kb_per_s; /* iozone cuts */
    if (iozone->given.processes > 0)
        print_crowd(iozone, run);
    else
        print_cell(iozone, run);
    iozone->crowd = (struct iozone_crowd){0};
    fflush(iozone->out);
}

static bool all_done(void *context, struct error *error)
{
    struct iozone *iozone = context;
    if (iozone->done < iozone->count) {
        if (iozone->begun)
            fputs("\n", iozone->out);
        return true;
    }
    return iozone_report(iozone, error);
}

struct listener iozone_listener(struct iozone *iozone)
{
    return (struct listener){
        .context = iozone, .run_starting = run_starting, .run_done = run_done, .all_done = all_done};
}

void iozone_print_usage(FILE *out)
{
    fputs("usage: iozone [-a] [-s SIZE] [-r RECORD] [-i TEST] [-t PROCESSES] [options]\n"
          "  -a          all sizes of files and records [64k to 512m, 4k to 16m]\n"
          "  -s N -r N   file size, record size; more than once for several [512k, 4k]\n"
          "  -n N -g N   with -a: smallest and largest file;  -y N -q N: smallest and largest record\n"
          "  -z          with -a: short records in files of 32m and more too\n"
          "  -i N        test; more than once for several [all]: 0 write and rewrite, 1 read and reread,\n"
          "              2 random read and write, 3 backward read, 4 record rewrite, 5 stride read,\n"
          "              8 mixed (with -t), 9 pwrite, 10 pread; 6, 7, 11 and 12 are not supported\n"
          "  -t N        so many processes at once, each with its own file; -T is taken too\n"
          "  -x          with -t: all go on to their end, and all of it counts\n"
          "  -f FILE     the file [iozone.tmp];  -F FILE ...: one for each process of -t [iozone.DUMMY.N]\n"
          "  -w          files stay when all is done\n"
          "  -e -c       the flush, the close are in the time\n"
          "  -o -I -B    O_SYNC, O_DIRECT, mapped files\n"
          "  -j N        stride of the stride read, in records [17]\n"
          "  -R -b FILE  a report for spreadsheets after the figures, to a file\n"
          "  sizes are kB, or have k, m or g behind them\n"
          "isobench adds: --json=FILE, --show-job, --as TOOL\n",
          out);
}
