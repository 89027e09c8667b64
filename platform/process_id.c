#include "platform/process.h"

#include <uv.h>

uint32_t process_id(void)
{
    return (uint32_t)uv_os_getpid();
}
