/* report/text.h: figures as the page and the tables write them. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "reconcile/sides.h"

/* All return out, of FIGURE_BYTES_MAX bytes. */
#define FIGURE_BYTES_MAX 64
char *text_number(double value, char *out); /* three digits, or whole ones in groups */
char *text_ratio(double ratio, char *out);  /* "×1.25" */
char *text_measure(double value, enum measure measure, enum work work, char *out); /* "24 603 IO/s", "1.25 ms" */

#endif
