#include "oltp/replicas.h"

#include "core/units.h"
#include "db/dsn.h"
#include "db/replication.h"
#include "oltp/heartbeat.h"
#include "oltp/leftovers.h"
#include "platform/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READS_PER_BEAT 5 /* so many times a replica is read between two heartbeats: no later is one seen */
#define READ_LEAST_NS (2 * NS_PER_MS)
#define STATUS_EVERY_NS NS_PER_S
#define TRY_EVERY_NS NS_PER_S /* a replica that was lost */
#define NAP_NS (20 * NS_PER_MS)
#define WAIT_SLICE_S 1 /* of a wait in the server: Ctrl-C and a replica that stops are seen between them */
#define ANSWER_LEAST_NS (5 * NS_PER_S) /* more than such a slice */
#define TABLE_NOT_FOUND "42S02"
#define LATE_SHARE 20 /* one of so many heartbeats that came late is no warning */

struct watcher { /* of one replica; its thread's, but for what the heartbeat's mutex guards */
    struct replicas *all;
    const struct db_place *place;
    struct thread *thread;
    struct db_connection *connection;
    uint64_t status_at_ns, try_at_ns; /* when to ask again */
    bool ran;                         /* both of its threads, when last asked */

    /* guarded: */
    struct replica_row *row; /* the result's */
    struct db_replica_status status;
    bool reachable, ended;
    struct error error; /* why it ended early */
    uint64_t seen;      /* the highest heartbeat that was noted */
    uint64_t early;     /* one that it showed before the source had answered, and when; 0 = none */
    uint64_t early_ns;
    uint64_t newest_delay_ns;
    uint64_t interval_max_ns, interval_beats;
};

struct replicas {
    const struct oltp_setup *setup; /* = &own_setup */
    const struct job *job;          /* = &own_job */
    struct oltp_setup own_setup;
    struct job own_job; /* with the heartbeat's database in place of the run's */
    bool own_schema;    /* … or without one: it makes a schema for itself */
    uint64_t waiting_from_ns, told_ns;
    struct result *result;
    struct db_place *places;
    struct watcher *watchers;
    size_t count;
    struct heartbeat heartbeat; /* its mutex guards all that threads share */
    struct watch *watch;
    uint64_t source_id;
    _Atomic bool stopping;

    /* guarded: */
    uint64_t measure_from_ns; /* UINT64_MAX until the measured part begins */
    uint64_t load_end_ns;     /* UINT64_MAX until the load has ended */
    uint64_t last_beat;       /* committed after the load; 0 = not yet */
    uint64_t deadline_ns;     /* of catching up */
    struct db_position end;   /* of the load, in the source's log */
};

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- places ---- */

static size_t count_words(const char *text)
{
    size_t count = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " "), ++count)
        text += strcspn(text, " ");
    return count;
}

void replica_places_free(struct db_place *places, size_t count)
{
    for (size_t i = 0; places && i < count; ++i)
        db_place_done(&places[i]);
    free(places);
}

static bool read_place(const char *text, size_t length, const struct db_place *source, struct db_place *out,
                       struct error *error)
{
    char word[TEXT_MAX];
    snprintf(word, sizeof(word), "%.*s", (int)length, text);
    if (!db_place_parse(out, "--replica", word, source, error))
        return false;
    if (strcmp(out->name, source->name) == 0)
        return error_set(error, ERR_USAGE, "--replica: %.200s is the source itself", out->name);
    if (out->job.db_answer_timeout_ns == 0) /* a replica that hangs is told, and holds nothing up */
        out->job.db_answer_timeout_ns = most(out->job.db_connect_timeout_ns, ANSWER_LEAST_NS);
    return strcmp(out->job.db_driver, source->job.db_driver) == 0 ||
           error_set(error, ERR_USAGE, "--replica: source and replica have the same driver");
}

bool replica_places(const struct job *job, const char *password, struct db_place **out, size_t *count,
                    struct error *error)
{
    struct db_place *source = calloc(1, sizeof(*source));
    const char *text = job->replica;
    bool good = true;
    *count = count_words(text);
    *out = calloc(*count + 1, sizeof(**out));
    good = source && *out;
    if (!good)
        error_set(error, ERR_SYSTEM, "not enough memory for --replica");
    if (good) {
        source->job = *job;
        db_place_name(source);
        good = !password || db_password_keep(&source->password, password, strlen(password), error);
    }
    for (size_t i = 0; good && i < *count; ++i) {
        text += strspn(text, " ");
        size_t length = strcspn(text, " ");
        good = read_place(text, length, source, &(*out)[i], error);
        text += length;
    }
    if (source)
        db_place_done(source);
    free(source);
    return good;
}

/* ---- shared ---- */

static uint64_t now_ns(const struct replicas *all)
{
    return clock_now_ns(all->setup->clock);
}

static uint64_t since_ns(uint64_t from_ns, uint64_t at_ns)
{
    uint64_t steps_back = 0; /* none: a heartbeat that is seen before the source has answered */
    return clock_elapsed_ns(from_ns, at_ns, &steps_back);
}

static void lock(const struct replicas *all)
{
    mutex_lock(all->heartbeat.mutex);
}

static void unlock(const struct replicas *all)
{
    mutex_unlock(all->heartbeat.mutex);
}

/* ---- what a thread notes; under the lock ---- */

static bool is_measured(const struct replicas *all, uint64_t committed_ns)
{
    return committed_ns >= all->measure_from_ns && committed_ns <= all->load_end_ns;
}

static void note_lag(struct watcher *watcher, uint64_t lag_ns)
{
    watcher->interval_max_ns = most(watcher->interval_max_ns, lag_ns);
    if (watcher->all->measure_from_ns != UINT64_MAX)
        watcher->row->lag_max_ns = most(watcher->row->lag_max_ns, lag_ns);
}

/* Of the oldest heartbeat that has not arrived; 0 when all have. */
static uint64_t age_ns(const struct watcher *watcher, uint64_t at_ns)
{
    const struct heartbeat *heartbeat = &watcher->all->heartbeat;
    return watcher->seen < heartbeat->count ? since_ns(heartbeat->beats[watcher->seen].committed_ns, at_ns) : 0;
}

static void note_beat(struct watcher *watcher, uint64_t committed_ns, uint64_t at_ns)
{
    struct replica_row *row = watcher->row;
    watcher->newest_delay_ns = since_ns(committed_ns, at_ns);
    ++watcher->interval_beats;
    note_lag(watcher, watcher->newest_delay_ns);
    if (!is_measured(watcher->all, committed_ns))
        return;
    histogram_record(&row->delay, watcher->newest_delay_ns);
    ++row->heartbeats;
}

/* The replica showed this number at that time. */
static void note_number(struct watcher *watcher, uint64_t number, uint64_t sent_ns, uint64_t at_ns)
{
    const struct replicas *all = watcher->all;
    const struct heartbeat *heartbeat = &all->heartbeat;
    lock(all);
    watcher->reachable = true;
    while (watcher->seen < number && watcher->seen < heartbeat->count) {
        uint64_t committed_ns = heartbeat->beats[watcher->seen++].committed_ns;
        note_beat(watcher, committed_ns, watcher->seen == watcher->early ? watcher->early_ns : at_ns);
    }
    if (watcher->seen < number && watcher->early != number) {
        watcher->early = number;
        watcher->early_ns = at_ns;
    }
    note_lag(watcher, age_ns(watcher, sent_ns));
    unlock(all);
}

static void note_trouble(struct watcher *watcher, const char *text)
{
    snprintf(watcher->row->trouble, sizeof(watcher->row->trouble), "%s", text);
}

static void note_loss(struct watcher *watcher, const struct db_failure *failure)
{
    lock(watcher->all);
    if (watcher->reachable)
        ++watcher->row->losses;
    watcher->reachable = false;
    note_trouble(watcher, failure->text);
    unlock(watcher->all);
}

static bool runs(const struct db_replica_status *status)
{
    return status->is_replica && status->receives && status->applies;
}

static void note_status(struct watcher *watcher, const struct db_replica_status *status)
{
    struct replica_row *row = watcher->row;
    lock(watcher->all);
    watcher->status = *status;
    if (status->behind_s > 0 && watcher->all->measure_from_ns != UINT64_MAX)
        row->behind_max_s = most(row->behind_max_s, (uint64_t)status->behind_s);
    if (watcher->ran && !runs(status))
        ++row->stops;
    if (!runs(status))
        note_trouble(watcher, status->trouble[0]    ? status->trouble
                              : !status->is_replica ? "it follows no server any more"
                              : status->applies     ? "it does not receive (its IO thread is not connected)"
                                                    : "its applying thread was stopped");
    watcher->ran = runs(status);
    unlock(watcher->all);
}

/* ---- what a thread asks ---- */

static const struct db_driver *driver_of(const struct watcher *watcher)
{
    return watcher->all->setup->driver;
}

static void nap(const struct watcher *watcher, uint64_t until_ns)
{
    uint64_t at_ns;
    while (!atomic_load(&watcher->all->stopping) && (at_ns = now_ns(watcher->all)) < until_ns)
        thread_sleep_ns(until_ns - at_ns < NAP_NS ? until_ns - at_ns : NAP_NS);
}

static bool fail_at(const struct watcher *watcher, const struct db_failure *failure, struct error *error)
{
    return error_set(error, ERR_SYSTEM, "--replica: %.200s: %s", watcher->place->name, failure->text);
}

static bool ensure_connection(struct watcher *watcher, struct db_failure *failure)
{
    struct db_target target = {.job = &watcher->place->job, .password = watcher->place->password};
    const struct db_driver *driver = driver_of(watcher);
    return watcher->connection || (driver->connect(&target, &watcher->connection, failure) &&
                                   heartbeat_prepare_session(driver, watcher->connection, failure));
}

static void hang_up(struct watcher *watcher)
{
    driver_of(watcher)->disconnect(watcher->connection);
    watcher->connection = NULL;
}

static bool take_number(void *context, size_t columns, const char *const *values, const size_t *bytes)
{
    (void)bytes;
    if (columns > 0 && values[0])
        *(uint64_t *)context = strtoull(values[0], NULL, 10);
    return true;
}

/* No row, or no table yet, is number 0. */
static bool read_number(struct watcher *watcher, struct db_failure *failure)
{
    const char *sql = watcher->all->heartbeat.read_sql;
    struct db_reply reply;
    uint64_t number = 0, sent_ns = now_ns(watcher->all);
    bool good = driver_of(watcher)->query(watcher->connection, sql, strlen(sql), take_number, &number, &reply, failure);
    if (!good && strcmp(failure->sqlstate, TABLE_NOT_FOUND) != 0)
        return false;
    note_number(watcher, number, sent_ns, now_ns(watcher->all));
    return true;
}

static bool ask_status(struct watcher *watcher, struct db_failure *failure)
{
    struct db_replica_status status;
    uint64_t at_ns = now_ns(watcher->all);
    if (at_ns < watcher->status_at_ns)
        return true;
    watcher->status_at_ns = at_ns + STATUS_EVERY_NS;
    if (!driver_of(watcher)->replication->status(watcher->connection, watcher->all->source_id, &status, failure))
        return false;
    note_status(watcher, &status);
    return true;
}

/* One look at the replica; after a failure not before TRY_EVERY_NS. */
static void look(struct watcher *watcher)
{
    struct db_failure failure;
    if (now_ns(watcher->all) < watcher->try_at_ns)
        return;
    if (ensure_connection(watcher, &failure) && read_number(watcher, &failure) && ask_status(watcher, &failure))
        return;
    note_loss(watcher, &failure);
    hang_up(watcher);
    watcher->try_at_ns = now_ns(watcher->all) + TRY_EVERY_NS;
}

/* ---- the end of the load, as a thread sees it ---- */

/* By the source's log too: appliers that work side by side may show the last heartbeat before what is older. */
static bool has_position(struct watcher *watcher)
{
    const struct replicas *all = watcher->all;
    const struct db_replica_status *status = &watcher->status;
    struct db_failure failure;
    bool reached = false;
    if (!status->is_direct && all->end.gtids[0] == '\0')
        return true; /* nothing tells it better */
    if (!watcher->connection)
        return false;
    if (!driver_of(watcher)->replication->wait(watcher->connection, status, &all->end, WAIT_SLICE_S, &reached,
                                               &failure)) {
        note_loss(watcher, &failure);
        hang_up(watcher);
    }
    return reached;
}

enum catching_up { NOT_YET, DONE, GIVEN_UP };

static enum catching_up catch_up(struct watcher *watcher)
{
    const struct replicas *all = watcher->all;
    lock(all);
    uint64_t last = all->last_beat, seen = watcher->seen, deadline_ns = all->deadline_ns;
    unlock(all);
    if (last == 0)
        return NOT_YET;
    if (seen >= last && has_position(watcher))
        return DONE;
    bool stopped = watcher->connection && !watcher->ran;
    return stopped || now_ns(all) >= deadline_ns ? GIVEN_UP : NOT_YET;
}

static void note_end(struct watcher *watcher, enum catching_up how)
{
    const struct replicas *all = watcher->all;
    lock(all);
    watcher->row->caught_up = how == DONE;
    if (all->load_end_ns != UINT64_MAX)
        watcher->row->catch_up_ns = since_ns(all->load_end_ns, now_ns(all));
    watcher->ended = true;
    unlock(all);
    watch_wake(all->watch);
}

static void body(void *argument)
{
    struct watcher *watcher = argument;
    const struct replicas *all = watcher->all;
    const struct db_driver *driver = driver_of(watcher);
    uint64_t pause_ns = most(all->job->heartbeat_ns / READS_PER_BEAT, READ_LEAST_NS);
    enum catching_up how = NOT_YET;
    bool woke = false;
    if (driver->thread_start)
        driver->thread_start();
    while (!atomic_load(&all->stopping) && how == NOT_YET) {
        uint64_t begin_ns = now_ns(all);
        look(watcher);
        if (!woke && watcher->seen > 0) {
            watch_wake(all->watch);
            woke = true;
        }
        how = catch_up(watcher);
        if (how == NOT_YET)
            nap(watcher, begin_ns + pause_ns);
    }
    note_end(watcher, how);
    hang_up(watcher);
    if (driver->thread_stop)
        driver->thread_stop();
}

/* ---- opening ---- */

/* Another name of the source would show every heartbeat at once. */
static bool is_other_server(struct watcher *watcher, struct error *error)
{
    struct db_failure failure;
    uint64_t id = 0;
    if (!driver_of(watcher)->replication->server_id(watcher->connection, &id, &failure))
        return fail_at(watcher, &failure, error);
    return id != watcher->all->source_id ||
           error_set(error, ERR_USAGE, "--replica: %.200s is the source itself, by its server_id %" PRIu64,
                     watcher->place->name, id);
}

static bool refuse(const struct watcher *watcher, const struct db_replica_status *status, struct error *error)
{
    const char *name = watcher->place->name;
    if (!status->is_replica)
        return error_set(error, ERR_USAGE, "--replica: %.200s is no replica of any server", name);
    return error_set(error, ERR_DATA, "--replica: %.200s: replication is stopped (its %s thread does not run)%s%s",
                     name, status->applies ? "receiving" : "applying", status->trouble[0] ? ": " : "", status->trouble);
}

/* By the connection that the thread goes on with. */
static bool meet(struct watcher *watcher, struct error *error)
{
    struct db_failure failure;
    struct db_replica_status status;
    struct replica_row *row = watcher->row;
    const struct db_driver *driver = driver_of(watcher);
    snprintf(row->name, sizeof(row->name), "%s", watcher->place->name);
    if (!ensure_connection(watcher, &failure) || !driver->facts(watcher->connection, row->server, &failure) ||
        !replication_settled_status(driver->replication, watcher->connection, watcher->all->source_id, &status,
                                    &failure))
        return fail_at(watcher, &failure, error);
    if (!is_other_server(watcher, error))
        return false;
    if (!runs(&status))
        return refuse(watcher, &status, error);
    snprintf(row->channel, sizeof(row->channel), "%s", status.channel);
    row->is_direct = status.is_direct;
    row->by_gtid = status.by_gtid;
    watcher->status = status;
    watcher->ran = watcher->reachable = true;
    return true;
}

static bool open_source(struct replicas *all, struct error *error)
{
    const struct db_driver *driver = all->setup->driver;
    struct db_target target = {.job = all->job, .password = all->setup->password};
    struct db_connection *source = NULL;
    struct db_failure failure;
    if (!driver->connect(&target, &source, &failure))
        return error_set(error, ERR_SYSTEM, "%s", failure.text);
    if (driver->replication->server_id(source, &all->source_id, &failure) &&
        driver->replication->position(source, false, &all->end, &failure)) {
        leftovers_drop(driver, source, all->source_id, all->job->db_name[0] != '\0', all->result);
        return heartbeat_init(&all->heartbeat, all->setup, source, all->source_id, all->own_schema, error);
    }
    driver->disconnect(source);
    return error_set(error, ERR_SYSTEM, "--replica: %s", failure.text);
}

static bool start_threads(struct replicas *all, struct error *error)
{
    bool good = heartbeat_start(&all->heartbeat, error);
    for (size_t i = 0; good && i < all->count; ++i)
        good = thread_start(&all->watchers[i].thread, body, &all->watchers[i], 0, error);
    return good;
}

/* `number`: the first heartbeat, or one after what a script has loaded. */
static bool refuse_unseen(const struct watcher *watcher, uint64_t number, struct error *error)
{
    const struct replicas *all = watcher->all;
    char waited[32];
    units_time_exact(all->job->replica_wait_ns, waited, sizeof(waited));
    if (number > 1)
        return error_set(error, ERR_DATA,
                         "--replica: %.200s did not get all that was loaded before the run within --replica-wait=%s",
                         watcher->place->name, waited);
    return error_set(error, ERR_DATA,
                     "--replica: %.200s did not show a heartbeat of the source within --replica-wait=%s: it is far "
                     "behind, or does not replicate database %s from there",
                     watcher->place->name, waited, all->job->db_name[0] ? all->job->db_name : all->heartbeat.name);
}

/* Does it show that one? False with the error too when it will not. */
static bool shows(const struct watcher *watcher, uint64_t number, struct error *error)
{
    lock(watcher->all);
    bool shown = watcher->seen >= number;
    if (!shown && !watcher->reachable)
        error_set(error, ERR_SYSTEM, "--replica: %.200s: %s", watcher->place->name, watcher->row->trouble);
    else if (!shown && !watcher->ran)
        refuse(watcher, &watcher->status, error);
    unlock(watcher->all);
    return shown;
}

static void begin_waiting(struct replicas *all)
{
    all->waiting_from_ns = all->told_ns = now_ns(all);
}

/* Once in an interval, that it is waited for. */
static void tell_waiting(struct replicas *all)
{
    const struct replica_watcher *told = all->setup->listener->replicas;
    uint64_t at_ns = now_ns(all), every_ns = all->job->report_interval_ns, lag_ns = 0;
    if (!told || !told->awaited || at_ns - all->told_ns < (every_ns ? every_ns : NS_PER_S))
        return;
    all->told_ns = at_ns;
    lock(all);
    for (size_t i = 0; i < all->count; ++i)
        lag_ns = most(lag_ns, age_ns(&all->watchers[i], at_ns));
    unlock(all);
    told->awaited(told->context, all->job, at_ns - all->waiting_from_ns, lag_ns);
}

/* Until each replica shows that heartbeat. */
static bool await_beat(struct replicas *all, uint64_t number, struct error *error)
{
    begin_waiting(all);
    for (size_t i = 0; i < all->count; ++i) {
        while (!shows(&all->watchers[i], number, error)) {
            if (error->kind != ERR_NONE)
                return false;
            if (now_ns(all) - all->waiting_from_ns >= all->job->replica_wait_ns)
                return refuse_unseen(&all->watchers[i], number, error);
            if (watch_wait(all->watch, NAP_NS) == WATCH_INTERRUPTED)
                return error_set(error, ERR_INTERRUPTED, "interrupted before the run began");
            tell_waiting(all);
        }
    }
    return true;
}

/* Where the heartbeat is: not where the run drops all that is there. */
static bool find_home(struct replicas *all, const struct oltp_setup *setup, struct error *error)
{
    const struct script *script = setup->script;
    const char *named = setup->job->heartbeat_schema;
    bool drops = script && script->makes_schema;
    all->own_schema = drops && !named[0];
    if (drops && strcmp(named, script->schema) == 0)
        return error_set(error, ERR_USAGE, "--heartbeat-schema=%s: that one is made and dropped by the run", named);
    if (drops || named[0])
        snprintf(all->own_job.db_name, sizeof(all->own_job.db_name), "%s", named);
    return true;
}

static bool make(struct replicas *all, const struct oltp_setup *setup, struct result *result, struct error *error)
{
    all->own_setup = *setup;
    all->own_job = *setup->job;
    all->setup = &all->own_setup;
    all->job = all->own_setup.job = &all->own_job;
    all->result = result;
    all->measure_from_ns = all->load_end_ns = UINT64_MAX;
    if (!setup->driver->replication)
        return error_set(error, ERR_UNSUPPORTED, "--replica: not supported with --db-driver=%s; mysql has replicas",
                         setup->driver->name);
    if (!find_home(all, setup, error) || !replica_places(all->job, setup->password, &all->places, &all->count, error) ||
        !watch_make(&all->watch, error))
        return false;
    all->watchers = calloc(all->count + 1, sizeof(*all->watchers));
    result->replication = replication_make(all->count);
    if (!all->watchers || !result->replication)
        return error_set(error, ERR_SYSTEM, "not enough memory for --replica");
    for (size_t i = 0; i < all->count; ++i) {
        all->watchers[i].all = all;
        all->watchers[i].place = &all->places[i];
        all->watchers[i].row = &result->replication->rows[i];
    }
    return true;
}

bool replicas_open(struct replicas **out, const struct oltp_setup *setup, struct result *result, struct error *error)
{
    struct replicas *all = calloc(1, sizeof(*all));
    *out = all;
    if (!all)
        return error_set(error, ERR_SYSTEM, "not enough memory for --replica");
    bool good = make(all, setup, result, error) && open_source(all, error);
    for (size_t i = 0; good && i < all->count; ++i)
        good = meet(&all->watchers[i], error);
    return good && start_threads(all, error) && await_beat(all, 1, error);
}

bool replicas_settle(struct replicas *replicas, struct error *error)
{
    lock(replicas);
    uint64_t next = replicas->heartbeat.count + 1;
    unlock(replicas);
    return await_beat(replicas, next, error);
}

/* ---- during the load ---- */

/* The measured part of the heartbeats begins with this call: what was committed before is in no figure. */
void replicas_measuring(struct replicas *replicas)
{
    if (!replicas)
        return;
    lock(replicas);
    replicas->measure_from_ns = now_ns(replicas);
    for (size_t i = 0; i < replicas->count; ++i)
        replicas->watchers[i].interval_max_ns = replicas->watchers[i].interval_beats = 0;
    unlock(replicas);
}

static struct replica_interval close_interval(struct watcher *watcher, const struct interval *interval, uint64_t at_ns)
{
    const struct db_replica_status *status = &watcher->status;
    uint64_t age = age_ns(watcher, at_ns), lag_ns = most(watcher->newest_delay_ns, age);
    note_lag(watcher, age);
    struct replica_interval row = {.start_ns = interval->start_ns,
                                   .end_ns = interval->end_ns,
                                   .lag_ns = lag_ns,
                                   .lag_max_ns = most(watcher->interval_max_ns, age),
                                   .heartbeats = watcher->interval_beats,
                                   .behind_s = status->behind_s >= 0 ? (uint64_t)status->behind_s : 0,
                                   .behind_known = status->behind_s >= 0,
                                   .reachable = watcher->reachable,
                                   .receives = status->receives,
                                   .applies = status->applies};
    watcher->interval_max_ns = watcher->interval_beats = 0;
    return row;
}

void replicas_interval(struct replicas *replicas, struct interval *interval)
{
    if (!replicas)
        return;
    lock(replicas);
    uint64_t at_ns = now_ns(replicas);
    for (size_t i = 0; i < replicas->count; ++i) {
        struct replica_interval row = close_interval(&replicas->watchers[i], interval, at_ns);
        interval->replica_lag_ns = most(interval->replica_lag_ns, row.lag_ns);
        interval->replicas_stopped += !row.reachable || !row.receives || !row.applies;
        replica_row_add(replicas->watchers[i].row, &row);
    }
    unlock(replicas);
    const struct replica_watcher *told = replicas->setup->listener->replicas;
    if (told && told->interval)
        told->interval(told->context, replicas->job, interval);
}

/* ---- after it ---- */

/* Where the load ends: in time, in heartbeats and in the source's log. */
static bool mark_end(struct replicas *all, uint64_t at_ns, struct error *error)
{
    struct heartbeat *heartbeat = &all->heartbeat;
    struct db_position end;
    struct db_failure failure;
    bool gtids = false;
    for (size_t i = 0; i < all->count; ++i)
        gtids = gtids || !all->watchers[i].row->is_direct;
    if (!heartbeat_beat(heartbeat))
        return error_set(error, ERR_SYSTEM, "--replica: no heartbeat after the load, to see the replicas catch up: %s",
                         heartbeat->failure.text);
    if (!all->setup->driver->replication->position(heartbeat->connection, gtids, &end, &failure))
        return error_set(error, ERR_SYSTEM, "--replica: %s", failure.text);
    lock(all);
    all->end = end;
    all->deadline_ns = at_ns + all->job->replica_wait_ns;
    all->last_beat = heartbeat->count;
    unlock(all);
    return true;
}

static bool all_ended(const struct replicas *all)
{
    bool ended = true;
    lock(all);
    for (size_t i = 0; i < all->count; ++i)
        ended = ended && all->watchers[i].ended;
    unlock(all);
    return ended;
}

static bool await_end(struct replicas *all, struct error *error)
{
    begin_waiting(all);
    while (!all_ended(all)) {
        if (watch_wait(all->watch, NS_PER_S) == WATCH_INTERRUPTED)
            return error_set(error, ERR_INTERRUPTED, "interrupted while the replicas caught up");
        tell_waiting(all);
    }
    return true;
}

static void stop_threads(struct replicas *all)
{
    heartbeat_stop(&all->heartbeat);
    atomic_store(&all->stopping, true);
    for (size_t i = 0; all->watchers && i < all->count; ++i) {
        if (all->watchers[i].thread)
            thread_join(all->watchers[i].thread);
        else if (all->watchers[i].connection)
            hang_up(&all->watchers[i]);
        all->watchers[i].thread = NULL;
    }
}

/* Nobody writes any more. */
static void count_beats(const struct replicas *all)
{
    struct replication *replication = all->result->replication;
    const struct heartbeat *heartbeat = &all->heartbeat;
    for (uint64_t i = 0; i < heartbeat->count; ++i) {
        const struct beat *beat = &heartbeat->beats[i];
        bool measured = is_measured(all, beat->committed_ns);
        replication->heartbeats += measured;
        replication->late += measured && beat->is_late;
        for (size_t k = 0; measured && k < all->count; ++k)
            all->watchers[k].row->missing += i >= all->watchers[k].seen;
    }
    replication->failed = heartbeat->failed;
    if (heartbeat->failed)
        snprintf(replication->trouble, sizeof(replication->trouble), "%s", heartbeat->failure.text);
}

static void warn(const struct replicas *all)
{
    struct result *result = all->result;
    const struct replication *replication = result->replication;
    for (size_t i = 0; i < replication->rows_count; ++i) {
        const struct replica_row *row = &replication->rows[i];
        if (row->stops + row->losses > 0)
            result_warn(result, "replica-stopped",
                        "%.100s stopped %" PRIu64 " times and did not answer %" PRIu64 " times: %.300s", row->name,
                        row->stops, row->losses, row->trouble);
    }
    if (replication->failed > 0 || replication->late * LATE_SHARE > replication->heartbeats)
        result_warn(result, "heartbeat-late",
                    "of %" PRIu64 " heartbeats on the source %" PRIu64 " came late and %" PRIu64
                    " failed, so that the lag was seen less often: the source was short of something%s%.200s",
                    replication->heartbeats, replication->late, replication->failed, replication->failed ? ": " : "",
                    replication->trouble);
}

static bool judge(const struct replicas *all, struct error *error)
{
    for (size_t i = 0; i < all->count; ++i) {
        const struct watcher *watcher = &all->watchers[i];
        bool works = watcher->ran && watcher->reachable;
        char waited[32];
        if (!watcher->row->caught_up)
            return error_set(error, ERR_DATA, "--replica: %.200s has not all of the load, %s after its end: %s",
                             watcher->row->name,
                             units_time_human((double)watcher->row->catch_up_ns, waited, sizeof(waited)),
                             works ? "--replica-wait=TIME waits longer" : watcher->row->trouble);
    }
    return true;
}

bool replicas_finish(struct replicas *replicas, bool wait, struct error *error)
{
    uint64_t at_ns = now_ns(replicas);
    lock(replicas);
    replicas->load_end_ns = at_ns;
    unlock(replicas);
    heartbeat_stop(&replicas->heartbeat);
    bool good = !wait || (mark_end(replicas, at_ns, error) && await_end(replicas, error));
    stop_threads(replicas);
    count_beats(replicas);
    warn(replicas);
    return good && (!wait || judge(replicas, error));
}

void replicas_close(struct replicas *replicas)
{
    if (!replicas)
        return;
    stop_threads(replicas);
    if (replicas->heartbeat.made && !heartbeat_drop(&replicas->heartbeat) && replicas->result)
        result_warn(replicas->result, "heartbeat-left", "%s could not be dropped: %.300s", replicas->heartbeat.table,
                    replicas->heartbeat.failure.text);
    heartbeat_done(&replicas->heartbeat);
    replica_places_free(replicas->places, replicas->count);
    free(replicas->watchers);
    watch_free(replicas->watch);
    free(replicas);
}
