/* fileio/layout.h: makes what a run needs and does not find, as tools do that have no prepare of their own. */
#ifndef FILEIO_LAYOUT_H
#define FILEIO_LAYOUT_H

#include "fileio/fileio.h"

/* A set as fileio_prepare makes it, but not one that the run makes anew itself. Of job.target: files that
 * are not there, and those that setup->overwrite names and that are too short, are filled up as job.fill says; what
 * they hold stays. When it fails, or Ctrl-C comes, what it began is undone. */
bool fileio_lay_out(const struct fileio_setup *setup, struct error *error);

#endif
