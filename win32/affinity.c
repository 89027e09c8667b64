#include "platform/thread.h"

#include <inttypes.h>
#include <windows.h>

/* More than 64 CPUs come in processor groups; CPUs are numbered through all of them, group after group.
 * (Microsoft: "Processor Groups", SetThreadGroupAffinity.) */
bool thread_bind(uint32_t cpu, struct error *error)
{
    DWORD left = cpu;
    for (WORD group = 0; group < GetActiveProcessorGroupCount(); group++) {
        DWORD count = GetActiveProcessorCount(group);
        if (left >= count) {
            left -= count;
            continue;
        }
        GROUP_AFFINITY affinity = {.Mask = (KAFFINITY)1 << left, .Group = group};
        if (SetThreadGroupAffinity(GetCurrentThread(), &affinity, NULL))
            return true;
        return error_set_os(error, (int)GetLastError(), "--cpus: cannot bind a thread to CPU %" PRIu32, cpu);
    }
    return error_set(error, ERR_USAGE, "--cpus: there is no CPU %" PRIu32, cpu);
}

/* Waits end on a tick of the system's timer, 15.6 ms unless some process has asked for less. */
const uint64_t thread_sleep_late_ns = 16000000;
