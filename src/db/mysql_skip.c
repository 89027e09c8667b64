#include "db/mysql_skip.h"

#if IS_CONNECTOR_C

#include <ma_pvio.h>

#define HEADER_BYTES 4 /* of a packet: length in three bytes, number in one */
#define EOF_BYTES 5    /* 0xfe, warnings, status */
#define LONGEST_PACKET 0xffffff
#define CACHE_BYTES_MAX (1U << 20) /* it has 16 KiB */

/* The layout is that of Connector/C 3; in another library's buffer these would hardly hold. */
static bool looks_right(const MARIADB_PVIO *pvio, const MYSQL *handle)
{
    return pvio && pvio->mysql == handle && pvio->cache && pvio->cache_size <= CACHE_BYTES_MAX &&
           pvio->cache_pos >= pvio->cache && pvio->cache_pos <= pvio->cache + CACHE_BYTES_MAX;
}

bool mysql_may_skip(MYSQL *handle)
{
    return MARIADB_PACKAGE_VERSION_ID >= 30000 && MARIADB_PACKAGE_VERSION_ID < 40000 && !handle->net.compress &&
           looks_right(handle->net.pvio, handle);
}

/* The length of the packet that stands whole at `at`, without its header; 0 = none does. */
static size_t packet_bytes(const uchar *at, const uchar *end)
{
    if (end - at < HEADER_BYTES + 1)
        return 0;
    size_t bytes = (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16;
    return bytes < LONGEST_PACKET && (size_t)(end - at) >= HEADER_BYTES + bytes ? bytes : 0;
}

/* What the library has read and not used yet: from cache_pos on, if that is not at the end. */
static const uchar *cache_end(const MARIADB_PVIO *pvio)
{
    return pvio->cache + pvio->cache_size;
}

uint64_t mysql_skip_prepared(MYSQL_STMT *statement, bool *all)
{
    MYSQL *handle = statement->mysql;
    MARIADB_PVIO *pvio = handle->net.pvio;
    const uchar *end = cache_end(pvio);
    uint64_t rows = 0;
    *all = false;
    if (statement->cursor_exists || handle->status != MYSQL_STATUS_STMT_RESULT)
        return 0;
    for (size_t bytes; (bytes = packet_bytes(pvio->cache_pos, end)) > 0; ++rows) {
        const uchar *body = pvio->cache_pos + HEADER_BYTES;
        if (body[0] != 0) { /* a row of the binary protocol begins with 0 */
            *all = body[0] == 0xfe && bytes == EOF_BYTES && ((body[3] | body[4] << 8) & SERVER_MORE_RESULTS_EXIST) == 0;
            break;
        }
        pvio->cache_pos += HEADER_BYTES + bytes;
    }
    if (*all) {
        pvio->cache_pos += HEADER_BYTES + EOF_BYTES;
        statement->state = MYSQL_STMT_FETCH_DONE;
        handle->status = MYSQL_STATUS_READY;
    }
    return rows;
}

void mysql_forget_names(MYSQL_STMT *statement)
{
    for (unsigned i = 0; statement->fields && i < statement->field_count; ++i) {
        MYSQL_FIELD *field = &statement->fields[i];
        field->name = field->org_name = field->table = field->org_table = NULL;
        field->db = field->catalog = field->def = NULL;
        field->extension = NULL;
    }
}

uint64_t mysql_skip_text(MYSQL *handle)
{
    MARIADB_PVIO *pvio = handle->net.pvio;
    const uchar *end = cache_end(pvio);
    uint64_t rows = 0;
    for (size_t bytes; (bytes = packet_bytes(pvio->cache_pos, end)) > 0; ++rows) {
        const uchar *body = pvio->cache_pos + HEADER_BYTES;
        if (body[0] == 0xff || (body[0] == 0xfe && bytes < 9)) /* an error, the end */
            break;
        pvio->cache_pos += HEADER_BYTES + bytes;
    }
    return rows;
}

#else

bool mysql_may_skip(MYSQL *handle)
{
    (void)handle;
    return false;
}

uint64_t mysql_skip_prepared(MYSQL_STMT *statement, bool *all)
{
    (void)statement;
    *all = false;
    return 0;
}

void mysql_forget_names(MYSQL_STMT *statement)
{
    (void)statement;
}

uint64_t mysql_skip_text(MYSQL *handle)
{
    (void)handle;
    return 0;
}

#endif
