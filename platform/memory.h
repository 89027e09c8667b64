/* platform/memory.h: memory aligned for devices. */
#ifndef PLATFORM_MEMORY_H
#define PLATFORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory whose address is a multiple of `alignment` (a power of two, at least the size of a
 * pointer). NULL when there is none left. Freed by memory_aligned_free alone. */
void *memory_aligned_make(size_t bytes, size_t alignment);
void memory_aligned_free(void *memory); /* NULL is fine */

/* memcpy where one side is a mapped file. False when the system could not bring a page in: the file was cut under the
 * map, or its device failed. What was copied by then stays copied. */
bool memory_copy_mapped(void *to, const void *from, size_t bytes);

#endif
