#include "fileio/series.h"

void series_count(struct series *series, const struct job *job, enum op_class op)
{
    uint64_t none = 0;
    if (op == CLASS_WRITE && !atomic_load_explicit(&series->dirty, memory_order_relaxed))
        atomic_store_explicit(&series->dirty, true, memory_order_relaxed);
    if (op != CLASS_WRITE && job->sync_counts == SYNC_COUNTS_WRITES)
        return;
    uint64_t count = atomic_fetch_add_explicit(&series->requests, 1, memory_order_relaxed) + 1;
    if (count % job->sync_every != 0 || !atomic_exchange_explicit(&series->dirty, false, memory_order_relaxed))
        return;
    atomic_compare_exchange_strong(&series->left, &none, job->files);
}

bool series_claim(struct series *series, const struct job *job, uint32_t *file)
{
    uint64_t left = atomic_load_explicit(&series->left, memory_order_relaxed);
    while (left > 0) {
        if (atomic_compare_exchange_weak(&series->left, &left, left - 1)) {
            *file = (uint32_t)(job->files - left);
            return true;
        }
    }
    return false;
}
