/* cli/check.h: what `isobench fileio check` prints. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "fileio/check.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stdio.h>

void check_print(FILE *out, const struct check_report *report);
/* False, with how many, when a block is wrong. */
bool check_refuse(const struct check_report *report, struct error *error);

#endif
