/* core/hdr.h: a latency histogram in HdrHistogram's V2 encoding, which its tools and its ports to other languages
 * read and write. A histogram of ours has HdrHistogram's own layout for 2 significant digits, so that every count
 * keeps its bucket; the exact min, max and sum have no place in the encoding and stay behind. */
#ifndef CORE_HDR_H
#define CORE_HDR_H

#include "core/histogram.h"
#include "platform/error.h"

#include <stdbool.h>
#include <stddef.h>

#define HDR_TEXT_BYTES 65536 /* room for any histogram of ours as text, with its NUL */

/* The compressed form (zlib) as base64. */
bool hdr_encode(const struct histogram *histogram, char out[HDR_TEXT_BYTES], struct error *error);

/* Reads the compressed or the plain form, with 1 to 5 significant digits, from base64. Its values are in units of
 * `unit_ns` (1 to 10^9). Counts are exact; a value becomes the middle of its bucket, so that layouts with other
 * digits find theirs here; min and max are the bounds of the outermost buckets, the sum is that of the middles.
 * `where` begins the errors: "run.hlog: line 3". `out` is overwritten, also when it fails. */
bool hdr_decode(const char *text, size_t length, uint64_t unit_ns, const char *where, struct histogram *out,
                struct error *error);

#endif
