/* report/host_course.h: what the host did while a run was measured, as its result tells it sample by sample. */
#ifndef REPORT_HOST_COURSE_H
#define REPORT_HOST_COURSE_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>

/* NAN = the system does not tell. */
struct host_point {
    double end_s;                /* since the measured part began */
    double cpu_busy, cpu_iowait; /* shares of all CPUs */
    double runnable;
    double dirty_bytes, page_cache_bytes;
    double network_bytes_per_s; /* both ways */
    double frequency_hz, throttled_per_s, battery;
    double device_busy, device_queue; /* of the device that moved most bytes */
};

struct host_course {
    char device[64]; /* "" = none */
    struct host_point *samples;
    size_t count;
};

/* Of each run in a document of isobench's own JSON, in its order: `out` has room for so many. What is of no such form
 * leaves them without samples; false only when memory is short. */
bool host_course_read(const char *text, struct host_course *out, size_t count, struct error *error);
void host_course_free(struct host_course *series);

#endif
