/* Jobs of one process that share a set of files, and other processes (here: locks of their own) that must not. */
#include "core/settings.h"
#include "fileio/files.h"
#include "fileio/set_locks.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct job job_in_scratch(const char *file_name)
{
    struct job job;
    char dir[PATH_BYTES];
    job_init(&job);
    scratch_directory(dir, "scratch_set_locks");
    snprintf(job.dir, sizeof(job.dir), "%.*s", (int)sizeof(job.dir) - 1, dir);
    snprintf(job.file_name, sizeof(job.file_name), "%s", file_name);
    return job;
}

/* Could another process have it? */
static bool others_may(const struct job *job, bool alone)
{
    struct path_lock *lock = NULL;
    struct error error = ERROR_INIT;
    bool got = files_lock(job, alone, &lock, &error);
    path_lock_release(lock);
    return got;
}

static void fellows_share_what_others_may_not_have(void **state)
{
    struct set_locks *locks = set_locks_make();
    struct job job = job_in_scratch("set");
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(set_locks_take(locks, &job, true, &error));
    assert_true(set_locks_take(locks, &job, true, &error));
    assert_true(set_locks_take(locks, &job, false, &error));
    assert_false(others_may(&job, false));
    set_locks_free(locks);
    assert_true(others_may(&job, true));
}

static void what_was_shared_with_others_is_alone_when_a_fellow_needs_it(void **state)
{
    struct set_locks *locks = set_locks_make();
    struct job job = job_in_scratch("set");
    struct error error = ERROR_INIT;
    (void)state;
    assert_true(set_locks_take(locks, &job, false, &error));
    assert_true(others_may(&job, false));
    assert_false(others_may(&job, true));
    assert_true(set_locks_take(locks, &job, true, &error));
    assert_false(others_may(&job, false));
    set_locks_free(locks);
    assert_true(others_may(&job, true));
}

static void what_others_use_is_not_taken_from_them(void **state)
{
    struct set_locks *locks = set_locks_make();
    struct job job = job_in_scratch("set");
    struct error error = ERROR_INIT;
    struct path_lock *other = NULL;
    (void)state;
    assert_true(files_lock(&job, false, &other, &error));
    assert_true(set_locks_take(locks, &job, false, &error));
    assert_false(set_locks_take(locks, &job, true, &error));
    assert_int_equal(error.kind, ERR_USAGE);
    path_lock_release(other);
    set_locks_free(locks);
}

static void who_verifies_shares_with_no_fellow(void **state)
{
    struct job plain = job_in_scratch("set"), verifying = plain, elsewhere = job_in_scratch("other");
    (void)state;
    verifying.verify = elsewhere.verify = true;
    for (int first = 0; first < 3; ++first) {
        struct set_locks *locks = set_locks_make();
        struct error error = ERROR_INIT;
        assert_true(set_locks_take(locks, first ? &verifying : &plain, first > 0, &error));
        assert_true(set_locks_take(locks, &elsewhere, true, &error));
        assert_false(set_locks_take(locks, first == 2 ? &plain : &verifying, true, &error));
        assert_non_null(strstr(error.text, "--verify"));
        assert_non_null(strstr(error.text, "set.N"));
        set_locks_free(locks);
    }
}

static void targets_are_shared_unless_somebody_verifies(void **state)
{
    struct job one, two;
    struct set_locks *locks = set_locks_make();
    struct error error = ERROR_INIT;
    (void)state;
    job_init(&one);
    two = one;
    strcpy(one.target, "/a,/b");
    strcpy(two.target, "/c,/b");
    assert_true(set_locks_take(locks, &one, false, &error));
    assert_true(set_locks_take(locks, &two, false, &error));
    two.verify = true;
    assert_false(set_locks_take(locks, &two, true, &error));
    assert_non_null(strstr(error.text, "--target=/c,/b"));
    error = (struct error)ERROR_INIT;
    strcpy(two.target, "/bb,/d");
    assert_true(set_locks_take(locks, &two, true, &error));
    set_locks_free(locks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fellows_share_what_others_may_not_have),
        cmocka_unit_test(what_was_shared_with_others_is_alone_when_a_fellow_needs_it),
        cmocka_unit_test(what_others_use_is_not_taken_from_them),
        cmocka_unit_test(who_verifies_shares_with_no_fellow),
        cmocka_unit_test(targets_are_shared_unless_somebody_verifies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
