/* report/commands.c: the command lines that make the runs of a job again. */
#include "report/draw.h"

#include "core/command.h"

#include <stdlib.h>
#include <string.h>

struct writing {
    struct markup *out;
    const struct report *report;
    struct invocation *invocation;
    struct command *command;
};

static void put_line(struct writing *writing, enum action action, const struct job *job)
{
    struct error ignored = ERROR_INIT; /* a line that cannot be written is not there */
    memset(writing->command, 0, sizeof *writing->command);
    writing->invocation->job = *job;
    writing->invocation->action = action;
    if (!writing->report->native->write(writing->invocation, &writing->invocation->job, writing->command, &ignored))
        return;
    command_markup(writing->command, "isobench", writing->out);
}

/* isobench's own run says all; of another tool's there is what its output had. */
static void put_run(struct writing *writing, const struct reading *run)
{
    if (run->result) {
        put_line(writing, ACTION_RUN, &run->job);
    } else if (run->command[0]) {
        markup_text(writing->out, run->tool);
        markup_add(writing->out, " ");
        markup_text(writing->out, run->command);
        markup_add(writing->out, "\n");
    } else {
        markup_add(writing->out, "# ");
        markup_text(writing->out, run->source);
        markup_add(writing->out, ": its command line is not in the output\n");
    }
}

static void put_set(struct writing *writing, size_t row, size_t set)
{
    const struct report_cell *cell = report_cell(writing->report, row, set);
    bool makes_files = cell->typical && cell->typical->result && cell->typical->job.target[0] == '\0';
    if (cell->count == 0)
        return;
    markup_add(writing->out, "<p>");
    draw_chip(writing->out, set);
    markup_add(writing->out, " ");
    markup_text(writing->out, writing->report->sets[set].title);
    markup_add(writing->out, "</p><pre>");
    if (makes_files)
        put_line(writing, ACTION_PREPARE, &cell->typical->job);
    for (size_t i = 0; i < cell->count; i++)
        put_run(writing, cell->runs[i]);
    if (makes_files)
        put_line(writing, ACTION_CLEANUP, &cell->typical->job);
    markup_add(writing->out, "</pre>\n");
}

void draw_commands(struct markup *out, const struct report *report, size_t row)
{
    struct writing writing = {out, report, calloc(1, sizeof *writing.invocation), calloc(1, sizeof *writing.command)};
    out->is_short |= !writing.invocation || !writing.command;
    markup_add(out, "<details class=\"commands\"><summary>Commands of these runs</summary>\n");
    for (size_t set = 0; writing.invocation && writing.command && set < report->set_count; set++)
        put_set(&writing, row, set);
    markup_add(out, "</details>\n");
    free(writing.invocation);
    free(writing.command);
}
