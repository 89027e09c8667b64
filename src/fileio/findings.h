/* fileio/findings.h: a block that is not what it must be, in words. */
#ifndef FILEIO_FINDINGS_H
#define FILEIO_FINDINGS_H

#include "core/job.h"
#include "core/result.h"
#include "fileio/stamp.h"

void finding_fill(struct verify_finding *finding, const struct job *job, const struct expectation *expected,
                  const struct judgement *judgement);

#endif
