#include "fileio/set_locks.h"

#include "fileio/files.h"

#include <stdlib.h>
#include <string.h>

struct set_lock { /* what one job, or several of a set, use */
    struct set_lock *next;
    char dir[TEXT_MAX], file_name[NAME_MAX_BYTES];
    char target[TEXT_MAX]; /* instead of a set */
    bool alone, verify;
    struct path_lock *lock; /* targets have none */
};

struct set_locks {
    struct set_lock *first;
};

struct set_locks *set_locks_make(void)
{
    return calloc(1, sizeof(struct set_locks));
}

void set_locks_free(struct set_locks *locks)
{
    while (locks && locks->first) {
        struct set_lock *set = locks->first;
        locks->first = set->next;
        path_lock_release(set->lock);
        free(set);
    }
    free(locks);
}

static bool same_set(const struct set_lock *set, const struct job *job)
{
    return !set->target[0] && strcmp(set->dir, job->dir) == 0 && strcmp(set->file_name, job->file_name) == 0;
}

static bool shares_a_target(const struct set_lock *set, const struct job *job)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    for (uint64_t i = 0; i < files_targets(job); ++i) {
        if (files_path(path, job, i, &ignored) && files_list_has(set->target, path))
            return true;
    }
    return false;
}

static bool uses_the_same(const struct set_lock *set, const struct job *job)
{
    return job->target[0] ? shares_a_target(set, job) : same_set(set, job);
}

static bool refuse_verify(const struct job *job, struct error *error)
{
    if (job->target[0])
        return error_set(error, ERR_USAGE,
                         "--verify: another job that runs at the same time has --target=%s too, and who verifies must "
                         "have it alone",
                         job->target);
    return error_set(error, ERR_USAGE,
                     "--verify: another job that runs at the same time has the files %s.N in --dir=%s too, and who "
                     "verifies must have them alone: give each job a --file-name of its own",
                     job->file_name, job->dir);
}

static bool add(struct set_locks *locks, const struct job *job, bool alone, struct error *error)
{
    struct set_lock *set = calloc(1, sizeof(*set));
    if (!set)
        return error_set(error, ERR_SYSTEM, "not enough memory to lock the files of a job");
    if (!files_lock(job, alone, &set->lock, error)) {
        free(set);
        return false;
    }
    strcpy(set->dir, job->dir);
    strcpy(set->file_name, job->file_name);
    strcpy(set->target, job->target);
    set->alone = alone;
    set->verify = job->verify;
    set->next = locks->first;
    locks->first = set;
    return true;
}

/* Between the two another process may take the set: then the second fails and says so. */
static bool make_alone(struct set_lock *set, const struct job *job, struct error *error)
{
    path_lock_release(set->lock);
    set->lock = NULL;
    set->alone = files_lock(job, true, &set->lock, error);
    return set->alone;
}

bool set_locks_take(struct set_locks *locks, const struct job *job, bool alone, struct error *error)
{
    struct set_lock *same = NULL;
    for (struct set_lock *set = locks->first; set; set = set->next) {
        if (!uses_the_same(set, job))
            continue;
        if (set->verify || job->verify)
            return refuse_verify(job, error);
        same = set;
    }
    if (!same || job->target[0]) /* each list of targets is kept */
        return add(locks, job, alone, error);
    return !alone || same->alone || make_alone(same, job, error);
}
