/* cli/replica_check.h: the end of a run with job.verify_replica: are the run's tables the same on source and replicas?
 */
#ifndef CLI_REPLICA_CHECK_H
#define CLI_REPLICA_CHECK_H

#include "cli/engine.h"

/* Compares them (checksum/checksum.h), into result->replication->check. False with the error when they differ or it
 * cannot be told. */
bool replica_check_run(const struct errand *errand, struct result *result, struct error *error);

#endif
