/* dialects/hdparm.h: hdparm's two timings, -t and -T. */
#ifndef DIALECTS_HDPARM_H
#define DIALECTS_HDPARM_H

#include "core/dialect.h"

extern const struct dialect dialect_hdparm;

#endif
