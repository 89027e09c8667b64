/* win32/host_win32.h: the parts of platform/host.h that have files of their own. */
#ifndef WIN32_HOST_WIN32_H
#define WIN32_HOST_WIN32_H

#include <stddef.h>

/* What the CPU says it runs under: "kvm", "xen", "hyper-v", "vmware" …, "none"; "" where it cannot say. */
void host_cpu_virtualization(char *out, size_t out_bytes);

#endif
