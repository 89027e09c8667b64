#include "core/sql_cut.h"

#include <string.h>

static bool is_space(char letter)
{
    return letter != '\0' && strchr(" \t\r\n\f\v", letter) != NULL;
}

/* A doubled quote is two texts side by side, which comes to the same. */
static const char *skip_quotes(const char *at, bool backslashes)
{
    char quote = *at++;
    for (; *at && *at != quote; ++at)
        if (*at == '\\' && backslashes && quote != '`' && at[1])
            ++at;
    return *at ? at + 1 : at;
}

static bool begins_line_comment(const char *at, bool mysql)
{
    if (at[0] == '-' && at[1] == '-')
        return !mysql || at[2] == '\0' || is_space(at[2]); /* 5--1 is 6 there */
    return mysql && at[0] == '#';
}

const char *sql_skip(const char *at, const struct sql_rules *rules)
{
    if (*at == '\'' || *at == '"' || *at == '`')
        return skip_quotes(at, rules->mysql);
    if (begins_line_comment(at, rules->mysql))
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    return at;
}

static bool is_executed(const char *at)
{
    return at[0] == '/' && at[1] == '*' && (at[2] == '!' || (at[2] == 'M' && at[3] == '!'));
}

/* Up to the delimiter or the NUL; `*has_sql`: there is more than space and comments. */
static const char *find_end(const char *at, const struct sql_rules *rules, bool *has_sql)
{
    size_t bytes = strlen(rules->delimiter);
    *has_sql = false;
    while (*at && strncmp(at, rules->delimiter, bytes) != 0) {
        const char *behind = sql_skip(at, rules);
        bool quoted = behind != at && (*at == '\'' || *at == '"' || *at == '`');
        *has_sql |= behind == at ? !is_space(*at) : quoted || is_executed(at);
        at = behind == at ? at + 1 : behind;
    }
    return at;
}

bool sql_cut_next(const char **at, const struct sql_rules *rules, struct sql_span *out)
{
    while (**at) {
        bool has_sql = false;
        const char *start = *at, *end = find_end(start, rules, &has_sql);
        *at = *end ? end + strlen(rules->delimiter) : end;
        while (start < end && is_space(*start))
            ++start;
        while (end > start && is_space(end[-1]))
            --end;
        *out = (struct sql_span){start, (size_t)(end - start)};
        if (has_sql)
            return true;
    }
    return false;
}
