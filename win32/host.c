#include "platform/host.h"
#include "win32/host_win32.h"
#include "win32/smbios.h"
#include "win32/wide.h"

#include <windows.h>
#include <winternl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOWS_KEY L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
#define CPU_KEY L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0"
#define FIRST_BUILD_OF_WINDOWS_11 22000U

/* Windows' numbers count 100 ns. */
#define NS_PER_TICK 100U

/* "" where the registry has no such text. */
static void registry_text(const wchar_t *key, const wchar_t *name, char *out, size_t out_bytes)
{
    wchar_t wide[256] = {0};
    DWORD bytes = sizeof wide;
    out[0] = '\0';
    if (RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_SZ, NULL, wide, &bytes) == ERROR_SUCCESS)
        wide_copy_utf8(wide, out, out_bytes);
}

/* The build's revision, the fourth part of its number. 0 where it is not there. */
static DWORD registry_revision(void)
{
    DWORD revision = 0, bytes = sizeof revision;
    if (RegGetValueW(HKEY_LOCAL_MACHINE, WINDOWS_KEY, L"UBR", RRF_RT_REG_DWORD, NULL, &revision, &bytes) !=
        ERROR_SUCCESS)
        return 0;
    return revision;
}

/* RtlGetVersion tells the truth to every program; GetVersionEx lies to those without a manifest. */
static void true_version(OSVERSIONINFOW *out)
{
    typedef NTSTATUS(NTAPI * version_function)(OSVERSIONINFOW *);
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    version_function version =
        ntdll != NULL ? (version_function)(void (*)(void))GetProcAddress(ntdll, "RtlGetVersion") : NULL;
    memset(out, 0, sizeof *out);
    out->dwOSVersionInfoSize = sizeof *out;
    if (version != NULL)
        version(out);
}

/* ", Wine 8.0" where this is no Windows: what cache = off asks of a volume is then not passed on to it. */
static void add_wine(struct host_facts *out)
{
    typedef const char *(CDECL * version_function)(void);
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    version_function version =
        ntdll != NULL ? (version_function)(void (*)(void))GetProcAddress(ntdll, "wine_get_version") : NULL;
    size_t used = strlen(out->os);
    if (version != NULL)
        snprintf(out->os + used, sizeof out->os - used, ", Wine %s", version());
}

/* The registry goes on saying "Windows 10 …" on Windows 11; servers are named right. */
static void correct_product(char *product, DWORD build)
{
    static const char ten[] = "Windows 10";
    if (build >= FIRST_BUILD_OF_WINDOWS_11 && strncmp(product, ten, sizeof ten - 1) == 0)
        product[sizeof ten - 2] = '1';
}

static void measure_os(struct host_facts *out)
{
    OSVERSIONINFOW version;
    char product[64], release[16], number[48];
    true_version(&version);
    registry_text(WINDOWS_KEY, L"ProductName", product, sizeof product);
    registry_text(WINDOWS_KEY, L"DisplayVersion", release, sizeof release);
    correct_product(product, version.dwBuildNumber);
    snprintf(number, sizeof number, "%lu.%lu.%lu.%lu", version.dwMajorVersion, version.dwMinorVersion,
             version.dwBuildNumber, registry_revision());
    snprintf(out->os, sizeof out->os, "%s%s%s (%s)", product[0] != '\0' ? product : "Windows",
             release[0] != '\0' ? " " : "", release, number);
    add_wine(out);
    snprintf(out->kernel, sizeof out->kernel, "Windows NT %s", number);
}

static const char *architecture_name(WORD architecture)
{
    switch (architecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
        return " x86_64";
    case PROCESSOR_ARCHITECTURE_INTEL:
        return " x86";
    case PROCESSOR_ARCHITECTURE_ARM64:
        return " arm64";
    default:
        return "";
    }
}

static void measure_machine(struct host_facts *out)
{
    SYSTEM_INFO system;
    MEMORYSTATUSEX memory = {0};
    size_t used = strlen(out->kernel);
    GetNativeSystemInfo(&system);
    snprintf(out->kernel + used, sizeof out->kernel - used, "%s", architecture_name(system.wProcessorArchitecture));
    out->page_bytes = system.dwPageSize;
    out->cpu_count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    memory.dwLength = sizeof memory;
    if (GlobalMemoryStatusEx(&memory))
        out->memory_bytes = memory.ullTotalPhys;
    registry_text(CPU_KEY, L"ProcessorNameString", out->cpu_model, sizeof out->cpu_model);
}

static void measure_firmware(struct host_facts *out)
{
    const DWORD provider = ('R' << 24) | ('S' << 16) | ('M' << 8) | 'B';
    struct smbios_facts facts;
    DWORD bytes = GetSystemFirmwareTable(provider, 0, NULL, 0);
    uint8_t *table = bytes > 0 ? malloc(bytes) : NULL;
    if (table == NULL)
        return;
    DWORD got = GetSystemFirmwareTable(provider, 0, table, bytes);
    smbios_parse(table, got < bytes ? got : bytes, &facts);
    snprintf(out->cloud, sizeof out->cloud, "%s", smbios_cloud(&facts));
    snprintf(out->instance_type, sizeof out->instance_type, "%s", smbios_instance_type(&facts));
    free(table);
}

void host_measure(struct host_facts *out)
{
    memset(out, 0, sizeof *out);
    measure_os(out);
    measure_machine(out);
    measure_firmware(out);
    host_cpu_virtualization(out->virtualization, sizeof out->virtualization);
}

static uint64_t ns_of(FILETIME time)
{
    return (((uint64_t)time.dwHighDateTime << 32) | time.dwLowDateTime) * NS_PER_TICK;
}

void host_cpu_time(uint64_t *user_ns, uint64_t *system_ns)
{
    FILETIME made = {0}, ended = {0}, kernel = {0}, user = {0};
    GetProcessTimes(GetCurrentProcess(), &made, &ended, &kernel, &user);
    *user_ns = ns_of(user);
    *system_ns = ns_of(kernel);
}

/* Windows counts it in no call that a program may make; its event traces do (context switches), for administrators. */
bool host_run_wait(uint64_t *wait_ns)
{
    (void)wait_ns;
    return false;
}

/* Handles are bounded by memory alone (16 million a process), and we do not go through the C runtime's table. */
uint64_t host_open_files_limit(void)
{
    return UINT64_MAX;
}

uint64_t host_file_size_limit(void)
{
    return UINT64_MAX;
}
