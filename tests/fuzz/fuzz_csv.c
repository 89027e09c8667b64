/* The rows of a file, as CSV and as TSV (load/csv.h), and the streams that are made of them (load/form.h). */
#include "tests/fuzz/fuzz.h"

#include "load/csv.h"
#include "load/form.h"

static const struct csv_form forms[] = {{',', false, "\\N"}, {'\t', true, NULL}, {';', false, ""}};

static bool same(const struct db_value *a, const struct db_value *b)
{
    return a->type == b->type &&
           (a->type == DB_VALUE_NULL ||
            (a->text_bytes == b->text_bytes && (a->text_bytes == 0 || memcmp(a->text, b->text, a->text_bytes) == 0)));
}

/* What goes to the server reads back as the same row; but \0 has no way back, and no record has it. */
static void check_stream(const struct csv_record *record)
{
    struct csv_record again = {.text = NULL};
    char *out = malloc(form_room(record->values, record->count));
    FUZZ_REQUIRE(out != NULL);
    size_t bytes = form_stream(record->values, record->count, out);
    FUZZ_REQUIRE(bytes == form_stream_bytes(record->values, record->count));
    FUZZ_REQUIRE(bytes <= form_room(record->values, record->count));
    FUZZ_REQUIRE(csv_take(&forms[1], out, bytes, true, &again) == CSV_ROW);
    FUZZ_REQUIRE(again.taken == bytes && again.lines == 1 && again.count == record->count);
    for (size_t i = 0; i < again.count; i++)
        FUZZ_REQUIRE(same(&again.values[i], &record->values[i]));
    csv_done(&again);
    free(out);
}

static void check_sum(const struct csv_record *record)
{
    struct form_sum sum = {0, 0, 0};
    char *buffer = malloc(form_room(record->values, record->count));
    FUZZ_REQUIRE(buffer != NULL);
    form_add(&sum, record->values, record->count, true, buffer);
    FUZZ_REQUIRE(form_literals(record->values, record->count, buffer) <= form_room(record->values, record->count));
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct csv_record record = {.text = NULL};
        size_t at = 0;
        while (at < size) {
            enum csv_outcome early = csv_take(&forms[i], text + at, size - at, false, &record);
            size_t taken = record.taken;
            enum csv_outcome outcome = csv_take(&forms[i], text + at, size - at, true, &record);
            FUZZ_REQUIRE(outcome != CSV_MORE);
            FUZZ_REQUIRE(early == CSV_MORE || early == outcome);
            if (outcome == CSV_BAD) {
                FUZZ_REQUIRE(record.fault != NULL);
                break;
            }
            FUZZ_REQUIRE(early == CSV_MORE || taken == record.taken);
            FUZZ_REQUIRE(record.taken > 0 && record.taken <= size - at);
            FUZZ_REQUIRE(record.count >= 1 && record.count <= CSV_FIELDS_MAX);
            check_stream(&record);
            check_sum(&record);
            at += record.taken;
        }
        csv_done(&record);
    }
    free(text);
    return 0;
}
