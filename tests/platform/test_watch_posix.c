/* Signals that the test sends to itself: on Windows they would end it. */
#define _GNU_SOURCE
#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/process.h"
#include "platform/thread.h"
#include "platform/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct watch *make_watch(void)
{
    struct watch *watch = NULL;
    struct error error = ERROR_INIT;
    if (!watch_make(&watch, &error))
        fail_msg("%s", error.text);
    return watch;
}

/* With closed streams, as main would start. A file opened then must not get the number of a stream that messages go
 * to, nor may one of libuv's own, which it would refuse to close. */
static int start_without_streams(void)
{
    int argc = 0;
    char *arguments[] = {NULL}, **argv = arguments;
    for (int stream = 0; stream < 3; stream++)
        close(stream);
    process_start(&argc, &argv);
    if (process_stdout_is_terminal() || process_stderr_is_terminal())
        return 1;
    return open("/dev/null", O_RDONLY) > STDERR_FILENO ? 0 : 2;
}

/* In a child, because the test needs its own streams. Exit status 0 = as it should be. */
static int watch_without_streams(void)
{
    struct watch *watch;
    struct error error = ERROR_INIT;
    if (start_without_streams() != 0 || !watch_make(&watch, &error))
        return 1;
    if (watch_wait(watch, NS_PER_MS) != WATCH_TIME)
        return 2;
    watch_wake(watch);
    if (watch_wait(watch, UINT64_MAX) != WATCH_WOKEN)
        return 3;
    kill(getpid(), SIGTERM);
    if (watch_wait(watch, UINT64_MAX) != WATCH_INTERRUPTED)
        return 4;
    watch_free(watch);
    return 0;
}

static int status_of_child(int (*body)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void closed_streams_do_no_harm(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(start_without_streams), 0);
    assert_int_equal(status_of_child(watch_without_streams), 0);
}

static int exit_at_once(void)
{
    process_exit_now(42);
}

static void the_process_ends_at_once_with_its_status(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(exit_at_once), 42);
}

static void a_signal_interrupts_the_wait(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM};
    struct watch *watch = make_watch();
    (void)state;
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        kill(getpid(), signals[i]);
        assert_int_equal(watch_wait(watch, UINT64_MAX), WATCH_INTERRUPTED);
        assert_int_equal(watch_wait(watch, NS_PER_MS), WATCH_TIME);
    }
    watch_free(watch);
}

static void a_second_ctrl_c_is_a_second_interruption(void **state)
{
    struct watch *watch = make_watch();
    (void)state;
    watch_wake(watch);
    raise(SIGINT);
    raise(SIGINT); /* as timeout(1) does it: no second one */
    assert_int_equal(watch_wait(watch, UINT64_MAX), WATCH_INTERRUPTED);
    assert_int_equal(watch_wait(watch, UINT64_MAX), WATCH_WOKEN); /* not lost either */
    assert_int_equal(watch_wait(watch, 200 * NS_PER_MS), WATCH_TIME);
    raise(SIGINT);
    assert_int_equal(watch_wait(watch, UINT64_MAX), WATCH_INTERRUPTED);
    assert_int_equal(watch_wait(watch, 0), WATCH_TIME);
    watch_free(watch);
}

struct waiter {
    struct watch *watch;
    enum watch_event event;
};

static void wait_once(void *argument)
{
    struct waiter *waiter = argument;
    waiter->event = watch_wait(waiter->watch, 30 * NS_PER_S);
}

/* Each thread that conducts a run has a watch of its own. */
static void a_signal_interrupts_every_watch(void **state)
{
    struct waiter waiters[3];
    struct thread *threads[COUNT_OF(waiters)];
    struct error error = ERROR_INIT;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(waiters); i++)
        waiters[i].watch = make_watch();
    for (size_t i = 0; i < COUNT_OF(waiters); i++)
        assert_true(thread_start(&threads[i], wait_once, &waiters[i], 0, &error));
    kill(getpid(), SIGINT);
    for (size_t i = 0; i < COUNT_OF(waiters); i++) {
        thread_join(threads[i]);
        assert_int_equal(waiters[i].event, WATCH_INTERRUPTED);
    }
    for (size_t i = 0; i < COUNT_OF(waiters); i++)
        watch_free(waiters[i].watch);
}

static int die_of_ctrl_c(void)
{
    struct watch *watch;
    struct error error = ERROR_INIT;
    if (!watch_make(&watch, &error))
        return 1;
    watch_free(watch);
    kill(getpid(), SIGINT);
    return 2;
}

static void after_the_watch_ctrl_c_kills_again(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(die_of_ctrl_c), 1000 + SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_streams_do_no_harm),       cmocka_unit_test(the_process_ends_at_once_with_its_status),
        cmocka_unit_test(a_signal_interrupts_the_wait),    cmocka_unit_test(a_second_ctrl_c_is_a_second_interruption),
        cmocka_unit_test(a_signal_interrupts_every_watch), cmocka_unit_test(after_the_watch_ctrl_c_kills_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
