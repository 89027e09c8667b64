#include "platform/compiler.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void scratch_file(char out[PATH_BYTES], const char *name)
{
    char directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    scratch_directory(directory, "scratch_path");
    assert_true(path_join(out, directory, name, &error));
    assert_true(path_remove(out, &error));
}

static const struct {
    const char *directory, *name, *joined;
} joins[] = {
    {".", "test_file.0", "test_file.0"},
    {"", "test_file.0", "test_file.0"}, /* and not the root */
    {"data", "test_file.0", "data/test_file.0"},
    {"data/", "a", "data/a"},
    {"/", "a", "/a"},
    {"C:\\data", "a", "C:\\data/a"},
    {"..", "a", "../a"},
    {"d\xC3\xA4ten", "\xE6\x97\xA5", "d\xC3\xA4ten/\xE6\x97\xA5"},
};

static void a_directory_and_a_name_make_a_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(joins); i++) {
        char out[PATH_BYTES];
        struct error error = ERROR_INIT;
        assert_true(path_join(out, joins[i].directory, joins[i].name, &error));
        assert_string_equal(out, joins[i].joined);
    }
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    char long_name[PATH_BYTES + 1], out[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    memset(long_name, 'a', sizeof long_name);
    long_name[PATH_BYTES - 1 - 3] = '\0';
    assert_true(path_join(out, "bc", long_name, &error)); /* fits with its NUL */
    assert_int_equal(strlen(out), PATH_BYTES - 1);
    assert_false(path_join(out, "bcd", long_name, &error));
    assert_int_equal(error.kind, ERR_USAGE);
    assert_non_null(strstr(error.text, "4095"));
}

static const struct {
    const char *path, *name;
} programs[] = {
    {"isobench", "isobench"},
    {"/usr/bin/sysbench", "sysbench"},
    {"C:\\tools\\sqlio.exe", "sqlio"},
    {"C:/tools/DISKSPD.EXE", "DISKSPD"},
    {".exe", ".exe"},
    {"my.exe.old", "my.exe.old"},
    {"", ""},
};

static void a_program_has_a_name_without_folder_and_exe(void **state)
{
    char name[32];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        path_program_name(programs[i].path, name, sizeof name);
        assert_string_equal(name, programs[i].name);
    }
    path_program_name("/usr/bin/sysbench", name, 4);
    assert_string_equal(name, "sys");
}

static void what_stands_there_is_told(void **state)
{
    char path[PATH_BYTES], inside[PATH_BYTES], directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    enum path_kind kind;
    uint64_t bytes = 1;
    (void)state;
    scratch_directory(directory, "scratch_path");
    scratch_file(path, "look");
    assert_true(path_look(path, &kind, &bytes, &error));
    assert_int_equal(kind, PATH_ABSENT);
    assert_int_equal(bytes, 0);
    assert_true(path_write_text(path, "12345", 5, &error));
    assert_true(path_look(path, &kind, &bytes, &error));
    assert_int_equal(kind, PATH_FILE);
    assert_int_equal(bytes, 5);
    assert_true(path_join(inside, path, "below-a-file", &error));
    assert_true(path_look(inside, &kind, NULL, &error));
    assert_int_equal(kind, PATH_ABSENT);
    assert_true(path_look(directory, &kind, NULL, &error));
    assert_int_equal(kind, PATH_DIRECTORY);
    assert_true(path_remove(path, &error));
}

static void a_directory_that_is_there_is_fine(void **state)
{
    char path[PATH_BYTES], file[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(file, "in-the-way");
    scratch_directory(path, "scratch_path");
    assert_true(path_make_directory(path, &error));
    assert_true(path_make_directory(".", &error));
    assert_true(path_write_text(file, "", 0, &error));
    assert_false(path_make_directory(file, &error));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_non_null(strstr(error.text, file));
    struct error other = ERROR_INIT;
    assert_true(path_remove(file, &other));
}

static void directories_are_made_with_those_above_and_listed(void **state)
{
    char top[PATH_BYTES], deep[PATH_BYTES], file[PATH_BYTES];
    struct error error = ERROR_INIT, refused = ERROR_INIT;
    struct path_names names;
    (void)state;
    scratch_directory(top, "scratch_path_deep");
    assert_true(path_join(deep, top, "a b/c", &error) && path_make_directories(deep, &error));
    assert_true(path_make_directories(deep, &error));
    assert_true(path_join(file, deep, "in-the-way", &error) && path_write_text(file, "x", 1, &error));
    assert_true(path_list_directories(top, &names, &error));
    assert_int_equal(names.count, 1);
    assert_string_equal(names.items[0], "a b");
    path_names_free(&names);
    assert_true(path_list_directories(deep, &names, &error));
    assert_int_equal(names.count, 0);
    path_names_free(&names);
    assert_true(path_join(deep, file, "below/it", &error));
    assert_false(path_make_directories(deep, &refused));
    assert_non_null(strstr(refused.text, "below/it"));
    assert_true(path_remove(file, &error));
}

static void removing_what_is_not_there_is_fine(void **state)
{
    char path[PATH_BYTES], directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "gone");
    assert_true(path_remove(path, &error));
    scratch_directory(directory, "scratch_path");
    assert_false(path_remove(directory, &error)); /* only files are removed */
    assert_non_null(strstr(error.text, directory));
}

/* `text` comes back from the file of that name, with a NUL after it. */
static void assert_comes_back(const char *name, const char *text, size_t bytes)
{
    char path[PATH_BYTES], *read = NULL;
    size_t read_bytes = 0;
    struct error error = ERROR_INIT;
    scratch_file(path, name);
    assert_true(path_write_text(path, text, bytes, &error));
    assert_true(path_read_text(path, bytes, &read, &read_bytes, &error)); /* exactly the limit */
    assert_int_equal(read_bytes, bytes);
    assert_memory_equal(read, text, bytes);
    assert_int_equal(read[bytes], '\0');
    free(read);
    assert_true(path_remove(path, &error));
}

static void text_comes_back_as_it_was_written(void **state)
{
    size_t bytes = 300001; /* several steps of reading and writing */
    char *large = malloc(bytes);
    (void)state;
    assert_non_null(large);
    for (size_t i = 0; i < bytes; i++)
        large[i] = (char)(i * 31 >> 3);
    assert_comes_back("text", "{\"a\": 1}\r\n\x1a tail\n", 17); /* bytes that text mode would change */
    assert_comes_back("empty", "", 0);
    assert_comes_back("pr\xC3\xBC"
                      "fung-\xE6\x97\xA5\xE6\x9C\xAC.json",
                      "name", 4);
    assert_comes_back("large", large, bytes);
    free(large);
}

static void a_file_that_is_too_large_is_refused(void **state)
{
    char path[PATH_BYTES], *read = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "too-large");
    assert_true(path_write_text(path, "123456", 6, &error));
    assert_false(path_read_text(path, 5, &read, NULL, &error));
    assert_int_equal(error.kind, ERR_DATA);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "5 bytes"));
    struct error other = ERROR_INIT;
    assert_true(path_remove(path, &other));
}

static void a_file_that_is_not_there_cannot_be_read(void **state)
{
    char path[PATH_BYTES], *read = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "absent");
    assert_false(path_read_text(path, 5, &read, NULL, &error));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_true(error.os_code > 0);
    assert_non_null(strstr(error.text, path));
}

static void writing_replaces_the_whole_file(void **state)
{
    char path[PATH_BYTES], *read = NULL;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(path, "replaced");
    assert_true(path_write_text(path, "a longer text", 13, &error));
    assert_true(path_write_text(path, "short", 5, &error));
    assert_true(path_read_text(path, 100, &read, NULL, &error));
    assert_string_equal(read, "short");
    free(read);
    assert_true(path_remove(path, &error));
}

static void writing_where_no_directory_is_fails(void **state)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    struct error error = ERROR_INIT;
    (void)state;
    scratch_file(directory, "no-such-directory");
    assert_true(path_join(path, directory, "file", &error));
    assert_false(path_write_text(path, "text", 4, &error));
    assert_int_equal(error.kind, ERR_SYSTEM);
    assert_non_null(strstr(error.text, "no-such-directory/file"));
}

static void a_lock_is_shared_or_held_alone_and_leaves_nothing(void **state)
{
    char dir[PATH_BYTES], path[PATH_BYTES];
    struct path_lock *first, *second;
    struct error error = ERROR_INIT, taken = ERROR_INIT, still = ERROR_INIT;
    enum path_kind kind;
    (void)state;
    scratch_directory(dir, "scratch_lock");
    assert_true(path_join(path, dir, "lock", &error));
    assert_true(path_lock_take(&first, path, false, &error));
    assert_true(path_lock_take(&second, path, false, &error));
    struct path_lock *alone;
    assert_false(path_lock_take(&alone, path, true, &taken));
    assert_int_equal(taken.kind, ERR_USAGE);
    path_lock_release(first);
    assert_false(path_lock_take(&alone, path, true, &still));
    path_lock_release(second);
    assert_true(path_look(path, &kind, NULL, &error));
    assert_int_equal(kind, PATH_ABSENT);
    assert_true(path_lock_take(&alone, path, true, &error));
    struct error shared = ERROR_INIT;
    assert_false(path_lock_take(&first, path, false, &shared));
    assert_int_equal(shared.kind, ERR_USAGE);
    path_lock_release(alone);
    path_lock_release(NULL);
}

static void an_identity_stays_when_a_file_grows_and_not_when_another_takes_its_name(void **state)
{
    char dir[PATH_BYTES], path[PATH_BYTES];
    struct path_identity before, grown, other;
    struct error error = ERROR_INIT;
    (void)state;
    scratch_directory(dir, "scratch_identity");
    assert_true(path_join(path, dir, "file", &error));
    assert_true(path_write_text(path, "a", 1, &error));
    assert_true(path_identify(path, &before, &error));
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fwrite("bcd", 1, 3, file), 3);
    fclose(file);
    assert_true(path_identify(path, &grown, &error));
    assert_memory_equal(&before, &grown, sizeof before);
    assert_true(path_write_text(path, "other", 5, &error)); /* a new file, renamed over it */
    assert_true(path_identify(path, &other, &error));
    assert_memory_not_equal(&before, &other, sizeof before);
    assert_true(path_remove(path, &error));
}

static void names_are_listed_in_order_and_by_their_end(void **state)
{
    char path[PATH_BYTES], directory[PATH_BYTES];
    struct error error = ERROR_INIT;
    struct path_names names;
    static const char *const made[] = {"list.b.json", "list.a.json", "list.json.txt"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        scratch_file(path, made[i]);
        assert_true(path_write_text(path, "x", 1, &error));
    }
    scratch_directory(directory, "scratch_path");
    assert_true(path_join(path, directory, "list.c.json", &error));
    assert_true(path_make_directory(path, &error));
    assert_true(path_list(directory, ".json", &names, &error));
    assert_int_equal(names.count, 2);
    assert_string_equal(names.items[0], "list.a.json");
    assert_string_equal(names.items[1], "list.b.json");
    path_names_free(&names);
    assert_true(path_list(directory, ".none", &names, &error));
    assert_int_equal(names.count, 0);
    path_names_free(&names);
    assert_false(path_list("no/such/dir", "", &names, &error));
    assert_non_null(strstr(error.text, "no/such/dir"));
    for (size_t i = 0; i < COUNT_OF(made); i++)
        scratch_file(path, made[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_directory_and_a_name_make_a_path),
        cmocka_unit_test(a_path_that_is_too_long_is_refused),
        cmocka_unit_test(a_program_has_a_name_without_folder_and_exe),
        cmocka_unit_test(what_stands_there_is_told),
        cmocka_unit_test(a_directory_that_is_there_is_fine),
        cmocka_unit_test(directories_are_made_with_those_above_and_listed),
        cmocka_unit_test(names_are_listed_in_order_and_by_their_end),
        cmocka_unit_test(removing_what_is_not_there_is_fine),
        cmocka_unit_test(text_comes_back_as_it_was_written),
        cmocka_unit_test(a_file_that_is_too_large_is_refused),
        cmocka_unit_test(a_file_that_is_not_there_cannot_be_read),
        cmocka_unit_test(writing_replaces_the_whole_file),
        cmocka_unit_test(writing_where_no_directory_is_fails),
        cmocka_unit_test(a_lock_is_shared_or_held_alone_and_leaves_nothing),
        cmocka_unit_test(an_identity_stays_when_a_file_grows_and_not_when_another_takes_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
