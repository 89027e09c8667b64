/* core/number_form.h: numbers as other countries write them, as tools print them: 3.835,39 and 3'835.39 are 3835.39. */
#ifndef CORE_NUMBER_FORM_H
#define CORE_NUMBER_FORM_H

#include <stdbool.h>
#include <stddef.h>

/* Rewrites the lines in place; none gets longer. What 3,835 is (a fraction, or thousands as the English group them) is
 * told by the nearest line with a number that can be only one of the two; English where none can. Lines with options of
 * a command, and lists as 39516,0,0,0, stay as they are. *commas is how many lines had a comma before a fraction. False
 * when memory is short. */
bool number_form_make_plain(char **lines, size_t count, size_t *commas);

#endif
