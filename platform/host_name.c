/* platform/host_name.c: the computer's name, through libuv. */
#include "platform/host.h"

#include <uv.h>

void host_name(char out[HOST_NAME_BYTES])
{
    size_t bytes = HOST_NAME_BYTES;
    if (uv_os_gethostname(out, &bytes) != 0)
        out[0] = '\0';
}
