#include "platform/memory.h"

#include <string.h>
#include <windows.h>

/* Windows refuses to cut a file that is mapped (ERROR_USER_MAPPED_FILE), so a page that cannot be had means a failing
 * device or a lost share, and comes as EXCEPTION_IN_PAGE_ERROR ("Reading and Writing From a File View"). Compilers
 * without __try (gcc) leave that exception to end the process. */
bool memory_copy_mapped(void *to, const void *from, size_t bytes)
{
#if defined(_MSC_VER)
    __try {
        memcpy(to, from, bytes);
    } __except (GetExceptionCode() == EXCEPTION_IN_PAGE_ERROR ? EXCEPTION_EXECUTE_HANDLER : EXCEPTION_CONTINUE_SEARCH) {
        return false;
    }
#else
    memcpy(to, from, bytes);
#endif
    return true;
}
