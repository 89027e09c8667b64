/* platform/path.h: names of files and small text files, UTF-8 on every system, through libuv. */
#ifndef PLATFORM_PATH_H
#define PLATFORM_PATH_H

#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATH_BYTES 4096 /* longest path in UTF-8, with its NUL */

enum path_kind { PATH_ABSENT, PATH_FILE, PATH_DIRECTORY, PATH_DEVICE, PATH_OTHER };

/* directory + separator + name into out[PATH_BYTES]; fails when that is too long. "." gives name alone. */
bool path_join(char out[PATH_BYTES], const char *directory, const char *name, struct error *error);
/* What stands there and how long it is (size_bytes may be NULL). */
bool path_look(const char *path, enum path_kind *kind, uint64_t *size_bytes, struct error *error);
/* What tells this file from another that later stands under its name: its number in the file system and when it was
 * made (0 where the system does not tell, or where the number alone is enough). */
struct path_identity {
    uint64_t number;
    uint64_t born_ns;
};
bool path_identify(const char *path, struct path_identity *out, struct error *error);
/* The last part of a path without directories and, on Windows, without ".exe". Into out. */
void path_program_name(const char *path, char *out, size_t out_bytes);
bool path_make_directory(const char *path, struct error *error);   /* there already is fine */
bool path_make_directories(const char *path, struct error *error); /* with those above it */
bool path_remove(const char *path, struct error *error);           /* a file; not there is fine */

/* The names in a directory that end in `suffix`, sorted, without the directory; not those of directories.
 * path_names_free releases them. */
struct path_names {
    char **items;
    size_t count;
};
bool path_list(const char *directory, const char *suffix, struct path_names *out, struct error *error);
/* The names of the directories in it, sorted; no links to directories, so that a walk down always ends. */
bool path_list_directories(const char *directory, struct path_names *out, struct error *error);
void path_names_free(struct path_names *names);

/* Whole file as NUL-terminated text for free(); size_bytes may be NULL. Fails above max_bytes. */
bool path_read_text(const char *path, size_t max_bytes, char **out, size_t *size_bytes, struct error *error);
/* All or nothing: writes beside it and renames over it. */
bool path_write_text(const char *path, const char *text, size_t bytes, struct error *error);

/* A lock that other processes see, held until released or until the process ends: many may share it, or one has it
 * alone. The file is made for it and removed by the last holder. False when it is taken, with error->kind ERR_USAGE, or
 * when the system refuses (ERR_SYSTEM; on read-only media, for one). */
struct path_lock;
bool path_lock_take(struct path_lock **out, const char *path, bool exclusive, struct error *error);
void path_lock_release(struct path_lock *lock); /* NULL is fine */
/* For the two files that implement it: the sentence. Always returns false. */
bool path_lock_refused(const char *path, int os_code, bool taken, struct error *error);

#endif
