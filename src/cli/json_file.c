#include "cli/json_file.h"

#include "cli/common.h"
#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_file_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool json_file_probe(const char *path, struct error *error)
{
    char probe[TEXT_MAX + 16];
    if (path[0] == '\0' || json_file_is_stdout(path))
        return true;
    snprintf(probe, sizeof(probe), "%s.probe", path);
    if (path_write_text(probe, "", 0, error))
        return path_remove(probe, error);
    return false;
}

bool json_file_put(const char *path, char *text, struct error *error)
{
    bool good = text ? common_write(path, text, error) : error_set(error, ERR_SYSTEM, "not enough memory for the JSON");
    free(text);
    return good;
}
