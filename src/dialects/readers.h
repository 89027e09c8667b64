/* dialects/readers.h: the readers, one in each tool's file, and what they share; see core/reading.h. */
#ifndef DIALECTS_READERS_H
#define DIALECTS_READERS_H

#include "core/dialect.h"
#include "core/reading.h"

extern const struct reader sysbench_reader, sqlio_reader, diskspd_reader, diskspd_xml_reader, fio_reader,
    fio_json_reader, iozone_reader, seeker_reader, hdparm_reader, ioping_reader, mysqlslap_reader;

#define COMMAND_WORDS_MAX 128

/* The tool's command line above line `before`, not above line `after`: the nearest one with `needed` among its words
 * (NULL = any). `text` holds the words and needs TEXT_MAX bytes. Returns how many there are; 0 = none was found. */
size_t reading_find_command(const struct transcript *transcript, size_t after, size_t before, const char *program,
                            const char *needed, char *text, char *words[COMMAND_WORDS_MAX]);

/* The job that a command line of the tool asks for; nothing of it is run, and nothing printed. A line that the tool
 * refuses is a note of the reading. */
bool reading_parse_command(struct reading *reading, const struct dialect *dialect, size_t count, char *const *words,
                           struct job *out);

#endif
