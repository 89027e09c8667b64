/* core/limits.h: sizes of the fixed arrays in jobs and results. */
#ifndef CORE_LIMITS_H
#define CORE_LIMITS_H

#define TEXT_MAX 2048     /* a text setting, such as a directory, with its NUL */
#define NAME_MAX_BYTES 64 /* a short name, with its NUL */
#define LIST_MAX 256      /* values in a list setting */

#endif
