#include "win32/host_win32.h"

#include <stdio.h>

#if defined(_M_X64) || defined(_M_IX86) || defined(__x86_64__) || defined(__i386__)

#include "platform/compiler.h"

#include <intrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SIGNATURE_BYTES 12

/* A hypervisor's signature stands in EBX, ECX, EDX of CPUID leaf 0x40000000. One that imitates Hyper-V for
 * Windows' sake (KVM, Xen) puts its own 0x100 further on: so any other than Microsoft's wins. */
#define LEAF_FIRST 0x40000000U
#define LEAF_STEP 0x100U
#define LEAF_TRIES 16U

static const struct {
    char signature[SIGNATURE_BYTES + 1];
    const char *name;
} hypervisors[] = {
    {"KVMKVMKVM\0\0\0", "kvm"},     {"XenVMMXenVMM", "xen"},  {"VMwareVMware", "vmware"},
    {"VBoxVBoxVBox", "virtualbox"}, {"TCGTCGTCGTCG", "qemu"}, {"bhyve bhyve ", "bhyve"},
    {" prl hyperv ", "parallels"},  {"ACRNACRNACRN", "acrn"}, {"QNXQVMBSQG\0\0", "qnx"},
};

static const char *named(const char *signature)
{
    for (size_t i = 0; i < COUNT_OF(hypervisors); ++i)
        if (memcmp(signature, hypervisors[i].signature, SIGNATURE_BYTES) == 0)
            return hypervisors[i].name;
    return NULL;
}

static void read_signature(uint32_t leaf, char *out)
{
    int registers[4];
    __cpuid(registers, (int)leaf);
    memcpy(out, &registers[1], SIGNATURE_BYTES);
}

/* Windows itself runs on top of Hyper-V once Hyper-V or core isolation is on, and may then create partitions
 * (leaf 0x40000003, EBX bit 0: Hypervisor Top Level Functional Specification). A guest may not. */
static const char *microsoft_kind(void)
{
    int registers[4];
    __cpuid(registers, (int)(LEAF_FIRST + 3));
    return ((unsigned)registers[1] & 1U) != 0 ? "hyper-v root" : "hyper-v";
}

static bool runs_under_hypervisor(void)
{
    int registers[4];
    __cpuid(registers, 1);
    return ((unsigned)registers[2] >> 31) != 0;
}

static const char *find(void)
{
    char signature[SIGNATURE_BYTES];
    for (uint32_t i = 0; i < LEAF_TRIES; ++i) {
        read_signature(LEAF_FIRST + i * LEAF_STEP, signature);
        const char *name = named(signature);
        if (name != NULL)
            return name;
    }
    read_signature(LEAF_FIRST, signature);
    return memcmp(signature, "Microsoft Hv", SIGNATURE_BYTES) == 0 ? microsoft_kind() : "unknown hypervisor";
}

void host_cpu_virtualization(char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "%s", runs_under_hypervisor() ? find() : "none");
}

#else

void host_cpu_virtualization(char *out, size_t out_bytes)
{
    snprintf(out, out_bytes, "%s", "");
}

#endif
