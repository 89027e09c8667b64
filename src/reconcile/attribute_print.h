/* reconcile/attribute_print.h: an attribution for people, as data, and as a picture. */
#ifndef RECONCILE_ATTRIBUTE_PRINT_H
#define RECONCILE_ATTRIBUTE_PRINT_H

#include "reconcile/attribute.h"

#include <stdio.h>

void attribute_print(const struct attribute_plan *plan, const struct attribution *found, FILE *out);
/* Texts for free(); NULL when memory is short. docs/attribute.md has the keys. */
char *attribute_to_json(const struct attribute_plan *plan, const struct attribution *found);
char *attribute_to_svg(const struct attribute_plan *plan, const struct attribution *found); /* a waterfall */

#endif
