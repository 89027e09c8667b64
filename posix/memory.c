#define _POSIX_C_SOURCE 200809L
#include "platform/memory.h"

#include <stdlib.h>
#include <string.h>

void *memory_aligned_make(size_t bytes, size_t alignment)
{
    void *memory;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        return NULL;
    return memset(memory, 0, bytes);
}

void memory_aligned_free(void *memory)
{
    free(memory);
}
