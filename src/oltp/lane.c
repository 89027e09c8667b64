#include "oltp/lane.h"

#include "core/units.h"
#include "oltp/bulk.h"
#include "oltp/play.h"
#include "run/pacer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOLD_SLICE_NS (100 * NS_PER_MS) /* so that a thread that waits sees the end of the run */
#define FLUSH_TRIES 100                 /* when the run is over, nothing else ends them */

struct lane {
    struct oltp *oltp;
    const struct plan *plan;
    struct worker *worker;
    struct session session;
    struct draw draw;
    struct bulk bulk;
    struct play play;
    bool thread_started;
    bool in_transaction;
    bool open_loop, from_due, paced;
    bool has_due;
    uint64_t due_ns, pause_until_ns, burst_left;
    uint64_t events_left; /* of this connection, before it is opened anew; 0 = it is not */
};

/* ---- one transaction ---- */

static enum outcome statement(struct lane *lane, enum statement_kind kind, uint64_t table)
{
    size_t count = draw_values(&lane->draw, kind);
    return session_execute(&lane->session, kind, table, lane->draw.values, count);
}

static enum outcome take_step(struct lane *lane, const struct step *step)
{
    uint64_t table = draw_table(&lane->draw);
    enum outcome outcome = OUTCOME_DONE;
    for (uint64_t i = 0; i < step->count && outcome == OUTCOME_DONE; ++i) {
        outcome = statement(lane, step->first, table);
        if (step->is_pair && outcome == OUTCOME_DONE)
            outcome = statement(lane, step->second, table);
    }
    return outcome;
}

static enum outcome try_transaction(struct lane *lane)
{
    const struct plan *plan = lane->plan;
    enum outcome outcome = OUTCOME_DONE;
    if (plan->transaction) {
        outcome = statement(lane, STATEMENT_BEGIN, 0);
        lane->in_transaction = outcome == OUTCOME_DONE;
    }
    for (size_t i = 0; i < plan->steps_count && outcome == OUTCOME_DONE; ++i)
        outcome = take_step(lane, &plan->steps[i]);
    if (plan->transaction && outcome == OUTCOME_DONE) {
        outcome = statement(lane, STATEMENT_COMMIT, 0);
        lane->in_transaction = outcome != OUTCOME_DONE;
    }
    return outcome;
}

/* Some servers have rolled back by then and refuse to do it once more, which is as well. */
static enum outcome roll_back(struct lane *lane)
{
    if (!lane->in_transaction)
        return OUTCOME_DONE;
    lane->in_transaction = false;
    return session_execute(&lane->session, STATEMENT_ROLLBACK, 0, NULL, 0) == OUTCOME_LOST ? OUTCOME_LOST
                                                                                           : OUTCOME_DONE;
}

/* After a try that did not go well: may it be tried once more? */
static enum outcome recover(struct lane *lane, enum outcome outcome)
{
    if (outcome == OUTCOME_AGAIN)
        outcome = roll_back(lane);
    if (outcome == OUTCOME_LOST && lane->plan->job->reconnect_on_loss_ns > 0) {
        lane->in_transaction = false;
        outcome = session_reopen(&lane->session);
    }
    if (outcome == OUTCOME_DONE && worker_time_is_up(lane->worker, lane->session.now_ns))
        return OUTCOME_OVER;
    return outcome;
}

static enum outcome try_event(struct lane *lane)
{
    if (lane->plan->script)
        return play_send(&lane->play, &lane->session);
    return lane->plan->bulk ? bulk_add_row(&lane->bulk, &lane->session) : try_transaction(lane);
}

/* With all its tries. */
static enum outcome event(struct lane *lane)
{
    if (lane->plan->script)
        play_draw(&lane->play, &lane->session);
    for (;;) {
        enum outcome outcome = try_event(lane);
        if (outcome == OUTCOME_DONE)
            return outcome;
        if (lane->session.measured)
            worker_record_error(lane->worker, CLASS_TRANSACTION);
        if (outcome == OUTCOME_FATAL)
            return outcome;
        outcome = recover(lane, outcome);
        if (outcome != OUTCOME_DONE)
            return outcome;
    }
}

/* ---- when ---- */

/* When the next event may start. */
static uint64_t start_from_ns(struct lane *lane)
{
    uint64_t now_ns = lane->session.now_ns;
    if (lane->open_loop && !lane->has_due) {
        lane->due_ns = pacer_take(lane->worker->pacer, now_ns);
        lane->has_due = true;
    }
    if (lane->open_loop)
        return lane->due_ns;
    if (lane->burst_left > 0)
        return now_ns;
    if (lane->pause_until_ns == 0)
        lane->pause_until_ns = now_ns + lane->plan->job->think_time_ns;
    return lane->pause_until_ns;
}

/* Waits for it, in slices. False when the run ended first. */
static bool hold(struct lane *lane)
{
    struct session *session = &lane->session;
    for (;;) {
        if (worker_time_is_up(lane->worker, session->now_ns))
            return false;
        uint64_t from_ns = start_from_ns(lane), slice_ns = session->now_ns + HOLD_SLICE_NS;
        if (from_ns <= session->now_ns)
            break;
        session->now_ns = pacer_wait(lane->worker->clock, from_ns < slice_ns ? from_ns : slice_ns);
    }
    lane->has_due = false;
    lane->pause_until_ns = 0;
    lane->burst_left = lane->burst_left > 0 ? lane->burst_left - 1 : lane->plan->job->burst - 1;
    return true;
}

static bool next_event(struct lane *lane)
{
    struct session *session = &lane->session;
    if (lane->plan->script && play_is_over(&lane->play))
        return false;
    if (lane->paced ? !hold(lane) : worker_time_is_up(lane->worker, session->now_ns))
        return false;
    session->measured = worker_measures(lane->worker, lane->open_loop ? lane->due_ns : session->now_ns);
    return worker_takes_event(lane->worker, session->measured);
}

/* ---- the loop ---- */

static void record_event(struct lane *lane, uint64_t start_ns)
{
    uint64_t end_ns = lane->session.now_ns;
    if (!lane->session.measured) {
        worker_warmed(lane->worker, end_ns - start_ns);
        return;
    }
    worker_record(lane->worker, CLASS_TRANSACTION, lane->from_due ? lane->due_ns : start_ns, end_ns, 0);
    if (lane->open_loop) {
        worker_record(lane->worker, CLASS_QUEUE_WAIT, lane->due_ns, start_ns, 0);
        worker_record(lane->worker, CLASS_SERVICE, start_ns, end_ns, 0);
    }
}

static bool explain(const struct lane *lane, enum outcome outcome, struct error *error)
{
    const struct db_failure *failure = &lane->session.failure;
    const struct job *job = lane->plan->job;
    char limit[32];
    failures_note(&lane->oltp->failures, failure, lane->plan->names[lane->session.failed]);
    if (outcome == OUTCOME_OVER)
        return error_set(error, ERR_SYSTEM, "the connection was lost and not back when the run was over: %s",
                         failure->text);
    if (outcome == OUTCOME_FATAL)
        return error_set(error, ERR_SYSTEM, "%s: %s", lane->plan->names[lane->session.failed], failure->text);
    if (job->reconnect_on_loss_ns == 0)
        return error_set(error, ERR_SYSTEM,
                         "the connection was lost: %s; --reconnect-on-loss=SECONDS would have opened it again",
                         failure->text);
    return error_set(error, ERR_SYSTEM, "the connection was lost and not back within --reconnect-on-loss=%s: %s",
                     units_time_exact(job->reconnect_on_loss_ns, limit, sizeof(limit)), failure->text);
}

/* False when the run has to end. */
static bool heed_failure(struct lane *lane, enum outcome outcome, struct error *error)
{
    if (outcome != OUTCOME_FATAL || lane->plan->job->on_error != ON_ERROR_COUNT)
        return explain(lane, outcome, error);
    failures_note(&lane->oltp->failures, &lane->session.failure, lane->plan->names[lane->session.failed]);
    if (roll_back(lane) != OUTCOME_LOST)
        return true;
    outcome = recover(lane, OUTCOME_LOST);
    return outcome == OUTCOME_DONE || outcome == OUTCOME_OVER || explain(lane, outcome, error);
}

/* reconnect_every: between two events, and in the latency of neither. */
static bool renew(struct lane *lane, struct error *error)
{
    if (lane->events_left == 0 || --lane->events_left > 0)
        return true;
    lane->events_left = lane->plan->job->reconnect_every;
    enum outcome outcome = session_reopen(&lane->session);
    return outcome == OUTCOME_DONE || outcome == OUTCOME_OVER || explain(lane, outcome, error);
}

static bool one_event(struct lane *lane, struct error *error)
{
    uint64_t start_ns = lane->session.now_ns;
    atomic_store_explicit(&lane->worker->in_flight, 1, memory_order_relaxed);
    enum outcome outcome = event(lane);
    atomic_store_explicit(&lane->worker->in_flight, 0, memory_order_relaxed);
    if (outcome == OUTCOME_OVER)
        return true;
    if (outcome != OUTCOME_DONE)
        return heed_failure(lane, outcome, error);
    record_event(lane, start_ns);
    return renew(lane, error);
}

/* The rows that are gathered still. */
static bool flush(struct lane *lane, struct error *error)
{
    enum outcome outcome = OUTCOME_DONE;
    for (int tries = 0; lane->plan->bulk && tries < FLUSH_TRIES; ++tries) {
        outcome = bulk_flush(&lane->bulk, &lane->session);
        if (outcome != OUTCOME_AGAIN)
            break;
    }
    return outcome == OUTCOME_DONE || explain(lane, outcome == OUTCOME_AGAIN ? OUTCOME_FATAL : outcome, error);
}

/* Its time was over while the server was away. What Ctrl-C ends tells that already, but rows that are gathered still.
 */
static bool ended_without_server(const struct lane *lane)
{
    bool stopped = atomic_load_explicit(&lane->worker->signals->stop_at_ns, memory_order_relaxed) == 0;
    return !lane->session.connection && (!stopped || lane->plan->bulk);
}

static bool connects_late(const struct plan *plan)
{
    return plan->script && plan->script->connects_late;
}

static bool open_session(struct lane *lane, struct error *error)
{
    struct session *session = &lane->session;
    return session_open(session, lane->oltp->doors[lane->worker->index % DOORS]) ||
           error_set(error, ERR_SYSTEM, "connection %" PRIu32 " of %" PRIu64 ": %s", lane->worker->index + 1,
                     lane->plan->job->threads, session->failure.text);
}

/* Of a script that connects late: in the measured part. */
static bool connect_late(struct lane *lane, struct error *error)
{
    uint64_t start_ns = lane->session.now_ns;
    if (!open_session(lane, error))
        return false;
    lane->session.now_ns = worker_now_ns(lane->worker);
    lane->session.measured = worker_measures(lane->worker, start_ns);
    if (lane->session.measured)
        worker_record(lane->worker, CLASS_CONNECT, start_ns, lane->session.now_ns, 0);
    return true;
}

/* The last COMMIT and, in the measured part too, the goodbye. */
static bool end_script(struct lane *lane, struct error *error)
{
    enum outcome outcome = play_end(&lane->play, &lane->session);
    if (lane->plan->script->connects_late)
        session_close(&lane->session);
    return outcome == OUTCOME_DONE || explain(lane, outcome == OUTCOME_AGAIN ? OUTCOME_FATAL : outcome, error);
}

static bool loop(struct worker *worker, void *context, struct error *error)
{
    struct lane *lane = worker->state;
    (void)context;
    lane->session.now_ns = worker_now_ns(worker);
    if (connects_late(lane->plan) && !connect_late(lane, error))
        return false;
    while (next_event(lane))
        if (!one_event(lane, error))
            return false;
    if (ended_without_server(lane))
        return explain(lane, OUTCOME_OVER, error);
    return lane->plan->script ? end_script(lane, error) : flush(lane, error);
}

/* ---- making and freeing ---- */

static bool make_parts(struct lane *lane, struct error *error)
{
    const struct plan *plan = lane->plan;
    struct worker *worker = lane->worker;
    bool good = session_init(&lane->session, plan, worker, lane->oltp->setup.password) &&
                draw_init(&lane->draw, plan, &worker->random, worker->index) &&
                (!plan->script ||
                 play_init(&lane->play, &lane->oltp->stage, &lane->session, worker->index, plan->job->threads)) &&
                (!plan->bulk || bulk_init(&lane->bulk, &lane->session));
    return good || error_set(error, ERR_SYSTEM, "not enough memory for --threads=%" PRIu64, plan->job->threads);
}

static bool enter(struct lane *lane, struct error *error)
{
    const struct plan *plan = lane->plan;
    struct session *session = &lane->session;
    if (plan->driver->thread_start)
        plan->driver->thread_start();
    lane->thread_started = true;
    if (connects_late(plan))
        return true;
    if (!open_session(lane, error))
        return false;
    return !plan->bulk || bulk_start(&lane->bulk, session) ||
           error_set(error, ERR_SYSTEM, "connection %" PRIu32 " of %" PRIu64 ": %s", lane->worker->index + 1,
                     plan->job->threads, session->failure.text);
}

static bool init(struct worker *worker, void *context, struct error *error)
{
    struct oltp *oltp = context;
    struct lane *lane = calloc(1, sizeof(*lane));
    worker->state = lane;
    if (!lane)
        return error_set(error, ERR_SYSTEM, "not enough memory for thread %" PRIu32, worker->index);
    lane->oltp = oltp;
    lane->plan = &oltp->plan;
    lane->worker = worker;
    lane->open_loop = oltp->job->rate > 0;
    lane->from_due = lane->open_loop && oltp->job->latency_from == LATENCY_FROM_DUE;
    lane->paced = lane->open_loop || oltp->job->think_time_ns > 0;
    lane->burst_left = oltp->job->burst;
    lane->events_left = oltp->job->reconnect_every;
    return make_parts(lane, error) && enter(lane, error);
}

static void done(struct worker *worker, void *context)
{
    struct lane *lane = worker->state;
    (void)context;
    if (!lane)
        return;
    session_done(&lane->session);
    draw_done(&lane->draw);
    bulk_done(&lane->bulk);
    play_done(&lane->play);
    if (lane->thread_started && lane->plan->driver->thread_stop)
        lane->plan->driver->thread_stop();
    free(lane);
}

struct load lane_load(struct oltp *oltp)
{
    return (struct load){.context = oltp,
                         .statements = oltp->plan.names,
                         .statements_count = oltp->plan.slots_count,
                         .patience_ns = OLTP_PATIENCE_NS,
                         .init = init,
                         .loop = loop,
                         .done = done};
}
