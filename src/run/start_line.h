/* run/start_line.h: jobs of one process that run together begin at one moment. Each comes to the line when its threads
 * are ready, and waits there until all have come. One that ends before that sends all others home.
 *
 * Who runs the jobs makes the line, lets them get ready one after the other (start_line_await: so that no two make or
 * open files at the same time, and listeners hear of them in order), and says for each when it has ended. */
#ifndef RUN_START_LINE_H
#define RUN_START_LINE_H

#include "platform/clock.h"
#include "platform/error.h"
#include "platform/watch.h"

#include <stdbool.h>
#include <stdint.h>

struct start_line;
struct start_place; /* one job's place at it; belongs to the line */

/* For errors: the first job's number, and the jobs' names; NULL, or one that is NULL or "": a job has its number alone.
 * Borrowed. NULL when memory is short. */
struct start_line *start_line_make(uint32_t jobs, uint32_t first_number, const char *const *names);
void start_line_free(struct start_line *line); /* NULL is fine */
struct start_place *start_line_place(struct start_line *line, uint32_t job);

/* ---- for who runs the jobs ---- */

/* Until that job has come to the line or has left it. False: it, or one before, is gone, and nobody will start. */
bool start_line_await(struct start_line *line, uint32_t job);
/* Its engine has returned. If the line has not been opened yet, it never will be. */
void start_place_leave(struct start_place *place);
/* Did this job end only because another one failed? */
bool start_place_sent_home(const struct start_place *place);
uint32_t start_place_number(const struct start_place *place); /* from 0 */

/* ---- for a job's run, on its thread ---- */

/* Called by whoever comes last: each for all jobs before the next. */
struct start_calls {
    void *context;
    void (*get_set)(void *context); /* the start is at hand */
    /* It is now, the same moment for all, on the clock and since 1970. */
    void (*set_start)(void *context, uint64_t start_ns, uint64_t wall_ns);
    void (*go)(void *context); /* lets the threads go */
};

enum start { START_GONE, START_GONE_INTERRUPTED /* Ctrl-C came with it */, START_NOT };

/* Comes to the line and waits for the start. START_NOT with the error: Ctrl-C, or another job is not there. The watch
 * is woken from then on when another job fails, until start_place_forget. */
enum start start_place_wait(struct start_place *place, struct watch *watch, const struct clock *clock,
                            const struct start_calls *calls, struct error *error);
/* This job failed in its load: the figures of the others would not be of the load that was asked for, so they end. */
void start_place_break(struct start_place *place);
/* Must it end for that? With the error that names the job. */
bool start_place_is_broken(struct start_place *place, struct error *error);
void start_place_forget(struct start_place *place); /* before the watch is freed */

#endif
