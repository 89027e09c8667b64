/* fileio/expand.h: makes targets that are not there or too short longer before a run, as SQLIO does: the end of the
 * file is moved and nothing is written, so what it holds stays. */
#ifndef FILEIO_EXPAND_H
#define FILEIO_EXPAND_H

#include "fileio/fileio.h"

/* For a job with `target` and a setup with extend_bytes; else it does nothing. When it fails, the file it was at is
 * cut back, or removed if it was not there. */
bool targets_expand(const struct fileio_setup *setup, struct error *error);

#endif
