/* run/cpus.h: what the host's CPUs did between two moments, whoever used them. */
#ifndef RUN_CPUS_H
#define RUN_CPUS_H

#include "core/result.h"
#include "platform/host.h"

#include <stddef.h>
#include <stdint.h>

struct cpus { /* one moment; all zero = not looked at */
    struct host_cpu *each;
    size_t count;
};

void cpus_look(struct cpus *cpus); /* may be done again */
void cpus_done(struct cpus *cpus);

/* One row for each CPU, for free(), their number in *count. NULL and 0 where the system does not tell, where CPUs came
 * or went meanwhile, and when none of them counted a tick. The system counts in ticks and the two moments lie a little
 * outside of the `elapsed_ns` that are asked about: a row that adds up to more is scaled to it. */
struct cpu_row *cpus_between(const struct cpus *from, const struct cpus *to, uint64_t elapsed_ns, size_t *count);

#endif
