/* iozone_steps.c: the tests. pwrite and pread are the same load here as write and read: all IO is positioned. */
#include "dialects/iozone.h"

#include "core/settings.h"

/* In the order of the matrix's columns. */
const struct iozone_step iozone_steps[STEP_COUNT] = {
    [STEP_WRITE] = {0, "write", "Writer", "initial writers \t", "Initial write", true, MODE_SEQWR},
    [STEP_REWRITE] = {0, "rewrite", "Re-writer", "rewriters \t", "Rewrite", true, MODE_SEQREWR},
    [STEP_READ] = {1, "read", "Reader", "readers \t\t", "Read", true, MODE_SEQRD},
    [STEP_REREAD] = {1, "reread", "Re-Reader", "re-readers \t", "Re-read", false, MODE_SEQRD},
    [STEP_RANDOM_READ] = {2, "random read", "Random read", "random readers \t", "Random read", false, MODE_RNDRD},
    [STEP_RANDOM_WRITE] = {2, "random write", "Random write", "random writers \t", "Random write", false, MODE_RNDWR},
    [STEP_BACKWARD] = {3, "backward read", "Backward read", "reverse readers \t", "Reverse Read", false, MODE_SEQRD},
    [STEP_RECORD] = {4, "record rewrite", "Record rewrite", NULL, NULL, false, MODE_SEQREWR},
    [STEP_STRIDE] = {5, "stride read", "Stride read", "stride readers \t", "Stride read", false, MODE_SEQRD},
    [STEP_FWRITE] = {6, "fwrite", "Fwrite", NULL, NULL, false, MODE_UNSET},
    [STEP_FREWRITE] = {6, "frewrite", "Re-Fwrite", NULL, NULL, false, MODE_UNSET},
    [STEP_FREAD] = {7, "fread", "Fread", NULL, NULL, false, MODE_UNSET},
    [STEP_FREREAD] = {7, "freread", "Re-Fread", NULL, NULL, false, MODE_UNSET},
    [STEP_PWRITE] = {9, "pwrite", "Pwrite", "pwrite writers \t", "Pwrite", false, MODE_SEQWR},
    [STEP_REPWRITE] = {9, "repwrite", "Re-Pwrite", NULL, NULL, false, MODE_SEQREWR},
    [STEP_PREAD] = {10, "pread", "Pread", "pread readers \t", "Pread", false, MODE_SEQRD},
    [STEP_REPREAD] = {10, "repread", "Re-Pread", NULL, NULL, false, MODE_SEQRD},
    [STEP_MIXED] = {8, "mixed workload", NULL, "mixed workload \t", "Mixed workload", false, MODE_RNDRD},
};

const enum iozone_step_id iozone_crowd_order[] = {STEP_WRITE,        STEP_REWRITE, STEP_READ,        STEP_REREAD,
                                                  STEP_BACKWARD,     STEP_STRIDE,  STEP_RANDOM_READ, STEP_MIXED,
                                                  STEP_RANDOM_WRITE, STEP_PWRITE,  STEP_PREAD};
const size_t iozone_crowd_count = COUNT_OF(iozone_crowd_order);
