/* The times of each CPU. */
#include "platform/host.h"

#include <windows.h>
#include <winternl.h>

#include <stdlib.h>

#define NS_PER_TICK 100U /* Windows' numbers count 100 ns */

typedef SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION cpu_times;

/* The call without a group tells of the calling thread's alone, that is of 64 CPUs at most. The one with it, whose
 * input is the group's number, is there since Windows 7. */
typedef NTSTATUS(NTAPI *query_function)(SYSTEM_INFORMATION_CLASS kind, PVOID out, ULONG out_bytes, PULONG got_bytes);
typedef NTSTATUS(NTAPI *query_group_function)(SYSTEM_INFORMATION_CLASS kind, PVOID input, ULONG input_bytes, PVOID out,
                                              ULONG out_bytes, PULONG got_bytes);

struct queries {
    query_function query;             /* NULL = not there */
    query_group_function query_group; /* the same */
};

static struct queries find_queries(void)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    struct queries queries = {NULL, NULL};
    if (ntdll == NULL)
        return queries;
    queries.query = (query_function)(void (*)(void))GetProcAddress(ntdll, "NtQuerySystemInformation");
    queries.query_group = (query_group_function)(void (*)(void))GetProcAddress(ntdll, "NtQuerySystemInformationEx");
    return queries;
}

static uint64_t ns_of(LARGE_INTEGER ticks)
{
    return ticks.QuadPart > 0 ? (uint64_t)ticks.QuadPart * NS_PER_TICK : 0;
}

/* Kernel time holds the idle time, and that of interrupts. */
static struct host_cpu cpu_of(const cpu_times *times)
{
    uint64_t kernel_ns = ns_of(times->KernelTime), idle_ns = ns_of(times->IdleTime);
    return (struct host_cpu){ns_of(times->UserTime), kernel_ns > idle_ns ? kernel_ns - idle_ns : 0, idle_ns};
}

/* Those of one group, at `times`; how many. */
static size_t query_one(const struct queries *queries, USHORT group, cpu_times *times, size_t room)
{
    ULONG got_bytes = 0, room_bytes = (ULONG)(room * sizeof *times);
    NTSTATUS status = -1;
    if (queries->query_group != NULL)
        status = queries->query_group(SystemProcessorPerformanceInformation, &group, sizeof group, times, room_bytes,
                                      &got_bytes);
    if (status < 0 && group == 0 && queries->query != NULL)
        status = queries->query(SystemProcessorPerformanceInformation, times, room_bytes, &got_bytes);
    return status >= 0 ? got_bytes / sizeof *times : 0;
}

/* All or none. */
static size_t query_all(cpu_times *times, size_t room)
{
    struct queries queries = find_queries();
    size_t count = 0;
    for (USHORT group = 0; group < GetActiveProcessorGroupCount() && count < room; ++group)
        count += query_one(&queries, group, times + count, room - count);
    return count == room ? count : 0;
}

size_t host_cpus(struct host_cpu **out)
{
    size_t count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    cpu_times *times = calloc(count + 1, sizeof *times);
    *out = calloc(count + 1, sizeof **out);
    count = times != NULL && *out != NULL ? query_all(times, count) : 0;
    for (size_t i = 0; i < count; ++i)
        (*out)[i] = cpu_of(&times[i]);
    free(times);
    if (count == 0) {
        free(*out);
        *out = NULL;
    }
    return count;
}
