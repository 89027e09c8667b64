#include "fileio/findings.h"

#include "fileio/files.h"

#include <inttypes.h>
#include <stdio.h>

void finding_fill(struct verify_finding *finding, const struct job *job, const struct expectation *expected,
                  const struct judgement *judgement)
{
    char path[PATH_BYTES];
    struct error ignored = ERROR_INIT;
    if (!files_path(path, job, expected->place.file, &ignored))
        snprintf(path, sizeof(path), "file %" PRIu64, expected->place.file);
    snprintf(finding->verdict, sizeof(finding->verdict), "%s", verdict_names[judgement->verdict]);
    snprintf(finding->file, sizeof(finding->file), "%.511s", path);
    finding->offset = expected->place.offset;
    expectation_text(expected, finding->expected, sizeof(finding->expected));
    judgement_text(judgement, expected, finding->found, sizeof(finding->found));
}
