#include "platform/watch.h"

#include "platform/clock.h"
#include "platform/compiler.h"

#include <signal.h>
#include <stdlib.h>
#include <uv.h>

/* libuv's names for what a console does: Ctrl-C, Ctrl-Break, closing it. C libraries that have no Ctrl-Break
 * have a hang-up that nohup asks to ignore, so it is not watched there. */
static const int watched_signals[] = {SIGINT, SIGTERM,
#ifdef SIGBREAK
                                      SIGBREAK, SIGHUP
#endif
};

/* A signal that comes again so soon is the same one: timeout(1) sends it to the process and then to its group. */
#define ECHO_MS 100

struct watch {
    uv_loop_t loop;
    uv_timer_t timer;
    uv_async_t wake;
    uv_signal_t signals[COUNT_OF(watched_signals)];
    uint32_t interrupts; /* counted, so that a second Ctrl-C is not lost */
    int last_signal;
    uint64_t last_signal_ms;
    bool woken, timed_out;
};

/* Each also ends uv_run: a timer may fire before the loop looks for events, which would then block. */
static void on_timer(uv_timer_t *timer)
{
    struct watch *watch = timer->data;
    watch->timed_out = true;
    uv_stop(&watch->loop);
}

static void on_wake(uv_async_t *wake)
{
    struct watch *watch = wake->data;
    watch->woken = true;
    uv_stop(&watch->loop);
}

static void on_signal(uv_signal_t *signal, int number)
{
    struct watch *watch = signal->data;
    uint64_t now_ms = uv_now(&watch->loop);
    if (number != watch->last_signal || now_ms - watch->last_signal_ms >= ECHO_MS)
        watch->interrupts++;
    watch->last_signal = number;
    watch->last_signal_ms = now_ms;
    uv_stop(&watch->loop);
}

static int start_handles(struct watch *watch)
{
    watch->timer.data = watch->wake.data = watch;
    int status = uv_timer_init(&watch->loop, &watch->timer);
    if (status == 0)
        status = uv_async_init(&watch->loop, &watch->wake, on_wake);
    for (size_t i = 0; status == 0 && i < COUNT_OF(watched_signals); i++) {
        watch->signals[i].data = watch;
        status = uv_signal_init(&watch->loop, &watch->signals[i]);
        if (status == 0)
            status = uv_signal_start(&watch->signals[i], on_signal, watched_signals[i]);
    }
    return status;
}

static void close_handle(uv_handle_t *handle, void *argument)
{
    (void)argument;
    uv_close(handle, NULL);
}

bool watch_make(struct watch **out, struct error *error)
{
    struct watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return error_set(error, ERR_SYSTEM, "no memory to wait for Ctrl-C");
    int status = uv_loop_init(&watch->loop);
    if (status != 0) {
        free(watch);
        return error_set(error, ERR_SYSTEM, "cannot make an event loop: %s", uv_strerror(status));
    }
    status = start_handles(watch);
    if (status != 0) {
        watch_free(watch);
        return error_set(error, ERR_SYSTEM, "cannot watch for Ctrl-C: %s", uv_strerror(status));
    }
    *out = watch;
    return true;
}

/* What ended the wait, the most urgent first; each is given out once. */
static bool take_event(struct watch *watch, enum watch_event *event)
{
    if (watch->interrupts > 0) {
        watch->interrupts--;
        *event = WATCH_INTERRUPTED;
    } else if (watch->woken) {
        watch->woken = false;
        *event = WATCH_WOKEN;
    } else if (watch->timed_out) {
        *event = WATCH_TIME;
    } else {
        return false;
    }
    return true;
}

enum watch_event watch_wait(struct watch *watch, uint64_t wait_ns)
{
    enum watch_event event = WATCH_TIME;
    watch->timed_out = false;
    uv_run(&watch->loop, UV_RUN_NOWAIT);
    if (take_event(watch, &event) || wait_ns == 0)
        return event;
    if (wait_ns != UINT64_MAX) {
        uv_update_time(&watch->loop);
        uv_timer_start(&watch->timer, on_timer, wait_ns / NS_PER_MS + (wait_ns % NS_PER_MS > 0), 0);
    }
    while (!take_event(watch, &event))
        uv_run(&watch->loop, UV_RUN_ONCE);
    uv_timer_stop(&watch->timer);
    return event;
}

void watch_wake(struct watch *watch)
{
    uv_async_send(&watch->wake);
}

void watch_free(struct watch *watch)
{
    if (watch == NULL)
        return;
    uv_walk(&watch->loop, close_handle, NULL);
    uv_run(&watch->loop, UV_RUN_DEFAULT);
    uv_loop_close(&watch->loop);
    free(watch);
}
