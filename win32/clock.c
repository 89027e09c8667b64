#include "platform/clock.h"

#include <windows.h>

/* Neither call fails from Windows XP on (QueryPerformanceCounter function). */
static uint64_t read_counter(void *context)
{
    LARGE_INTEGER ticks;
    (void)context;
    QueryPerformanceCounter(&ticks);
    return (uint64_t)ticks.QuadPart;
}

struct clock clock_system(void)
{
    LARGE_INTEGER ticks_per_s;
    QueryPerformanceFrequency(&ticks_per_s);
    return (struct clock){read_counter, NULL, (uint64_t)ticks_per_s.QuadPart, "QueryPerformanceCounter"};
}
