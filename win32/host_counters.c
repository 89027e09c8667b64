/* The machine's counters: performance counters (PDH) by their English names, raw, so that they are sums and not means
 * over times of PDH's own; and what the system tells by calls of its own. Wine has hardly any of the former. */
#include "platform/host_counters.h"

#include "platform/clock.h"
#include "platform/compiler.h"
#include "win32/wide.h"

#include <winsock2.h>
#include <ws2ipdef.h>

#include <windows.h>

#include <iphlpapi.h>
#include <pdh.h>
#include <pdhmsg.h>
#include <psapi.h>

#include <stdlib.h>
#include <string.h>

#define NS_PER_TICK 100U /* Windows' numbers count 100 ns */
#define HZ_PER_MHZ UINT64_C(1000000)
#define TURN_32 (UINT64_C(1) << 32)
#define IS_LOOPBACK 24 /* IF_TYPE_SOFTWARE_LOOPBACK */

/* ---- what is asked for ---- */

enum single { CONTEXT_SWITCHES, PROCESSOR_QUEUE, DIRTY_PAGES, ACTUAL_MHZ, NOMINAL_MHZ, SINGLE_COUNT };

static const wchar_t *const single_names[SINGLE_COUNT] = {
    L"\\System\\Context Switches/sec",
    L"\\System\\Processor Queue Length",
    L"\\Cache\\Dirty Pages",
    L"\\Processor Information(_Total)\\Actual Frequency",
    L"\\Processor Information(_Total)\\Processor Frequency",
};

/* Of each disk. The types of these counters (winperf.h) say what their raw values are: reads and writes count in 32
 * bits, bytes in 64; the queue's is the sum of all requests' times, and the idle time comes with the time it was read
 * at, both in 100 ns. */
enum of_disk { READS, WRITES, READ_BYTES, WRITE_BYTES, QUEUE_TICKS, IDLE_TICKS, OF_DISK_COUNT };

static const wchar_t *const disk_names[OF_DISK_COUNT] = {
    L"\\PhysicalDisk(*)\\Disk Reads/sec",         L"\\PhysicalDisk(*)\\Disk Writes/sec",
    L"\\PhysicalDisk(*)\\Disk Read Bytes/sec",    L"\\PhysicalDisk(*)\\Disk Write Bytes/sec",
    L"\\PhysicalDisk(*)\\Avg. Disk Queue Length", L"\\PhysicalDisk(*)\\% Idle Time",
};

struct host_probe {
    PDH_HQUERY query;                     /* NULL = there is none */
    PDH_HCOUNTER singles[SINGLE_COUNT];   /* NULL = not there */
    PDH_HCOUNTER of_disks[OF_DISK_COUNT]; /* the same */
    PDH_RAW_COUNTER_ITEM_W *items;
    DWORD items_bytes;
};

static PDH_HCOUNTER add_counter(struct host_probe *probe, const wchar_t *name)
{
    PDH_HCOUNTER counter = NULL;
    if (probe->query == NULL || PdhAddEnglishCounterW(probe->query, name, 0, &counter) != ERROR_SUCCESS)
        return NULL;
    return counter;
}

bool host_probe_open(struct host_probe **out, struct error *error)
{
    struct host_probe *probe = calloc(1, sizeof *probe);
    *out = probe;
    if (probe == NULL)
        return error_set(error, ERR_SYSTEM, "not enough memory for the host's figures");
    if (PdhOpenQueryW(NULL, 0, &probe->query) != ERROR_SUCCESS)
        probe->query = NULL;
    for (int i = 0; i < SINGLE_COUNT; ++i)
        probe->singles[i] = add_counter(probe, single_names[i]);
    for (int i = 0; i < OF_DISK_COUNT; ++i)
        probe->of_disks[i] = add_counter(probe, disk_names[i]);
    return true;
}

void host_probe_close(struct host_probe *probe)
{
    if (probe == NULL)
        return;
    if (probe->query != NULL)
        PdhCloseQuery(probe->query);
    free(probe->items);
    free(probe);
}

/* ---- performance counters ---- */

static bool is_good(const PDH_RAW_COUNTER *value)
{
    return value->CStatus == PDH_CSTATUS_VALID_DATA || value->CStatus == PDH_CSTATUS_NEW_DATA;
}

static uint64_t positive(LONGLONG value)
{
    return value >= 0 ? (uint64_t)value : HOST_UNKNOWN;
}

static uint64_t single(const struct host_probe *probe, enum single which)
{
    PDH_RAW_COUNTER value;
    DWORD type = 0;
    if (probe->singles[which] == NULL || PdhGetRawCounterValue(probe->singles[which], &type, &value) != ERROR_SUCCESS ||
        !is_good(&value))
        return HOST_UNKNOWN;
    return positive(value.FirstValue);
}

static uint64_t times(uint64_t value, uint64_t unit)
{
    return value == HOST_UNKNOWN ? HOST_UNKNOWN : value * unit;
}

static void read_singles(const struct host_probe *probe, uint64_t page_bytes, struct host_counters *out)
{
    uint64_t actual_mhz = single(probe, ACTUAL_MHZ), nominal_mhz = single(probe, NOMINAL_MHZ);
    uint64_t mhz = actual_mhz != HOST_UNKNOWN && actual_mhz > 0 ? actual_mhz : nominal_mhz;
    out->context_switches = single(probe, CONTEXT_SWITCHES);
    out->waiting_threads = single(probe, PROCESSOR_QUEUE);
    out->dirty_bytes = times(single(probe, DIRTY_PAGES), page_bytes);
    out->cpu_frequency_hz = mhz > 0 ? times(mhz, HZ_PER_MHZ) : HOST_UNKNOWN;
}

/* The disk's row, a new one if it has none yet; NULL when memory is short. */
static struct host_device_counters *row_of(struct host_counters *out, const wchar_t *wide_name)
{
    char name[HOST_DEVICE_NAME_BYTES];
    wide_copy_utf8(wide_name, name, sizeof name);
    for (size_t i = 0; i < out->devices_count; ++i)
        if (strcmp(out->devices[i].name, name) == 0)
            return &out->devices[i];
    struct host_device_counters *row = host_counters_add_device(out);
    if (row == NULL)
        return NULL;
    memcpy(row->name, name, sizeof row->name);
    row->count_turn = TURN_32;
    return row;
}

static void put_value(struct host_device_counters *row, enum of_disk which, const PDH_RAW_COUNTER *value)
{
    uint64_t first = positive(value->FirstValue);
    switch (which) {
    case READS:
        row->reads = first;
        break;
    case WRITES:
        row->writes = first;
        break;
    case READ_BYTES:
        row->read_bytes = first;
        break;
    case WRITE_BYTES:
        row->write_bytes = first;
        break;
    case QUEUE_TICKS:
        row->queue_ns = times(first, NS_PER_TICK);
        break;
    case IDLE_TICKS:
        if (value->SecondValue >= value->FirstValue)
            row->busy_ns = times((uint64_t)(value->SecondValue - value->FirstValue), NS_PER_TICK);
        break;
    case OF_DISK_COUNT:
        break;
    }
}

/* All disks' values of one counter; how many. */
static DWORD read_items(struct host_probe *probe, PDH_HCOUNTER counter)
{
    for (int tries = 0; tries < 3; ++tries) {
        DWORD bytes = probe->items_bytes, count = 0;
        PDH_STATUS status = PdhGetRawCounterArrayW(counter, &bytes, &count, bytes > 0 ? probe->items : NULL);
        if (status == ERROR_SUCCESS)
            return count;
        PDH_RAW_COUNTER_ITEM_W *more =
            status == (PDH_STATUS)PDH_MORE_DATA && bytes > probe->items_bytes ? realloc(probe->items, bytes) : NULL;
        if (more == NULL)
            return 0;
        probe->items = more;
        probe->items_bytes = bytes;
    }
    return 0;
}

static void read_disks(struct host_probe *probe, struct host_counters *out)
{
    for (int which = 0; which < OF_DISK_COUNT; ++which) {
        DWORD count = probe->of_disks[which] != NULL ? read_items(probe, probe->of_disks[which]) : 0;
        for (DWORD i = 0; i < count; ++i) {
            const PDH_RAW_COUNTER_ITEM_W *item = &probe->items[i];
            struct host_device_counters *row = NULL;
            if (is_good(&item->RawValue) && wcscmp(item->szName, L"_Total") != 0)
                row = row_of(out, item->szName);
            if (row != NULL)
                put_value(row, (enum of_disk)which, &item->RawValue);
        }
    }
}

/* ---- calls of the system's own ---- */

/* Windows knows no waiting for IO, and tells nothing of what a hypervisor took. */
static void read_cpus(struct host_counters *out)
{
    struct host_cpu *cpus;
    size_t count = host_cpus(&cpus);
    for (size_t i = 0; i < count; ++i) {
        struct host_cpu_counters *row = host_counters_add_cpu(out, (uint32_t)i);
        if (row == NULL)
            break;
        row->user_ns = cpus[i].user_ns;
        row->system_ns = cpus[i].system_ns;
        row->idle_ns = cpus[i].idle_ns;
    }
    free(cpus);
}

/* The page's size. */
static uint64_t read_memory(struct host_counters *out)
{
    PERFORMANCE_INFORMATION information;
    if (!GetPerformanceInfo(&information, sizeof information))
        return 0;
    out->memory_available_bytes = (uint64_t)information.PhysicalAvailable * information.PageSize;
    if (information.SystemCache > 0)
        out->page_cache_bytes = (uint64_t)information.SystemCache * information.PageSize;
    return information.PageSize;
}

/* Filters stand over a card and count its bytes again. */
static bool counts(const MIB_IF_ROW2 *row, bool cards_alone)
{
    if (row->InterfaceAndOperStatusFlags.FilterInterface || row->Type == IS_LOOPBACK)
        return false;
    return !cards_alone || row->InterfaceAndOperStatusFlags.HardwareInterface;
}

static bool sum_interfaces(const MIB_IF_TABLE2 *table, bool cards_alone, struct host_counters *out)
{
    uint64_t received = 0, sent = 0;
    bool any = false;
    for (ULONG i = 0; i < table->NumEntries; ++i) {
        if (!counts(&table->Table[i], cards_alone))
            continue;
        any = true;
        received += table->Table[i].InOctets;
        sent += table->Table[i].OutOctets;
    }
    if (any) {
        out->network_received_bytes = received;
        out->network_sent_bytes = sent;
    }
    return any;
}

static void read_network(struct host_counters *out)
{
    MIB_IF_TABLE2 *table;
    if (GetIfTable2(&table) != NO_ERROR)
        return;
    if (!sum_interfaces(table, true, out))
        sum_interfaces(table, false, out);
    FreeMibTable(table);
}

#define NO_BATTERY 128    /* of BatteryFlag */
#define UNKNOWN_FLAG 255U /* of all three */

static void read_power(struct host_counters *out)
{
    SYSTEM_POWER_STATUS status;
    if (!GetSystemPowerStatus(&status) || status.BatteryFlag == UNKNOWN_FLAG || (status.BatteryFlag & NO_BATTERY))
        return;
    if (status.BatteryLifePercent <= 100)
        out->battery_percent = status.BatteryLifePercent;
    if (status.ACLineStatus <= 1)
        out->on_battery = status.ACLineStatus == 0 ? TRI_YES : TRI_NO;
}

/* ---- all of it ---- */

void host_probe_read(struct host_probe *probe, struct host_counters *out)
{
    host_counters_clear(out);
    read_cpus(out);
    uint64_t page_bytes = read_memory(out);
    read_network(out);
    read_power(out);
    if (probe->query == NULL || PdhCollectQueryData(probe->query) != ERROR_SUCCESS)
        return;
    read_singles(probe, page_bytes, out);
    read_disks(probe, out);
}
