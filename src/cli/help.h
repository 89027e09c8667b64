/* cli/help.h: help texts, made from the settings table and the list of dialects. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "core/job.h"

#include <stdbool.h>
#include <stdio.h>

/* Stand around a command's name before its page in `isobench help all`. */
#define HELP_TITLE "=== "
#define HELP_TITLE_END " ==="

void help_overview(FILE *out);
void help_command(FILE *out, enum work work); /* all settings of fileio, or of oltp */
void help_settings_markdown(FILE *out);       /* docs/settings.md is this, and a test holds them together */

#endif
