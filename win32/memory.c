#include "platform/memory.h"

#include <malloc.h>
#include <string.h>

/* The memset also makes the pages resident, so that no page fault falls into a measured IO. */
void *memory_aligned_make(size_t bytes, size_t alignment)
{
    void *memory = _aligned_malloc(bytes > 0 ? bytes : 1, alignment);
    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void memory_aligned_free(void *memory)
{
    _aligned_free(memory);
}
