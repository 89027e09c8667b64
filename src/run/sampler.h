/* run/sampler.h: a thread of its own that looks at the whole machine now and then while a run goes (setting `sample`).
 * It sleeps in between, and takes nothing that the workers use. */
#ifndef RUN_SAMPLER_H
#define RUN_SAMPLER_H

#include "core/host_sample.h"
#include "platform/clock.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stdint.h>

struct sampler;

/* Makes it, at rest: what has to be looked up once is, so that it takes no time from the run. The clock is copied. *out
 * is for sampler_free also when it fails. */
bool sampler_make(struct sampler **out, const struct clock *clock, uint64_t interval_ns, struct error *error);
/* From any thread, and at once: the first sample begins now. */
void sampler_start(struct sampler *sampler);
/* The measured part begins at from_ns, which has come: the sample of the warm-up ends, and the next ones are counted
 * from there. */
void sampler_measure_from(struct sampler *sampler, uint64_t from_ns);
/* The last sample ends now; one shorter than half an interval is dropped, unless it is the measured part's only one.
 * NULL is fine. */
void sampler_stop(struct sampler *sampler);
/* A copy of the newest sample, for host_sample_done, whose end_ns is the clock's; false when there is none. From any
 * thread. */
bool sampler_newest(struct sampler *sampler, struct host_sample *out);
/* After sampler_stop: hands over what was sampled, with times since the measured part began. */
void sampler_take(struct sampler *sampler, struct host_series *out);
void sampler_free(struct sampler *sampler); /* also one that was never stopped; NULL is fine */

#endif
