#include "platform/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

/* The kinds in st_mode, as libuv gives them on every system. */
enum {
    MODE_KIND = 0170000,
    MODE_LINK = 0120000,
    MODE_FILE = 0100000,
    MODE_BLOCK_DEVICE = 0060000,
    MODE_DIRECTORY = 0040000,
    MODE_CHARACTER_DEVICE = 0020000
};

#define READ_STEP_BYTES 65536

/* Ends a request; its system's error code goes to *os_code (may be NULL). */
static int finish(uv_fs_t *request, int *os_code)
{
    int status = (int)request->result;
    if (os_code != NULL)
        *os_code = status < 0 ? uv_fs_get_system_error(request) : 0;
    uv_fs_req_cleanup(request);
    return status;
}

bool path_join(char out[PATH_BYTES], const char *directory, const char *name, struct error *error)
{
    size_t length = strlen(directory);
    bool here = length == 0 || strcmp(directory, ".") == 0;
    /* Windows takes '/' as well as '\\'. */
    const char *separator = here || directory[length - 1] == '/' ? "" : "/";
    int bytes = snprintf(out, PATH_BYTES, "%s%s%s", here ? "" : directory, separator, name);
    if (bytes >= 0 && bytes < PATH_BYTES)
        return true;
    return error_set(error, ERR_USAGE, "the path of '%.64s' in '%.64s…' is longer than %d bytes", name, directory,
                     PATH_BYTES - 1);
}

static enum path_kind kind_of_mode(uint64_t mode)
{
    switch (mode & MODE_KIND) {
    case MODE_FILE:
        return PATH_FILE;
    case MODE_DIRECTORY:
        return PATH_DIRECTORY;
    case MODE_BLOCK_DEVICE:
        return PATH_DEVICE;
    default:
        return PATH_OTHER;
    }
}

/* Windows' names of raw disks and volumes, which a file's attributes cannot be asked for. */
static bool is_windows_device_name(const char *path)
{
    return strncmp(path, "\\\\.\\", 4) == 0 || strncmp(path, "//./", 4) == 0;
}

bool path_look(const char *path, enum path_kind *kind, uint64_t *size_bytes, struct error *error)
{
    uv_fs_t request;
    uv_fs_stat(NULL, &request, path, NULL);
    uv_stat_t stat = request.statbuf;
    int os_code, status = finish(&request, &os_code);
    *kind = PATH_ABSENT;
    if (size_bytes != NULL)
        *size_bytes = status < 0 ? 0 : stat.st_size;
    if (status >= 0)
        *kind = kind_of_mode(stat.st_mode);
    else if (is_windows_device_name(path))
        *kind = PATH_DEVICE;
    else if (status != UV_ENOENT && status != UV_ENOTDIR)
        return error_set_os(error, os_code, "cannot look at '%s'", path);
    return true;
}

static bool ends_in_exe(const char *name, size_t length)
{
    if (length <= 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        char letter = name[length - 4 + i];
        if (letter != ".exe"[i] && letter != ".EXE"[i])
            return false;
    }
    return true;
}

void path_program_name(const char *path, char *out, size_t out_bytes)
{
    const char *name = path;
    for (const char *at = path; *at != '\0'; at++) {
        if (*at == '/' || *at == '\\')
            name = at + 1;
    }
    size_t length = strlen(name);
    if (ends_in_exe(name, length))
        length -= 4;
    if (length >= out_bytes)
        length = out_bytes - 1;
    memcpy(out, name, length);
    out[length] = '\0';
}

bool path_make_directory(const char *path, struct error *error)
{
    uv_fs_t request;
    uv_fs_mkdir(NULL, &request, path, 0777, NULL);
    int os_code;
    if (finish(&request, &os_code) >= 0)
        return true;
    /* The code for "there already" depends on the system and on the path ("C:/" is refused as access denied). */
    struct error ignored = ERROR_INIT;
    enum path_kind kind;
    if (path_look(path, &kind, NULL, &ignored) && kind == PATH_DIRECTORY)
        return true;
    return error_set_os(error, os_code, "cannot make the directory '%s'", path);
}

bool path_make_directories(const char *path, struct error *error)
{
    char upper[PATH_BYTES];
    struct error ignored = ERROR_INIT; /* "C:" and "//server" cannot be made; the whole path's error tells */
    bool made = path_make_directory(path, &ignored);
    for (size_t i = 1; !made && path[i] != '\0' && i < sizeof upper; i++) {
        if (path[i] != '/' && path[i] != '\\')
            continue;
        snprintf(upper, sizeof upper, "%.*s", (int)i, path);
        made = path_make_directory(upper, &ignored) && path_make_directory(path, &ignored);
    }
    return made || path_make_directory(path, error);
}

bool path_remove(const char *path, struct error *error)
{
    uv_fs_t request;
    uv_fs_unlink(NULL, &request, path, NULL);
    int os_code, status = finish(&request, &os_code);
    if (status >= 0 || status == UV_ENOENT || status == UV_ENOTDIR)
        return true;
    return error_set_os(error, os_code, "cannot remove '%s'", path);
}

static int open_file(const char *path, int flags, int *os_code)
{
    uv_fs_t request;
    uv_fs_open(NULL, &request, path, flags, 0666, NULL);
    return finish(&request, os_code);
}

static int close_file(uv_file file, int *os_code)
{
    uv_fs_t request;
    uv_fs_close(NULL, &request, file, NULL);
    return finish(&request, os_code);
}

/* A growing text; `bytes` of `room` are used. */
struct text {
    char *memory;
    size_t bytes, room;
};

static bool text_make_room(struct text *text, size_t bytes)
{
    if (text->room - text->bytes >= bytes)
        return true;
    size_t room = text->room * 2 > text->bytes + bytes ? text->room * 2 : text->bytes + bytes;
    char *memory = realloc(text->memory, room);
    if (memory == NULL)
        return false;
    text->memory = memory;
    text->room = room;
    return true;
}

/* Reads to the end, or until there is more than max_bytes. The size is not asked for: files of /proc have none. */
static bool read_all(uv_file file, const char *path, size_t max_bytes, struct text *text, struct error *error)
{
    for (;;) {
        if (!text_make_room(text, READ_STEP_BYTES + 1))
            return error_set(error, ERR_SYSTEM, "no memory to read '%s'", path);
        uv_buf_t buffer = uv_buf_init(text->memory + text->bytes, READ_STEP_BYTES);
        uv_fs_t request;
        uv_fs_read(NULL, &request, file, &buffer, 1, -1, NULL);
        int os_code, got = finish(&request, &os_code);
        if (got < 0)
            return error_set_os(error, os_code, "cannot read '%s'", path);
        text->bytes += (size_t)got;
        if (text->bytes > max_bytes)
            return error_set(error, ERR_DATA, "'%s' is larger than %zu bytes", path, max_bytes);
        if (got == 0)
            break;
    }
    text->memory[text->bytes] = '\0';
    return true;
}

bool path_read_text(const char *path, size_t max_bytes, char **out, size_t *size_bytes, struct error *error)
{
    int os_code;
    uv_file file = open_file(path, UV_FS_O_RDONLY, &os_code);
    if (file < 0)
        return error_set_os(error, os_code, "cannot open '%s'", path);
    struct text text = {NULL, 0, 0};
    bool read = read_all(file, path, max_bytes, &text, error);
    close_file(file, NULL);
    if (!read) {
        free(text.memory);
        return false;
    }
    *out = text.memory;
    if (size_bytes != NULL)
        *size_bytes = text.bytes;
    return true;
}

/* 0, or the system's code in *os_code and a negative status. */
static int write_all(uv_file file, const char *text, size_t bytes, int *os_code)
{
    while (bytes > 0) {
        unsigned step = bytes > READ_STEP_BYTES ? READ_STEP_BYTES : (unsigned)bytes;
        uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)text, step); /* libuv only reads it */
        uv_fs_t request;
        uv_fs_write(NULL, &request, file, &buffer, 1, -1, NULL);
        int done = finish(&request, os_code);
        if (done < 0)
            return done;
        text += done;
        bytes -= (size_t)done;
    }
    return 0;
}

static int flush_file(uv_file file, int *os_code)
{
    uv_fs_t request;
    uv_fs_fsync(NULL, &request, file, NULL);
    return finish(&request, os_code);
}

/* `durable`: pipes and terminals have nothing to flush and say so with an error. */
static bool write_whole(const char *path, const char *text, size_t bytes, bool durable, struct error *error)
{
    int os_code, ignored;
    uv_file file = open_file(path, UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_TRUNC, &os_code);
    if (file < 0)
        return error_set_os(error, os_code, "cannot open '%s' for writing", path);
    int status = write_all(file, text, bytes, &os_code);
    if (status >= 0 && durable)
        status = flush_file(file, &os_code);
    int closed = close_file(file, status < 0 ? &ignored : &os_code);
    if (status >= 0 && closed >= 0)
        return true;
    return error_set_os(error, os_code, "cannot write '%s'", path);
}

static bool rename_over(const char *from, const char *to, struct error *error)
{
    uv_fs_t request;
    uv_fs_rename(NULL, &request, from, to, NULL);
    int os_code;
    if (finish(&request, &os_code) >= 0)
        return true;
    return error_set_os(error, os_code, "cannot put the new '%s' in its place", to);
}

/* A rename would put a file where a link, a pipe or a terminal was (think of /dev/stdout). */
static bool may_be_replaced(const char *path)
{
    uv_fs_t request;
    uv_fs_lstat(NULL, &request, path, NULL);
    uint64_t kind = request.statbuf.st_mode & MODE_KIND;
    return finish(&request, NULL) < 0 || kind == MODE_FILE;
}

bool path_write_text(const char *path, const char *text, size_t bytes, struct error *error)
{
    if (!may_be_replaced(path))
        return write_whole(path, text, bytes, false, error);
    char beside[PATH_BYTES];
    int length = snprintf(beside, sizeof beside, "%s.tmp-%d", path, (int)uv_os_getpid());
    if (length < 0 || length >= PATH_BYTES)
        return error_set(error, ERR_USAGE, "the path '%.64s…' is longer than %d bytes", path, PATH_BYTES - 1);
    if (write_whole(beside, text, bytes, true, error) && rename_over(beside, path, error))
        return true;
    struct error ignored = ERROR_INIT;
    path_remove(beside, &ignored);
    return false;
}

bool path_lock_refused(const char *path, int os_code, bool taken, struct error *error)
{
    if (taken)
        return error_set(error, ERR_USAGE, "'%s' is held: another isobench works with these files; wait for its end",
                         path);
    return error_set_os(error, os_code, "cannot lock '%s'", path);
}

/* ---- listing ---- */

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static bool add_name(struct path_names *out, size_t *room, const char *name)
{
    if (out->count == *room) {
        size_t larger = *room ? *room * 2 : 16;
        char **items = realloc(out->items, larger * sizeof *items);
        if (!items)
            return false;
        out->items = items;
        *room = larger;
    }
    size_t bytes = strlen(name) + 1;
    char *copy = malloc(bytes);
    if (!copy)
        return false;
    out->items[out->count++] = memcpy(copy, name, bytes);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Some file systems do not tell in the listing. */
static bool is_directory(const char *directory, const uv_dirent_t *entry)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    uv_fs_t request;
    if (entry->type != UV_DIRENT_UNKNOWN)
        return entry->type == UV_DIRENT_DIR;
    if (!path_join(path, directory, entry->name, &ignored))
        return false;
    uv_fs_lstat(NULL, &request, path, NULL);
    uint64_t mode = request.statbuf.st_mode;
    return finish(&request, NULL) >= 0 && kind_of_mode(mode) == PATH_DIRECTORY;
}

/* Directories, or what is none and ends in `suffix`. */
static bool list(const char *directory, bool directories, const char *suffix, struct path_names *out,
                 struct error *error)
{
    uv_fs_t request;
    uv_dirent_t entry;
    size_t room = 0;
    bool good = true;
    int status = uv_fs_scandir(NULL, &request, directory, 0, NULL), os_code;
    *out = (struct path_names){NULL, 0};
    if (status < 0) {
        finish(&request, &os_code);
        return error_set_os(error, os_code, "cannot list '%s'", directory);
    }
    while (good && uv_fs_scandir_next(&request, &entry) != UV_EOF)
        if (is_directory(directory, &entry) == directories && ends_in(entry.name, suffix))
            good = add_name(out, &room, entry.name);
    uv_fs_req_cleanup(&request);
    if (!good) {
        path_names_free(out);
        return error_set(error, ERR_SYSTEM, "not enough memory for the names in '%s'", directory);
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_name);
    return true;
}

bool path_list(const char *directory, const char *suffix, struct path_names *out, struct error *error)
{
    return list(directory, false, suffix, out, error);
}

bool path_list_directories(const char *directory, struct path_names *out, struct error *error)
{
    return list(directory, true, "", out, error);
}

void path_names_free(struct path_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct path_names){NULL, 0};
}
