#include "core/html_tag.h"

#include "platform/compiler.h"

#include <ctype.h>
#include <string.h>

#define TAG_BYTES_MAX 512

static const struct {
    const char *name;
    char stands_for;
} tags[] = {{"br", '\n'},     {"p", '\n'},    {"div", '\n'},   {"pre", '\n'},   {"tr", '\n'},    {"li", '\n'},
            {"ul", '\n'},     {"ol", '\n'},   {"table", '\n'}, {"tbody", '\n'}, {"thead", '\n'}, {"blockquote", '\n'},
            {"h1", '\n'},     {"h2", '\n'},   {"h3", '\n'},    {"h4", '\n'},    {"hr", '\n'},    {"td", ' '},
            {"th", ' '},      {"span", '\0'}, {"code", '\0'},  {"font", '\0'},  {"b", '\0'},     {"i", '\0'},
            {"strong", '\0'}, {"em", '\0'},   {"tt", '\0'},    {"samp", '\0'},  {"kbd", '\0'},   {"a", '\0'},
            {"u", '\0'},      {"small", '\0'}};

size_t html_tag_length(const char *text, char *stands_for)
{
    const char *name = text + 1 + (text[0] == '<' && text[1] == '/');
    size_t length = 0, end;
    if (text[0] != '<')
        return 0;
    while (isalnum((unsigned char)name[length]))
        length++;
    end = (size_t)(name - text) + length;
    if (text[end] != '>' && text[end] != '/' && text[end] != ' ')
        return 0;
    while (text[end] && text[end] != '>' && text[end] != '\n' && end < TAG_BYTES_MAX)
        end++;
    for (size_t i = 0; text[end] == '>' && i < COUNT_OF(tags); i++)
        if (strlen(tags[i].name) == length && strncmp(tags[i].name, name, length) == 0) {
            *stands_for = tags[i].stands_for;
            return end + 1;
        }
    return 0;
}
