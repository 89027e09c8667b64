#include "oltp/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t most_values(const struct script *script)
{
    size_t most = 0;
    for (size_t i = 0; i < script->queries.count; ++i)
        if (script->queries.items[i].params_count > most)
            most = script->queries.items[i].params_count;
    return most;
}

bool play_init(struct play *play, struct stage *stage, struct session *session, uint32_t index, uint64_t connections)
{
    const struct script *script = session->plan->script;
    *play = (struct play){.script = script, .stage = stage, .random = &session->worker->random};
    play->most = script->total ? script->total / connections + (index < script->total % connections) : UINT64_MAX;
    play->values = calloc(most_values(script) + 1, sizeof(*play->values));
    return play->values != NULL;
}

void play_done(struct play *play)
{
    free(play->values);
}

/* ---- what comes next ---- */

static const struct script_statement *choose(const struct play *play)
{
    const struct script_list *queries = &play->script->queries;
    if (play->script->weights == 0)
        return &queries->items[play->sent % queries->count];
    uint64_t drawn = random_below(play->random, play->script->weights);
    const struct script_statement *statement = queries->items;
    for (; drawn >= statement->weight; ++statement)
        drawn -= statement->weight;
    return statement;
}

static struct db_value value_of(const struct play *play, uint32_t index)
{
    const struct script_param *param = &play->script->params[index];
    uint64_t drawn =
        param->in_order ? stage_next(play->stage, index) % param->count : picker_pick(&param->picker, play->random);
    if (!param->texts || param->are_numbers)
        return (struct db_value){.type = DB_VALUE_INT,
                                 .number = param->texts ? param->texts[drawn].number
                                                        : (int64_t)((uint64_t)param->low + drawn)};
    return (struct db_value){
        .type = DB_VALUE_TEXT, .text = param->texts[drawn].text, .text_bytes = param->texts[drawn].bytes};
}

/* Keys hold no quotes: they are numbers or UUIDs that the server made. */
static size_t fill_in_key(const struct play *play, const struct session *session)
{
    const struct text_pool *keys = &play->stage->keys;
    const char *key = keys->items[random_below(play->random, keys->count)];
    return (size_t)snprintf(session->text, session->text_room, "%s%s%s", play->statement->sql, key,
                            play->statement->tail);
}

void play_draw(struct play *play, struct session *session)
{
    play->statement = choose(play);
    for (size_t i = 0; i < play->statement->params_count; ++i)
        play->values[i] = value_of(play, play->statement->params[i]);
    if (play->statement->tail)
        play->text_bytes = fill_in_key(play, session);
}

/* ---- sending ---- */

static enum outcome commit(const struct play *play, struct session *session)
{
    static const char sql[] = "COMMIT";
    return session_send_slot(session, play->script->kinds_count - 1, sql, sizeof(sql) - 1);
}

static enum outcome send_statement(const struct play *play, struct session *session)
{
    const struct script_statement *statement = play->statement;
    if (play->script->is_prepared)
        return session_execute_slot(session, statement->kind, play->values, statement->params_count);
    return statement->tail ? session_send_slot(session, statement->kind, session->text, play->text_bytes)
                           : session_send_slot(session, statement->kind, statement->sql, strlen(statement->sql));
}

enum outcome play_send(struct play *play, struct session *session)
{
    const struct script *script = play->script;
    enum outcome outcome = send_statement(play, session);
    if (outcome == OUTCOME_DONE && script->commit_every > 0 && (play->sent + 1) % script->commit_every == 0)
        outcome = commit(play, session);
    if (outcome == OUTCOME_DONE)
        ++play->sent;
    return outcome == OUTCOME_AGAIN && script->commit_every > 0 ? OUTCOME_FATAL : outcome;
}

enum outcome play_end(const struct play *play, struct session *session)
{
    return play->script->commit_every > 0 && session->connection ? commit(play, session) : OUTCOME_DONE;
}
