/* core/relevance.h: settings that have an effect on a job, and those that have none there: how often writes are synced
 * means nothing to a read test. For whoever tells the difference of two jobs. */
#ifndef CORE_RELEVANCE_H
#define CORE_RELEVANCE_H

#include "core/settings.h"

bool setting_matters(const struct setting *setting, const struct job *job);

#endif
