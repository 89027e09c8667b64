#include "run/start_line.h"

#include "platform/thread.h"

#include <inttypes.h>
#include <stdlib.h>

enum place_state { PLACE_COMING, PLACE_WAITING, PLACE_STARTED, PLACE_GONE };

struct start_place {
    struct start_line *line;
    uint32_t number;
    enum place_state state;
    struct gate *settled; /* opens when it has come or gone */
    struct watch *watch;  /* NULL = not here */
    const struct start_calls *calls;
    bool sent_home;
};

struct start_line {
    struct mutex *mutex; /* for all that follows */
    uint32_t jobs, waiting, first_number;
    const char *const *names;
    struct start_place *places;
    const struct start_place *culprit; /* who failed; NULL = nobody */
};

/* ---- making and freeing ---- */

struct start_line *start_line_make(uint32_t jobs, uint32_t first_number, const char *const *names)
{
    struct start_line *line = calloc(1, sizeof(*line));
    if (!line)
        return NULL;
    line->jobs = jobs;
    line->first_number = first_number;
    line->names = names;
    line->mutex = mutex_make();
    line->places = calloc(jobs, sizeof(*line->places));
    bool good = line->mutex && line->places;
    for (uint32_t i = 0; good && i < jobs; ++i) {
        line->places[i] = (struct start_place){.line = line, .number = i, .settled = gate_make()};
        good = line->places[i].settled != NULL;
    }
    if (good)
        return line;
    start_line_free(line);
    return NULL;
}

void start_line_free(struct start_line *line)
{
    if (!line)
        return;
    for (uint32_t i = 0; line->places && i < line->jobs; ++i)
        gate_free(line->places[i].settled);
    free(line->places);
    mutex_free(line->mutex);
    free(line);
}

struct start_place *start_line_place(struct start_line *line, uint32_t job)
{
    return &line->places[job];
}

uint32_t start_place_number(const struct start_place *place)
{
    return place->number;
}

/* ---- with the mutex held ---- */

static void wake_all(struct start_line *line)
{
    for (uint32_t i = 0; i < line->jobs; ++i) {
        if (line->places[i].watch)
            watch_wake(line->places[i].watch);
    }
}

static void blame(struct start_place *place)
{
    struct start_line *line = place->line;
    if (!line->culprit)
        line->culprit = place;
    wake_all(line);
}

static bool send_home(struct start_place *place, struct error *error)
{
    const struct start_line *line = place->line;
    uint32_t culprit = line->culprit->number, number = line->first_number + culprit;
    const char *name = line->names && line->names[culprit] ? line->names[culprit] : "", *apart = name[0] ? " " : "";
    place->sent_home = true;
    if (place->state == PLACE_STARTED)
        return error_set(error, ERR_SYSTEM, "ended early, because job %" PRIu32 "%s%s failed", number, apart, name);
    return error_set(error, ERR_SYSTEM, "job %" PRIu32 "%s%s could not begin, so this one did not either", number,
                     apart, name);
}

static void set_off(struct start_line *line, const struct clock *clock)
{
    for (uint32_t i = 0; i < line->jobs; ++i)
        line->places[i].calls->get_set(line->places[i].calls->context);
    uint64_t wall_ns = clock_wall_ns(), start_ns = clock_now_ns(clock);
    for (uint32_t i = 0; i < line->jobs; ++i)
        line->places[i].calls->set_start(line->places[i].calls->context, start_ns, wall_ns);
    for (uint32_t i = 0; i < line->jobs; ++i) {
        line->places[i].calls->go(line->places[i].calls->context);
        line->places[i].state = PLACE_STARTED;
    }
    wake_all(line);
}

/* ---- for who runs the jobs ---- */

bool start_line_await(struct start_line *line, uint32_t job)
{
    gate_wait(line->places[job].settled);
    mutex_lock(line->mutex);
    bool good = line->culprit == NULL;
    mutex_unlock(line->mutex);
    return good;
}

void start_place_leave(struct start_place *place)
{
    mutex_lock(place->line->mutex);
    if (place->state != PLACE_STARTED)
        blame(place);
    place->state = PLACE_GONE;
    mutex_unlock(place->line->mutex);
    gate_open(place->settled);
}

bool start_place_sent_home(const struct start_place *place)
{
    mutex_lock(place->line->mutex);
    bool sent_home = place->sent_home;
    mutex_unlock(place->line->mutex);
    return sent_home;
}

/* ---- for a job's run ---- */

/* False when there is nothing to wait for any more. */
static bool come(struct start_place *place, struct watch *watch, const struct clock *clock,
                 const struct start_calls *calls, struct error *error)
{
    struct start_line *line = place->line;
    mutex_lock(line->mutex);
    bool good = line->culprit == NULL || send_home(place, error);
    if (good) {
        place->watch = watch;
        place->calls = calls;
        place->state = PLACE_WAITING;
        if (++line->waiting == line->jobs)
            set_off(line, clock);
    }
    mutex_unlock(line->mutex);
    gate_open(place->settled);
    return good;
}

/* Ctrl-C before the start keeps all from it, and after it is the run's to see. */
static enum start look(struct start_place *place, bool interrupted, bool *decided, struct error *error)
{
    enum start start = START_NOT;
    mutex_lock(place->line->mutex);
    *decided = true;
    if (place->state == PLACE_STARTED) {
        start = interrupted ? START_GONE_INTERRUPTED : START_GONE;
    } else if (interrupted) {
        blame(place);
        error_set(error, ERR_INTERRUPTED, "interrupted before the run began");
    } else if (place->line->culprit) {
        send_home(place, error);
    } else {
        *decided = false;
    }
    mutex_unlock(place->line->mutex);
    return start;
}

enum start start_place_wait(struct start_place *place, struct watch *watch, const struct clock *clock,
                            const struct start_calls *calls, struct error *error)
{
    bool interrupted = false, decided = false;
    enum start start = START_NOT;
    if (!come(place, watch, clock, calls, error))
        return START_NOT;
    while (start = look(place, interrupted, &decided, error), !decided)
        interrupted = watch_wait(watch, UINT64_MAX) == WATCH_INTERRUPTED;
    return start;
}

void start_place_break(struct start_place *place)
{
    mutex_lock(place->line->mutex);
    blame(place);
    mutex_unlock(place->line->mutex);
}

bool start_place_is_broken(struct start_place *place, struct error *error)
{
    mutex_lock(place->line->mutex);
    bool broken = place->line->culprit && place->line->culprit != place;
    if (broken)
        send_home(place, error);
    mutex_unlock(place->line->mutex);
    return broken;
}

void start_place_forget(struct start_place *place)
{
    mutex_lock(place->line->mutex);
    place->watch = NULL;
    mutex_unlock(place->line->mutex);
}
