/* tests/platform/machine.h: trees of small files that show another machine's /proc, /sys and /etc, in the scratch
 * directory MACHINE_ROOT, which is defined before this is included. After <cmocka.h>. */
#ifndef TESTS_PLATFORM_MACHINE_H
#define TESTS_PLATFORM_MACHINE_H

#include "tests/scratch.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory's content, or one file or link. Nothing outside of the scratch directory: links are not followed. */
static inline void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char inside[PATH_BYTES];
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        assert_true(snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < PATH_BYTES);
        assert_int_equal(lstat(inside, &status), 0);
        if (S_ISDIR(status.st_mode)) {
            remove_tree(inside);
            assert_int_equal(rmdir(inside), 0);
        } else {
            assert_int_equal(unlink(inside), 0);
        }
    }
    if (directory != NULL)
        closedir(directory);
}

static inline void empty_root(char root[PATH_BYTES])
{
    scratch_directory(root, MACHINE_ROOT);
    remove_tree(root);
}

/* root + name, with the directories above it. */
static inline void place(char out[PATH_BYTES], const char *root, const char *name)
{
    struct error error = ERROR_INIT;
    assert_true(snprintf(out, PATH_BYTES, "%s%s", root, name) < PATH_BYTES);
    for (char *slash = out + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(path_make_directory(out, &error));
        *slash = '/';
    }
}

static inline void put(const char *root, const char *name, const char *text)
{
    char path[PATH_BYTES];
    struct error error = ERROR_INIT;
    place(path, root, name);
    assert_true(path_write_text(path, text, strlen(text), &error));
}

static inline void put_link(const char *root, const char *name, const char *target)
{
    char path[PATH_BYTES];
    place(path, root, name);
    assert_int_equal(symlink(target, path), 0);
}

/* For a group's teardown. */
static inline int remove_machine(void **state)
{
    char root[PATH_BYTES];
    (void)state;
    empty_root(root);
    return rmdir(root);
}

#endif
