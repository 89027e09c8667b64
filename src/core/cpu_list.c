#include "core/cpu_list.h"

#include <stdlib.h>

/* Reads "4" or "4-7" and moves *text past it and its comma. False when it is neither. */
static bool read_range(const char **text, uint32_t *first, uint32_t *last)
{
    uint32_t ends[2] = {0, 0};
    int read = 0;
    const char *at = *text;
    do {
        if (*at < '0' || *at > '9')
            return false;
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (value > CPU_HIGHEST)
            return false;
        ends[read++] = (uint32_t)value;
        at = end;
    } while (read < 2 && *at == '-' && ++at);
    *first = ends[0];
    *last = read == 2 ? ends[1] : ends[0];
    if (*last < *first || (*at != '\0' && *at != ',') || (*at == ',' && at[1] == '\0'))
        return false;
    *text = *at ? at + 1 : at;
    return true;
}

uint32_t cpu_list_count(const char *text)
{
    uint32_t count = 0, first, last;
    while (*text) {
        if (!read_range(&text, &first, &last))
            return 0;
        count += last - first + 1;
    }
    return count;
}

uint32_t cpu_list_at(const char *text, uint32_t index)
{
    uint32_t first = 0, last;
    while (*text && read_range(&text, &first, &last)) {
        if (index <= last - first)
            return first + index;
        index -= last - first + 1;
    }
    return first;
}
