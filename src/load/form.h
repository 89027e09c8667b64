/* load/form.h: a row in the forms it goes to a database in, and the checksum that proves that it arrived. */
#ifndef LOAD_FORM_H
#define LOAD_FORM_H

#include "db/db.h"

/* As a stream has it (db_stream): bytes, without a NUL. `out` has room for form_room. */
size_t form_stream(const struct db_value *values, size_t count, char *out);
/* Bytes of that, without writing it. */
size_t form_stream_bytes(const struct db_value *values, size_t count);
/* As it stands behind VALUES: (1,'a',NULL). A quote is doubled, a backslash is no escape. */
size_t form_literals(const struct db_value *values, size_t count, char *out);
/* Room that either of them may need. */
size_t form_room(const struct db_value *values, size_t count);

/* Of rows in any order: the sum of their 128-bit hashes, so that a row that is there twice, or not at all, shows. */
struct form_sum {
    uint64_t low, high, rows;
};

/* `loose`: numbers count by their value, so that 01.50 and 1.5 are the same: for columns whose type writes them in its
 * own way. `buffer` has room for form_room. */
void form_add(struct form_sum *sum, const struct db_value *values, size_t count, bool loose, char *buffer);
bool form_same(const struct form_sum *a, const struct form_sum *b);

#endif
