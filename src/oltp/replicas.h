/* oltp/replicas.h: the replicas of job.replica, looked at while the load runs: a thread and a connection for each,
 * which reads the heartbeat (oltp/heartbeat.h) and asks the server how it stands; and after the load, until each has
 * all of it. What is seen goes into result->replication. */
#ifndef OLTP_REPLICAS_H
#define OLTP_REPLICAS_H

#include "oltp/oltp.h"

struct replicas;

/* The DSNs of job.replica, for replica_places_free. `standard`: the source, whose settings and password count where a
 * DSN says nothing. */
struct db_place;
bool replica_places(const struct job *job, const char *password, struct db_place **out, size_t *count,
                    struct error *error);
void replica_places_free(struct db_place *places, size_t count);

/* Before the load's threads: connects, makes the heartbeat's table on the source, and waits until each replica shows
 * the first heartbeat, for up to job.replica_wait. `setup` and `result` outlive it. False with the error: a server
 * refuses, one is no replica, or is stopped, or does not follow this source. */
bool replicas_open(struct replicas **out, const struct oltp_setup *setup, struct result *result, struct error *error);

/* After what a script has loaded: until each replica shows a heartbeat that was committed since. As above, with the
 * error. */
bool replicas_settle(struct replicas *replicas, struct error *error);

/* As in run/run.h; NULL is fine. */
void replicas_measuring(struct replicas *replicas);
void replicas_interval(struct replicas *replicas, struct interval *interval);

/* After the load. `wait`: until each replica has all of it, for up to job.replica_wait. Then the heartbeat's table is
 * dropped. False with the error when one did not come up. */
bool replicas_finish(struct replicas *replicas, bool wait, struct error *error);
void replicas_close(struct replicas *replicas); /* NULL is fine; also without replicas_finish */

#endif
