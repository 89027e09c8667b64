/* tests/fileio/faulty.h: the system's file layer with faults on demand and counters of what was asked of it. */
#ifndef TESTS_FILEIO_FAULTY_H
#define TESTS_FILEIO_FAULTY_H

#include "platform/file.h"

#include <stdatomic.h>

/* A write that says it went well and did not. */
enum faulty_trick {
    TRICK_DROP,      /* nothing is written */
    TRICK_MISDIRECT, /* it lands on the neighbouring block */
    TRICK_TEAR,      /* its second half is not written */
};

struct faulty {
    _Atomic int64_t reads_until_fault; /* negative = never; 0 = the next one fails */
    _Atomic int64_t writes_until_fault, syncs_until_fault;
    int64_t read_answer, write_answer; /* what the faulty transfer answers: −code, or a short count */
    int sync_answer;
    _Atomic int64_t bad_offset; /* negative = none; reads that touch this byte of any file get read_answer */
    _Atomic int64_t writes_until_trick;
    enum faulty_trick trick;
    _Atomic int64_t reads, writes, syncs;
};

extern struct faulty faulty;
extern const struct file_layer faulty_layer;
void faulty_reset(void);

#endif
