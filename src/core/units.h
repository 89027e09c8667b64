/* core/units.h: numbers with units, to and from text. */
#ifndef CORE_UNITS_H
#define CORE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of `text` must be the number. False on anything else, on overflow and on a fraction of a byte or ns. */
bool units_parse_count(const char *text, uint64_t *out);   /* 0, 10000 */
bool units_parse_bytes(const char *text, uint64_t *out);   /* 512, 16K, 16k, 1.5G, 2GiB, 4KB: all 1024 */
bool units_parse_time_ns(const char *text, uint64_t *out); /* 10, 0.5, 250ms, 10us, 2m, 1h: plain = s */
bool units_parse_real(const char *text, double *out);      /* finite decimals; locale-free */

/* Shortest exact form that the parser takes back: 16K, 2G, 1000, 10, 0.5, 250us. Return out. */
char *units_bytes_exact(uint64_t bytes, char *out, size_t out_bytes);
char *units_time_exact(uint64_t ns, char *out, size_t out_bytes);
char *units_real_exact(double value, char *out, size_t out_bytes); /* shortest that reads back the same */

/* For people, three or four significant digits: "16 KiB", "1.50 GiB", "12.3 µs", "4.56 ms". Return out. */
char *units_bytes_human(double bytes, char *out, size_t out_bytes);
char *units_time_human(double ns, char *out, size_t out_bytes);

#endif
