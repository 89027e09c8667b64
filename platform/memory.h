/* platform/memory.h: memory aligned for devices. */
#ifndef PLATFORM_MEMORY_H
#define PLATFORM_MEMORY_H

#include <stddef.h>

/* Zeroed memory whose address is a multiple of `alignment` (a power of two, at least the size of a
 * pointer). NULL when there is none left. Freed by memory_aligned_free alone. */
void *memory_aligned_make(size_t bytes, size_t alignment);
void memory_aligned_free(void *memory); /* NULL is fine */

#endif
