/* oltp/play.h: one connection's part of a script: which statement comes next, with which values, and its COMMITs. */
#ifndef OLTP_PLAY_H
#define OLTP_PLAY_H

#include "oltp/session.h"
#include "oltp/stage.h"

#include <stdbool.h>
#include <stdint.h>

struct play {
    const struct script *script;
    struct stage *stage;
    struct random *random;
    uint64_t sent, most;                      /* statements of this connection */
    const struct script_statement *statement; /* the one that is due */
    size_t text_bytes;                        /* of session.text, where it has a key */
    struct db_value *values;
};

/* `index` of `connections`. False when memory is short. */
bool play_init(struct play *play, struct stage *stage, struct session *session, uint32_t index, uint64_t connections);
void play_done(struct play *play); /* all zero is fine */

static inline bool play_is_over(const struct play *play)
{
    return play->sent == play->most;
}

/* Draws the next statement with its values; it is the same one however often it is sent. */
void play_draw(struct play *play, struct session *session);
/* Sends it, with the COMMIT that is due after it. What a conflict takes back is only this statement in autocommit; else
 * it is more than could be sent again, and OUTCOME_FATAL. */
enum outcome play_send(struct play *play, struct session *session);
/* The last COMMIT, where a script has any. */
enum outcome play_end(const struct play *play, struct session *session);

#endif
