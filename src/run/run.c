/* run.c: the life of a run, as seen by the main thread.
 *
 *   start threads → all ready? → open the gate → (warm-up) → measured part: intervals, checkpoints
 *   → loops ended, or interrupt, error, time + grace → syncs at the end → join → merge */
#include "run/run.h"

#include "core/cpu_list.h"
#include "core/steady.h"
#include "platform/thread.h"
#include "platform/watch.h"
#include "run/cpus.h"
#include "run/sampler.h"
#include "run/snapshot.h"
#include "run/start_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENT_INTERVAL_NS NS_PER_S /* of the series when no interval was asked for */

struct run;

/* What CPUs have done until one moment. */
struct cpu_look {
    uint64_t user_ns, system_ns; /* for this process */
    struct cpus host;
};

struct seat { /* one thread of the run */
    struct worker worker;
    struct run *run;
    struct thread *thread;
    struct error error;
    uint64_t load_end_ns, end_ns;
    uint64_t finish_ns;   /* how long the syncs and closes at the end took */
    uint64_t cpu_wait_ns; /* from the start to the end of the load */
};

struct run {
    const struct run_setup *setup; /* the copy below: threads that hang in a forced shutdown look at it for ever */
    struct run_setup own_setup;
    struct listener own_listener;
    struct clock own_clock;
    struct load own_load;
    struct run_signals signals;
    _Atomic uint64_t events_taken;
    struct seat *seats;
    uint32_t threads;

    struct watch *watch;
    struct gate *start, *finish;
    _Atomic uint32_t ready, loops_ended, ended;
    _Atomic bool failed; /* a worker reported an error */
    bool walled;         /* job.stonewall */
    bool aborted;        /* set before a gate opens: go no further */

    struct pacer pacer;
    bool seeks_steady; /* the warm-up ends by the steady-state rule */
    struct steady steady;
    double steady_values[STEADY_INTERVALS]; /* newest last */
    uint32_t steady_count;
    uint64_t next_steady_ns, steady_from_ns, steady_events, steady_latency_ns;

    uint64_t started_ns, measure_from_ns, next_interval_ns, interval_ns;
    uint64_t next_live_ns; /* of the listener's watcher; UINT64_MAX = none */
    uint32_t next_checkpoint;
    bool measuring, stopping, interrupted, forced;
    uint64_t patience_until_ns; /* once Ctrl-C came; else never */
    bool broken;                /* another job, which runs together with this one, failed: */
    struct error broken_by;
    struct cpu_look before, after; /* of the measured part */
    struct sampler *sampler;       /* of job.sample; else NULL */
    struct snapshot now, at_interval, at_checkpoint;
    size_t series_room;
    struct result *result;
};

static uint64_t run_now_ns(const struct run *run)
{
    return clock_now_ns(run->setup->clock);
}

/* ---- the worker's side ---------------------------------------------------------------------------- */

static void seat_fail(struct seat *seat)
{
    atomic_store(&seat->run->failed, true);
    atomic_store_explicit(&seat->run->signals.stop_at_ns, 0, memory_order_relaxed);
}

static bool bind_cpu(struct seat *seat)
{
    const char *cpus = seat->run->setup->job->cpus;
    uint32_t count = cpu_list_count(cpus);
    return count == 0 || thread_bind(cpu_list_at(cpus, seat->worker.index % count), &seat->error);
}

/* Of this thread; outside the load, and on its own thread because a thread that has ended is forgotten. */
static uint64_t cpu_wait_now_ns(void)
{
    uint64_t wait_ns = 0;
    return host_run_wait(&wait_ns) ? wait_ns : 0;
}

/* A thread that is through ends the measured part for all: what starts from now on is as if it were warm-up. */
static void end_load(struct seat *seat, bool good)
{
    struct run *run = seat->run;
    seat->load_end_ns = worker_now_ns(&seat->worker);
    if (good && run->walled)
        atomic_store(&run->signals.measure_from_ns, UINT64_MAX);
}

static void seat_body(void *argument)
{
    struct seat *seat = argument;
    struct run *run = seat->run;
    const struct load *load = run->setup->load;
    struct worker *worker = &seat->worker;

    bool good = bind_cpu(seat) && load->init(worker, load->context, &seat->error);
    if (!good)
        seat_fail(seat);
    uint64_t waited_ns = cpu_wait_now_ns();
    atomic_fetch_add(&run->ready, 1);
    watch_wake(run->watch);
    gate_wait(run->start);

    bool loaded = good && !run->aborted;
    if (loaded && !load->loop(worker, load->context, &seat->error)) {
        seat_fail(seat);
        loaded = false;
    }
    end_load(seat, loaded);
    seat->cpu_wait_ns = cpu_wait_now_ns() - waited_ns;
    atomic_fetch_add(&run->loops_ended, 1);
    watch_wake(run->watch);
    gate_wait(run->finish);

    uint64_t finish_ns = worker_now_ns(worker);
    if (good && !run->aborted && load->finish && !load->finish(worker, load->context, &seat->error))
        seat_fail(seat);
    seat->end_ns = worker_now_ns(worker);
    seat->finish_ns = seat->end_ns - finish_ns;
    load->done(worker, load->context);
    atomic_fetch_add(&run->ended, 1);
    watch_wake(run->watch);
}

/* ---- counting ------------------------------------------------------------------------------------- */

static void take_snapshot(struct run *run)
{
    snapshot_begin(&run->now, run_now_ns(run));
    for (uint32_t i = 0; i < run->threads; ++i)
        snapshot_add(&run->now, &run->seats[i].worker, run->setup->job);
}

static bool any_end_sync(const struct run *run)
{
    bool any = false;
    for (uint32_t i = 0; i < run->threads; ++i)
        any = any || atomic_load(&run->seats[i].worker.classes[CLASS_END_SYNC].latency.min_ns_plus_1) > 0;
    return any;
}

/* ---- series and checkpoints ------------------------------------------------------------------------- */

static bool series_add(struct run *run, const struct interval *interval)
{
    struct result *result = run->result;
    if (result->series_count == run->series_room) {
        size_t room = run->series_room ? run->series_room * 2 : 64;
        struct interval *more = realloc(result->series, room * sizeof(*more));
        if (!more)
            return false;
        result->series = more;
        run->series_room = room;
    }
    result->series[result->series_count++] = *interval;
    return true;
}

static uint64_t in_flight(const struct run *run)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->threads; ++i)
        count += atomic_load_explicit(&run->seats[i].worker.in_flight, memory_order_relaxed);
    return count;
}

/* Closes the interval that ends with run->now, which is spent then. */
static void close_interval(struct run *run, bool show)
{
    const struct listener *listener = run->setup->listener;
    const struct job *job = run->setup->job;
    struct interval interval = snapshot_interval(&run->at_interval, &run->now, job, run->measure_from_ns);
    if (job->rate > 0) {
        interval.waiting = pacer_waiting(&run->pacer, run->now.at_ns);
        interval.running = in_flight(run);
    }
    if (run->setup->load->interval)
        run->setup->load->interval(run->setup->load->context, &interval);
    if (series_add(run, &interval) && show && job->report_interval_ns > 0 && listener->run_interval)
        listener->run_interval(listener->context, job, &interval);
    snapshot_swap(&run->at_interval, &run->now);
}

static void pass_checkpoint(struct run *run, const struct snapshot *now)
{
    const struct listener *listener = run->setup->listener;
    struct result *since = snapshot_since(&run->at_checkpoint, now, run->setup->job);
    if (since && listener->run_checkpoint)
        listener->run_checkpoint(listener->context, since, now->at_ns - run->measure_from_ns);
    result_free(since);
    snapshot_copy(&run->at_checkpoint, now);
    ++run->next_checkpoint;
}

static void tell_watcher(struct run *run, enum run_phase phase, uint64_t measured_ns, const struct tally *total)
{
    const struct live_watcher *watcher = run->setup->listener->live;
    struct host_sample sample = {0};
    struct live_figures figures = {run->setup->job, phase, measured_ns, total, NULL};
    if (!watcher)
        return;
    if (run->sampler && sampler_newest(run->sampler, &sample))
        figures.newest = &sample;
    watcher->look(watcher->context, &figures);
    host_sample_done(&sample);
}

static void show_live(struct run *run, uint64_t now_ns)
{
    if (now_ns < run->next_live_ns)
        return;
    take_snapshot(run);
    if (run->measuring)
        tell_watcher(run, PHASE_MEASURING, run->now.at_ns - run->measure_from_ns, run->now.total);
    else
        tell_watcher(run, PHASE_WARMING, 0, run->now.total);
    while (run->next_live_ns <= now_ns)
        run->next_live_ns += run->setup->listener->live->interval_ns;
}

/* ---- the main thread's side ------------------------------------------------------------------------- */

static uint64_t sum_or_never(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t checkpoint_at_ns(const struct run *run)
{
    const struct real_list *list = &run->setup->job->checkpoints;
    if (run->next_checkpoint >= list->count)
        return UINT64_MAX;
    return run->measure_from_ns + (uint64_t)(list->values[run->next_checkpoint] * (double)NS_PER_S);
}

static uint64_t time_limit_ns(const struct run *run)
{
    uint64_t time_ns = run->setup->job->time_ns;
    return time_ns ? sum_or_never(run->measure_from_ns, time_ns) : UINT64_MAX;
}

static uint64_t forced_at_ns(const struct run *run)
{
    uint64_t grace_ns = run->setup->job->shutdown_grace_ns;
    uint64_t at_ns = grace_ns == NO_GRACE || !run->measuring ? UINT64_MAX : sum_or_never(time_limit_ns(run), grace_ns);
    return least(at_ns, run->patience_until_ns);
}

static uint64_t next_appointment_ns(const struct run *run)
{
    uint64_t at_ns = least(forced_at_ns(run), run->stopping ? UINT64_MAX : run->next_live_ns);
    if (!run->measuring)
        return least(at_ns,
                     run->seeks_steady ? least(run->measure_from_ns, run->next_steady_ns) : run->measure_from_ns);
    if (!run->stopping)
        at_ns = least(at_ns, least(run->next_interval_ns, checkpoint_at_ns(run)));
    return at_ns;
}

/* The limit first: a worker that sees the measured part begin must know its end. */
static void set_measured_part(struct run *run, uint64_t from_ns)
{
    run->measure_from_ns = from_ns;
    atomic_store(&run->signals.stop_at_ns, run->stopping ? 0 : time_limit_ns(run));
    atomic_store(&run->signals.measure_from_ns, from_ns);
    if (atomic_load(&run->failed)) /* a worker that failed meanwhile had stopped the run */
        atomic_store(&run->signals.stop_at_ns, 0);
    if (run->setup->job->rate > 0)
        pacer_restart(&run->pacer, from_ns);
}

/* Looking at the host's CPUs takes CPU time of its own, which belongs to no measured part. */
static void look_before(struct run *run)
{
    cpus_look(&run->before.host);
    host_cpu_time(&run->before.user_ns, &run->before.system_ns);
}

static void look_after(struct run *run)
{
    host_cpu_time(&run->after.user_ns, &run->after.system_ns);
    cpus_look(&run->after.host);
}

/* From measure_from_ns on. */
static void note_measured_part(struct run *run, uint64_t wall_ns)
{
    run->measuring = run->result->measured = true;
    run->result->wall_start_ns = wall_ns;
    run->at_interval.at_ns = run->at_checkpoint.at_ns = run->measure_from_ns;
    run->next_interval_ns = run->measure_from_ns + run->interval_ns;
    if (run->sampler)
        sampler_measure_from(run->sampler, run->measure_from_ns);
    if (run->setup->load->measuring)
        run->setup->load->measuring(run->setup->load->context, run->measure_from_ns);
}

static void tell(const struct run *run, void (*told)(void *, const struct job *))
{
    if (told)
        told(run->setup->listener->context, run->setup->job);
}

static void begin_measuring(struct run *run)
{
    if (run->seeks_steady)
        set_measured_part(run, run_now_ns(run));
    look_before(run);
    note_measured_part(run, clock_wall_ns());
    tell(run, run->setup->listener->run_measuring);
}

/* One more interval of the warm-up: what it did, as the rule's metric. */
static double steady_value(struct run *run, uint64_t now_ns)
{
    uint64_t events = 0, latency_ns = 0;
    for (uint32_t i = 0; i < run->threads; ++i) {
        events += atomic_load_explicit(&run->seats[i].worker.warm_events, memory_order_relaxed);
        latency_ns += atomic_load_explicit(&run->seats[i].worker.warm_latency_ns, memory_order_relaxed);
    }
    uint64_t new_events = events - run->steady_events, new_latency_ns = latency_ns - run->steady_latency_ns;
    uint64_t span_ns = now_ns - run->steady_from_ns;
    run->steady_events = events;
    run->steady_latency_ns = latency_ns;
    run->steady_from_ns = now_ns;
    if (run->steady.metric == STEADY_IOPS)
        return span_ns ? (double)new_events * 1e9 / (double)span_ns : 0;
    return new_events ? (double)new_latency_ns / (double)new_events : 0;
}

static bool is_steady(struct run *run, uint64_t now_ns)
{
    if (now_ns < run->next_steady_ns)
        return false;
    run->next_steady_ns = now_ns + run->interval_ns;
    memmove(run->steady_values, run->steady_values + 1, sizeof(run->steady_values) - sizeof(run->steady_values[0]));
    run->steady_values[STEADY_INTERVALS - 1] = steady_value(run, now_ns);
    return ++run->steady_count >= STEADY_INTERVALS && steady_holds(&run->steady, run->steady_values);
}

static void warm_up(struct run *run, uint64_t now_ns)
{
    if (run->seeks_steady && is_steady(run, now_ns)) {
        begin_measuring(run);
    } else if (now_ns >= run->measure_from_ns) {
        run->result->steady_state_missed = run->seeks_steady;
        begin_measuring(run);
    }
}

static void stop_now(struct run *run)
{
    atomic_store_explicit(&run->signals.stop_at_ns, 0, memory_order_relaxed);
    run->stopping = true;
}

/* The first Ctrl-C lets what is in flight end, for as long as the load has patience; the second waits for nothing. */
static void be_interrupted(struct run *run)
{
    uint64_t patience_ns = run->setup->load->patience_ns;
    run->forced = run->interrupted;
    if (!run->interrupted && patience_ns > 0)
        run->patience_until_ns = sum_or_never(run_now_ns(run), patience_ns);
    run->interrupted = run->result->partial = true;
}

static void interrupt(struct run *run)
{
    be_interrupted(run);
    stop_now(run);
}

static void keep_appointments(struct run *run)
{
    uint64_t now_ns = run_now_ns(run);
    if (!run->stopping)
        show_live(run, now_ns);
    if (now_ns >= forced_at_ns(run)) {
        run->forced = run->result->partial = true;
        stop_now(run);
        return;
    }
    if (!run->measuring) {
        warm_up(run, now_ns);
        return;
    }
    if (run->stopping || now_ns < least(run->next_interval_ns, checkpoint_at_ns(run)))
        return;
    take_snapshot(run);
    struct snapshot *taken = &run->now;
    if (now_ns >= run->next_interval_ns) {
        close_interval(run, true);
        taken = &run->at_interval;
        while (run->next_interval_ns <= taken->at_ns)
            run->next_interval_ns += run->interval_ns;
    }
    if (now_ns >= checkpoint_at_ns(run))
        pass_checkpoint(run, taken);
}

static void heed_others(struct run *run)
{
    struct start_place *place = run->setup->place;
    if (!place || run->broken || run->stopping || !start_place_is_broken(place, &run->broken_by))
        return;
    run->broken = run->result->partial = true;
    stop_now(run);
}

/* Until `counter` reaches the number of threads, or the run is forced to end. */
static void wait_for_all(struct run *run, _Atomic uint32_t *counter)
{
    while (atomic_load(counter) < run->threads && !run->forced) {
        uint64_t now_ns = run_now_ns(run), next_ns = next_appointment_ns(run);
        uint64_t wait_ns = next_ns == UINT64_MAX ? UINT64_MAX : next_ns > now_ns ? next_ns - now_ns : 0;
        switch (watch_wait(run->watch, wait_ns)) {
        case WATCH_INTERRUPTED:
            interrupt(run);
            break;
        case WATCH_WOKEN:
            heed_others(run);
            break;
        case WATCH_TIME:
            break;
        }
        if (!run->forced && atomic_load(counter) < run->threads)
            keep_appointments(run);
    }
}

static bool refuse_unready(const struct run *run, struct error *error)
{
    uint32_t ready = atomic_load(&run->ready);
    if (run->interrupted)
        return error_set(error, ERR_INTERRUPTED, "interrupted before the run began; %u of %u threads do not get ready",
                         run->threads - ready, run->threads);
    return error_set(error, ERR_SYSTEM, "%u of %u threads were not ready, and none got so within --init-timeout=%.3g s",
                     run->threads - ready, run->threads, (double)run->setup->job->init_timeout_ns / 1e9);
}

/* Threads are made and their init is done; false when one failed, is late or Ctrl-C came. */
static bool wait_until_ready(struct run *run, struct error *error)
{
    uint64_t limit_ns = run->setup->job->init_timeout_ns;
    uint64_t deadline_ns = limit_ns ? sum_or_never(run_now_ns(run), limit_ns) : UINT64_MAX;
    for (uint32_t before = 0, ready; (ready = atomic_load(&run->ready)) < run->threads; before = ready) {
        uint64_t now_ns = run_now_ns(run);
        if (ready > before && limit_ns && !run->interrupted) /* a thousand connections take their time */
            deadline_ns = sum_or_never(now_ns, limit_ns);
        if (now_ns >= deadline_ns || run->forced) {
            run->forced = true; /* a thread that hangs in its start cannot be joined */
            return refuse_unready(run, error);
        }
        if (watch_wait(run->watch, deadline_ns == UINT64_MAX ? UINT64_MAX : deadline_ns - now_ns) != WATCH_INTERRUPTED)
            continue;
        be_interrupted(run);
        if (run->patience_until_ns == UINT64_MAX)
            break;
        deadline_ns = least(deadline_ns, run->patience_until_ns);
    }
    if (run->interrupted)
        return error_set(error, ERR_INTERRUPTED, "interrupted before the run began");
    return !atomic_load(&run->failed);
}

/* What takes a moment comes before the clock is read, so that nothing stands between the start and the load. */
static void get_set(void *context)
{
    struct run *run = context;
    if (run->setup->job->warmup_ns == 0)
        look_before(run);
}

/* With a steady-state rule the workers are told of the measured part when it begins, not before. */
static void set_start(void *context, uint64_t start_ns, uint64_t wall_ns)
{
    struct run *run = context;
    const struct job *job = run->setup->job;
    run->started_ns = run->steady_from_ns = start_ns;
    run->measure_from_ns = run->started_ns + job->warmup_ns;
    run->next_steady_ns = run->started_ns + run->interval_ns;
    if (run->setup->listener->live)
        run->next_live_ns = run->started_ns + run->setup->listener->live->interval_ns;
    atomic_store(&run->signals.stop_at_ns, UINT64_MAX);
    if (!run->seeks_steady)
        set_measured_part(run, run->measure_from_ns);
    if (job->rate > 0)
        pacer_start(&run->pacer, run->started_ns);
    if (run->sampler)
        sampler_start(run->sampler);
    if (job->warmup_ns == 0)
        note_measured_part(run, wall_ns);
}

static void go(void *context)
{
    struct run *run = context;
    gate_open(run->start);
}

static bool open_start(struct run *run, struct error *error)
{
    const struct listener *listener = run->setup->listener;
    struct start_calls calls = {run, get_set, set_start, go};
    enum start start = START_GONE;
    if (run->setup->place) {
        start = start_place_wait(run->setup->place, run->watch, run->setup->clock, &calls, error);
        if (start == START_NOT)
            return false;
    } else {
        get_set(run);
        set_start(run, run_now_ns(run), clock_wall_ns());
        go(run);
    }
    tell(run, run->measuring ? listener->run_measuring : listener->run_warming);
    if (start == START_GONE_INTERRUPTED)
        interrupt(run);
    return true;
}

/* Opens both gates for threads that shall do nothing more, and joins them. */
static void dismiss(struct run *run, uint32_t started)
{
    run->aborted = true;
    gate_open(run->start);
    gate_open(run->finish);
    for (uint32_t i = 0; i < started; ++i)
        thread_join(run->seats[i].thread);
}

static void take_first_error(const struct run *run, struct error *error)
{
    for (uint32_t i = 0; i < run->threads && error->kind == ERR_NONE; ++i)
        *error = run->seats[i].error;
}

/* ---- the figures -------------------------------------------------------------------------------------- */

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t measured_end_ns(const struct seat *seat)
{
    uint64_t until_ns = seat->worker.measured_until_ns;
    return seat->run->walled && until_ns ? until_ns : seat->load_end_ns;
}

static void note_ends(struct run *run)
{
    struct result *result = run->result;
    uint64_t measured_ns = run->measure_from_ns, load_end_ns = run->measure_from_ns, end_ns = run->measure_from_ns;
    for (uint32_t i = 0; i < run->threads && !run->forced; ++i) {
        measured_ns = greatest(measured_ns, measured_end_ns(&run->seats[i]));
        load_end_ns = greatest(load_end_ns, run->seats[i].load_end_ns);
        end_ns = greatest(end_ns, run->seats[i].end_ns);
    }
    if (run->forced)
        measured_ns = load_end_ns = end_ns = run->now.at_ns;
    if (!run->measuring)
        measured_ns = load_end_ns = end_ns = run->measure_from_ns;
    result->load_ns = measured_ns - run->measure_from_ns;
    /* without syncs or closes at the end, what is between the two ends is only the threads' way home */
    bool finished = run->now.total->of[CLASS_END_SYNC].latency.count > 0 || run->setup->job->close_at_end;
    result->end_sync_ns = finished ? end_ns - load_end_ns : 0;
    result->elapsed_ns = result->load_ns + result->end_sync_ns;
    result->end_sync_count = run->now.total->of[CLASS_END_SYNC].latency.count;
    run->now.at_ns = run->measure_from_ns + result->elapsed_ns;
}

/* Of the whole measured part; they are in no interval. */
static void collect_statements(struct run *run)
{
    const struct load *load = run->setup->load;
    if (load->statements_count == 0 || !result_statements(run->result, load->statements_count))
        return;
    for (size_t i = 0; i < load->statements_count; ++i) {
        struct statement_row *row = &run->result->statements[i];
        snprintf(row->name, sizeof(row->name), "%s", load->statements[i]);
        for (uint32_t seat = 0; seat < run->threads; ++seat)
            snapshot_add_class(&row->tally, &run->seats[seat].worker.statements[i]);
    }
}

static void note_unfinished(struct run *run)
{
    run->result->unfinished = in_flight(run);
}

/* 0 where the measured part was noticed only after its end. */
static uint64_t difference(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

static void collect(struct run *run)
{
    struct result *result = run->result;
    result->forced = run->forced;
    if (run->forced)
        note_unfinished(run);
    take_snapshot(run);
    note_ends(run);
    result->total = *run->now.total;
    memcpy(result->threads, run->now.rows, run->threads * sizeof(*result->threads));
    for (uint32_t i = 0; i < run->threads; ++i) {
        snapshot_thread_class(&result->threads[i].read, &run->seats[i].worker.classes[CLASS_READ]);
        snapshot_thread_class(&result->threads[i].write, &run->seats[i].worker.classes[CLASS_WRITE]);
        result->threads[i].end_ns = run->forced ? 0 : run->seats[i].finish_ns;
    }
    collect_statements(run);
    if (!run->measuring)
        return;
    if (run->setup->job->rate > 0)
        result->start_delay_max_ns = run->pacer.latest_start_ns;
    result->warmup_ns = run->measure_from_ns - run->started_ns;
    result->cpu_user_ns = difference(run->before.user_ns, run->after.user_ns);
    result->cpu_system_ns = difference(run->before.system_ns, run->after.system_ns);
    result->cpus = cpus_between(&run->before.host, &run->after.host, result->elapsed_ns, &result->cpus_count);
    for (uint32_t i = 0; i < run->threads && !run->forced; ++i)
        result->cpu_wait_ns += run->seats[i].cpu_wait_ns;
    if (run->now.at_ns < run->at_interval.at_ns)
        run->now.at_ns = run->at_interval.at_ns; /* the last snapshot was taken after the last completion */
    if (run->next_checkpoint > 0)
        result->since_checkpoint = snapshot_since(&run->at_checkpoint, &run->now, run->setup->job);
    if (result->since_checkpoint)
        result->since_checkpoint->unfinished = result->unfinished;
    close_interval(run, false);
}

/* ---- building and taking down ------------------------------------------------------------------------- */

static bool seat_init(struct run *run, uint32_t index)
{
    struct worker *worker = &run->seats[index].worker;
    run->seats[index].run = run;
    worker->clock = run->setup->clock;
    worker->signals = &run->signals;
    worker->events_limit = run->setup->job->events;
    worker->events_taken = worker->events_limit ? &run->events_taken : NULL;
    worker->index = index;
    worker->pacer = run->setup->job->rate > 0 ? &run->pacer : NULL;
    random_init(&worker->random, run->setup->job->seed, index);
    worker->classes = calloc(CLASS_COUNT, sizeof(*worker->classes));
    worker->statements = calloc(run->setup->load->statements_count + 1, sizeof(*worker->statements));
    return worker->classes && worker->statements;
}

static bool run_init(struct run *run, struct error *error)
{
    uint32_t threads = run->threads;
    atomic_store(&run->signals.measure_from_ns, UINT64_MAX);
    run->measure_from_ns = run->next_live_ns = run->patience_until_ns = UINT64_MAX;
    run->seats = calloc(threads, sizeof(*run->seats));
    run->start = gate_make();
    run->finish = gate_make();
    bool good = run->seats && run->start && run->finish && snapshot_init(&run->now, threads) &&
                snapshot_init(&run->at_interval, threads) && snapshot_init(&run->at_checkpoint, threads);
    for (uint32_t i = 0; good && i < threads; ++i)
        good = seat_init(run, i);
    good = good && (run->setup->job->rate == 0 || pacer_init(&run->pacer, run->setup->job));
    if (!good)
        return error_set(error, ERR_SYSTEM, "not enough memory for --threads=%u", threads);
    run->walled = run->setup->job->stonewall;
    run->seeks_steady = steady_parse(run->setup->job->steady_state, &run->steady);
    if (run->setup->job->sample_ns > 0 &&
        !sampler_make(&run->sampler, run->setup->clock, run->setup->job->sample_ns, error))
        return false;
    return watch_make(&run->watch, error);
}

static void run_free(struct run *run)
{
    for (uint32_t i = 0; run->seats && i < run->threads; ++i) {
        free(run->seats[i].worker.classes);
        free(run->seats[i].worker.statements);
    }
    free(run->seats);
    cpus_done(&run->before.host);
    cpus_done(&run->after.host);
    snapshot_done(&run->now);
    snapshot_done(&run->at_interval);
    snapshot_done(&run->at_checkpoint);
    pacer_done(&run->pacer);
    gate_free(run->start);
    gate_free(run->finish);
    watch_free(run->watch);
    sampler_free(run->sampler);
    free(run);
}

static bool start_threads(struct run *run, struct error *error)
{
    for (uint32_t i = 0; i < run->threads; ++i) {
        struct seat *seat = &run->seats[i];
        if (!thread_start(&seat->thread, seat_body, seat, run->setup->job->stack_size_bytes, error)) {
            dismiss(run, i);
            return false;
        }
    }
    return true;
}

/* Of all threads: the loops, then the syncs at the end. */
static void wait_for_load(struct run *run)
{
    wait_for_all(run, &run->loops_ended);
    look_after(run);
    if (run->setup->place && atomic_load(&run->failed))
        start_place_break(run->setup->place);
    if (run->forced)
        return;
    run->stopping = true;
    run->aborted = run->interrupted || run->broken || atomic_load(&run->failed);
    gate_open(run->finish);
    wait_for_all(run, &run->ended);
    if (any_end_sync(run))
        look_after(run);
}

/* From the open gate to the joined threads. False when a worker failed, here or in a job that runs together with it. */
static bool conduct(struct run *run, struct error *error)
{
    wait_for_load(run);
    for (uint32_t i = 0; i < run->threads && !run->forced; ++i)
        thread_join(run->seats[i].thread);
    if (!run->measuring && !run->seeks_steady && run_now_ns(run) >= run->measure_from_ns)
        begin_measuring(run);
    sampler_stop(run->sampler);
    collect(run);
    tell_watcher(run, PHASE_DONE, run->result->elapsed_ns, &run->result->total);
    if (run->sampler)
        sampler_take(run->sampler, &run->result->host_series);
    if (run->forced && run->interrupted)
        return error_set(error, ERR_INTERRUPTED,
                         "interrupted, and cut off with %" PRIu64 " operations in flight that did not end",
                         run->result->unfinished);
    if (!atomic_load(&run->failed) && !run->broken)
        return true;
    run->result->partial = true;
    take_first_error(run, error);
    return error_set(error, run->broken_by.kind, "%s", run->broken_by.text);
}

static void keep_setup(struct run *run, const struct run_setup *setup)
{
    run->own_listener = *setup->listener;
    run->own_clock = *setup->clock;
    run->own_load = *setup->load;
    run->own_setup = (struct run_setup){setup->job, &run->own_listener, &run->own_clock, &run->own_load, setup->place};
    run->setup = &run->own_setup;
}

bool run_load(const struct run_setup *setup, struct result *result, struct error *error)
{
    struct run *run = calloc(1, sizeof(*run));
    if (!run)
        return error_set(error, ERR_SYSTEM, "not enough memory to start a run");
    keep_setup(run, setup);
    run->result = result;
    run->threads = (uint32_t)setup->job->threads;
    run->interval_ns = setup->job->report_interval_ns ? setup->job->report_interval_ns : SILENT_INTERVAL_NS;

    bool good = run_init(run, error) && start_threads(run, error);
    if (good && !(wait_until_ready(run, error) && open_start(run, error))) {
        good = false;
        if (!run->forced)
            dismiss(run, run->threads);
        take_first_error(run, error);
    } else if (good) {
        good = conduct(run, error);
    }
    result->forced = run->forced;
    if (setup->place)
        start_place_forget(setup->place);
    if (!run->forced)
        run_free(run);
    return good;
}
