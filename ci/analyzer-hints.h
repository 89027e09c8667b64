/* ci/analyzer-hints.h: what clang's analyzer cannot see because it reads one file at a time. ci/lint.sh puts it in
 * front of every file that it gives to clang-tidy (but platform/error.c, which defines these); no build uses it. */
#ifndef CI_ANALYZER_HINTS_H
#define CI_ANALYZER_HINTS_H

#include "platform/error.h"

/* They always return false. */
#define error_set(...) ((void)error_set(__VA_ARGS__), false)
#define error_set_os(...) ((void)error_set_os(__VA_ARGS__), false)

/* CMocka's fail() does not return. */
void _fail(const char *file, int line) __attribute__((analyzer_noreturn));

#endif
