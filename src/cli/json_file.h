/* cli/json_file.h: where --json=FILE goes. "" = nowhere, "-" = stdout, which then holds nothing else. */
#ifndef CLI_JSON_FILE_H
#define CLI_JSON_FILE_H

#include "platform/error.h"

#include <stdbool.h>

bool json_file_is_stdout(const char *path);
/* Can it be written? Found out before a run that may take hours, not after it. */
bool json_file_probe(const char *path, struct error *error);
/* Takes `text` over; NULL = memory was short. */
bool json_file_put(const char *path, char *text, struct error *error);

#endif
