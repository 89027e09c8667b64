/* platform/compiler.h: what differs between compilers (never between operating systems). */
#ifndef PLATFORM_COMPILER_H
#define PLATFORM_COMPILER_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

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

/* The upper 64 bits of a · b. */
static inline uint64_t multiply_high(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    return __umulh(a, b);
#else
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t cross = a_high * b_low + (a_low * b_low >> 32);
    uint64_t other = a_low * b_high + (cross & UINT32_MAX);
    return a_high * b_high + (cross >> 32) + (other >> 32);
#endif
}

/* Position of the highest bit that is set: 0 for 1, 63 for 2^63. `value` must not be 0. */
static inline uint32_t bits_highest(uint64_t value)
{
#if defined(__GNUC__) || defined(__clang__)
    return 63U - (uint32_t)__builtin_clzll(value);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    unsigned long position;
    _BitScanReverse64(&position, value);
    return (uint32_t)position;
#else
    uint32_t position = 0;
    while (value >>= 1)
        position++;
    return position;
#endif
}

#endif
