/* fileio/made.h: targets that the runs of one command line made, to be removed after the last of them; and what lies
 * between two of those runs. */
#ifndef FILEIO_MADE_H
#define FILEIO_MADE_H

#include "fileio/fileio.h"
#include "platform/path.h"

struct made_file {
    char path[PATH_BYTES];
    struct path_identity identity;
};

struct made_files { /* all zero = none; of one thread at a time */
    struct made_file *list;
    size_t count;
};

/* The file that stands at `path` was just made. */
bool made_files_note(struct made_files *made, const char *path, struct error *error);
/* Removes each that is still the file that was made; what took its name stays. The first failure is the error, and the
 * others are tried. */
bool made_files_remove(struct made_files *made, const struct file_layer *layer, struct error *error);
void made_files_done(struct made_files *made);

/* Makes durable what the job's run wrote, in no figure. */
bool fileio_settle(const struct fileio_setup *setup, struct error *error);

#endif
