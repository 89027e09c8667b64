/* platform/compiler.h: what differs between compilers (never between operating systems). */
#ifndef PLATFORM_COMPILER_H
#define PLATFORM_COMPILER_H

#if defined(__GNUC__) && defined(__MINGW32__)
#define PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Keeps what one thread writes off the cache lines of another. */
#define CACHE_LINE_BYTES 64

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
