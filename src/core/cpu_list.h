/* core/cpu_list.h: lists of CPUs as people write them: 0-3,8. */
#ifndef CORE_CPU_LIST_H
#define CORE_CPU_LIST_H

#include <stdbool.h>
#include <stdint.h>

#define CPU_HIGHEST 4095

/* How many CPUs the list names; 0 for an empty list and for one that is none. */
uint32_t cpu_list_count(const char *text);
/* The index-th CPU of a good list, index < cpu_list_count. */
uint32_t cpu_list_at(const char *text, uint32_t index);

#endif
