/* reconcile/attribute_print.h: an attribution for people, as data, and as a picture. */
#ifndef RECONCILE_ATTRIBUTE_PRINT_H
#define RECONCILE_ATTRIBUTE_PRINT_H

#include "reconcile/attribute.h"

#include <stdio.h>

void attribute_print(const struct attribute_plan *plan, const struct attribution *found, FILE *out);
/* Texts for free(); NULL when memory is short. docs/attribute.md has the keys. */
char *attribute_to_json(const struct attribute_plan *plan, const struct attribution *found);
char *attribute_to_svg(const struct attribute_plan *plan, const struct attribution *found); /* a waterfall */
/* Events per second of the job with B's settings where `mask` has the step's bit: the geometric mean over the rounds.
 */
double attribute_rate(const struct attribute_plan *plan, uint32_t mask);

/* Reads what attribute_to_json wrote. `plan` gets the steps, slots and rates; its jobs and orders stay empty.
 * attribute_free in any case. An error names the file and what is wrong in it. */
bool attribute_from_json(const char *text, const char *name, struct attribute_plan *plan, struct attribution *found,
                         struct error *error);

#endif
