/* dialects/fio_read.h: what the readers of fio's two forms share. */
#ifndef DIALECTS_FIO_READ_H
#define DIALECTS_FIO_READ_H

#include "dialects/readers.h"

/* fio's words for a pattern and an engine as settings; those that have no counterpart become notes. */
void fio_state_mode(struct reading *reading, const char *rw);
void fio_state_engine(struct reading *reading, const char *engine);

#endif
