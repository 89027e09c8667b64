/* dialects/seeker.h: random reads of 512 bytes, as seeker 2.0 does them with one thread and 3.0 with several. */
#ifndef DIALECTS_SEEKER_H
#define DIALECTS_SEEKER_H

#include "core/dialect.h"

extern const struct dialect dialect_seeker;

#endif
