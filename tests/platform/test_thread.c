#include "platform/clock.h"
#include "platform/compiler.h"
#include "platform/queue.h"
#include "platform/thread.h"
#include "platform/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 8
#define PATIENCE_NS (30 * NS_PER_S) /* for what must happen; only a failure takes so long */

static uint64_t now_ns(void)
{
    struct clock clock = clock_system();
    return clock_now_ns(&clock);
}

/* ---- threads, mutex, gate ---- */

struct shared {
    struct mutex *mutex;
    struct gate *gate;
    uint32_t counted, waiting, passed;
};

static void start_all(struct thread *threads[THREADS], void (*body)(void *), struct shared *shared,
                      uint64_t stack_bytes)
{
    struct error error = ERROR_INIT;
    for (uint32_t i = 0; i < THREADS; i++)
        assert_true(thread_start(&threads[i], body, shared, stack_bytes, &error));
}

static void join_all(struct thread *threads[THREADS])
{
    for (uint32_t i = 0; i < THREADS; i++)
        thread_join(threads[i]);
}

static void count(void *argument)
{
    struct shared *shared = argument;
    for (uint32_t i = 0; i < 1000; i++) {
        mutex_lock(shared->mutex);
        shared->counted++;
        mutex_unlock(shared->mutex);
    }
}

static void a_mutex_lets_one_thread_in(void **state)
{
    static const uint64_t stacks[] = {0, 1, 65536, 300001, 8 << 20}; /* too small and odd ones are rounded up */
    (void)state;
    for (size_t i = 0; i < COUNT_OF(stacks); i++) {
        struct thread *threads[THREADS];
        struct shared shared = {.mutex = mutex_make()};
        assert_non_null(shared.mutex);
        start_all(threads, count, &shared, stacks[i]);
        join_all(threads);
        assert_int_equal(shared.counted, THREADS * 1000);
        mutex_free(shared.mutex);
    }
    mutex_free(NULL);
}

static void use_stack(void *argument)
{
    volatile char stack[12 << 20]; /* systems give 1 to 8 MiB by themselves */
    for (size_t i = 0; i < sizeof stack; i += 1024)
        stack[i] = 1;
    *(char *)argument = stack[sizeof stack - 1024];
}

static void a_stack_is_as_large_as_asked(void **state)
{
    struct thread *thread;
    struct error error = ERROR_INIT;
    char used = 0;
    (void)state;
    assert_true(thread_start(&thread, use_stack, &used, 16 << 20, &error));
    thread_join(thread);
    assert_int_equal(used, 1);
}

static void pass(void *argument)
{
    struct shared *shared = argument;
    mutex_lock(shared->mutex);
    shared->waiting++;
    mutex_unlock(shared->mutex);
    gate_wait(shared->gate);
    mutex_lock(shared->mutex);
    shared->passed++;
    mutex_unlock(shared->mutex);
}

static uint32_t read_locked(struct shared *shared, const uint32_t *value)
{
    mutex_lock(shared->mutex);
    uint32_t read = *value;
    mutex_unlock(shared->mutex);
    return read;
}

static void a_gate_holds_all_until_it_is_opened(void **state)
{
    struct thread *threads[THREADS];
    struct shared shared = {.mutex = mutex_make(), .gate = gate_make()};
    (void)state;
    assert_non_null(shared.gate);
    start_all(threads, pass, &shared, 0);
    while (read_locked(&shared, &shared.waiting) < THREADS)
        thread_sleep_ns(NS_PER_MS);
    thread_sleep_ns(20 * NS_PER_MS);
    assert_int_equal(read_locked(&shared, &shared.passed), 0);
    gate_open(shared.gate);
    join_all(threads);
    assert_int_equal(shared.passed, THREADS);
    gate_wait(shared.gate); /* an open gate stays open */
    gate_open(shared.gate);
    gate_free(shared.gate);
    gate_free(NULL);
    mutex_free(shared.mutex);
}

/* ---- sleep ---- */

static void sleep_is_not_too_short(void **state)
{
    static const uint64_t times_ns[] = {0, 1, 1000, 300000, NS_PER_MS, 2500000, 30 * NS_PER_MS};
    struct clock clock = clock_system();
    struct clock_facts facts;
    (void)state;
    clock_measure(&clock, &facts);
    for (size_t i = 0; i < COUNT_OF(times_ns); i++) {
        uint64_t start_ns = clock_now_ns(&clock);
        thread_sleep_ns(times_ns[i]);
        assert_true(clock_now_ns(&clock) - start_ns + 2 * facts.resolution_ns >= times_ns[i]);
    }
}

/* ---- watch ---- */

static struct watch *make_watch(void)
{
    struct watch *watch = NULL;
    struct error error = ERROR_INIT;
    if (!watch_make(&watch, &error))
        fail_msg("%s", error.text);
    return watch;
}

static void a_wait_ends_when_its_time_is_over(void **state)
{
    static const uint64_t times_ns[] = {0, 1, NS_PER_MS, 20 * NS_PER_MS, 1, 0};
    struct watch *watch = make_watch();
    (void)state;
    for (size_t i = 0; i < COUNT_OF(times_ns); i++) {
        uint64_t start_ns = now_ns();
        assert_int_equal(watch_wait(watch, times_ns[i]), WATCH_TIME);
        assert_true(now_ns() - start_ns + NS_PER_MS >= times_ns[i]);
    }
    watch_free(watch);
    watch_free(NULL);
}

static void many_short_waits_all_end(void **state)
{
    struct watch *watch = make_watch();
    (void)state;
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(watch_wait(watch, 1 + i % 3 * 500000), WATCH_TIME);
    watch_free(watch);
}

static void a_wake_that_came_before_is_not_lost(void **state)
{
    static const uint64_t times_ns[] = {0, 1, PATIENCE_NS, UINT64_MAX};
    struct watch *watch = make_watch();
    (void)state;
    for (size_t i = 0; i < COUNT_OF(times_ns); i++) {
        uint64_t start_ns = now_ns();
        watch_wake(watch);
        watch_wake(watch); /* two are as good as one */
        assert_int_equal(watch_wait(watch, times_ns[i]), WATCH_WOKEN);
        assert_true(now_ns() - start_ns < PATIENCE_NS);
        assert_int_equal(watch_wait(watch, NS_PER_MS), WATCH_TIME);
    }
    watch_free(watch);
}

static void wake_later(void *argument)
{
    thread_sleep_ns(20 * NS_PER_MS);
    watch_wake(argument);
}

static void another_thread_ends_the_wait(void **state)
{
    struct watch *watch = make_watch();
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct thread *thread;
        struct error error = ERROR_INIT;
        assert_true(thread_start(&thread, wake_later, watch, 0, &error));
        assert_int_equal(watch_wait(watch, i == 0 ? PATIENCE_NS : UINT64_MAX), WATCH_WOKEN);
        thread_join(thread);
    }
    watch_free(watch);
}

static void watches_follow_and_stand_beside_each_other(void **state)
{
    (void)state;
    struct watch *first = make_watch(), *second = make_watch();
    watch_wake(second);
    assert_int_equal(watch_wait(first, NS_PER_MS), WATCH_TIME);
    assert_int_equal(watch_wait(second, UINT64_MAX), WATCH_WOKEN);
    watch_wake(first); /* and nobody waits for it */
    watch_free(first);
    watch_free(second);
    struct watch *third = make_watch();
    assert_int_equal(watch_wait(third, 0), WATCH_TIME);
    watch_free(third);
}

/* ---- the work pool ---- */

#define POOL 6 /* libuv's own default is 4 */
#define IOS 9

/* A file whose reads wait for one another: until as many as the pool has threads are inside at once. */
struct file {
    struct mutex *mutex;
    uint32_t inside, most_inside;
};

static bool all_came(struct file *file)
{
    mutex_lock(file->mutex);
    bool all = file->most_inside >= POOL;
    mutex_unlock(file->mutex);
    return all;
}

static int64_t read_together(struct file *file, void *buffer, size_t bytes, uint64_t offset)
{
    (void)buffer;
    (void)offset;
    mutex_lock(file->mutex);
    if (++file->inside > file->most_inside)
        file->most_inside = file->inside;
    mutex_unlock(file->mutex);
    uint64_t start_ns = now_ns();
    while (!all_came(file) && now_ns() - start_ns < PATIENCE_NS / 3)
        thread_sleep_ns(NS_PER_MS);
    thread_sleep_ns(20 * NS_PER_MS); /* for one too many to come */
    mutex_lock(file->mutex);
    file->inside--;
    mutex_unlock(file->mutex);
    return (int64_t)bytes;
}

/* The pool is made once per process: this program has no other test that uses it. */
static void the_pool_has_as_many_threads_as_asked(void **state)
{
    const struct file_layer layer = {.name = "together", .read_at = read_together};
    uint8_t buffer[IOS];
    struct file file = {.mutex = mutex_make()}, *files[] = {&file};
    struct io ios[IOS], *submitted[IOS], *done[IOS];
    struct queue *queue;
    struct error error = ERROR_INIT;
    (void)state;
    thread_pool_size(POOL);
    const struct queue_options options = {.depth = IOS,
                                          .layer = &layer,
                                          .files = files,
                                          .file_count = 1,
                                          .buffers = buffer,
                                          .buffers_bytes = sizeof buffer};
    assert_true(queue_engine_uv.make(&queue, &options, &error));
    for (uint32_t i = 0; i < IOS; i++) {
        ios[i] = (struct io){.buffer = &buffer[i], .bytes = 1, .op = IO_READ};
        submitted[i] = &ios[i];
    }
    assert_true(queue_engine_uv.submit(queue, submitted, IOS, &error));
    for (int32_t reaped = 0; reaped < IOS;) {
        int32_t n = queue_engine_uv.reap(queue, done, IOS, UINT64_MAX, &error);
        assert_true(n > 0);
        reaped += n;
    }
    queue_engine_uv.free(queue);
    assert_int_equal(file.most_inside, POOL);
    mutex_free(file.mutex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_lets_one_thread_in),
        cmocka_unit_test(a_stack_is_as_large_as_asked),
        cmocka_unit_test(a_gate_holds_all_until_it_is_opened),
        cmocka_unit_test(sleep_is_not_too_short),
        cmocka_unit_test(a_wait_ends_when_its_time_is_over),
        cmocka_unit_test(many_short_waits_all_end),
        cmocka_unit_test(a_wake_that_came_before_is_not_lost),
        cmocka_unit_test(another_thread_ends_the_wait),
        cmocka_unit_test(watches_follow_and_stand_beside_each_other),
        cmocka_unit_test(the_pool_has_as_many_threads_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
