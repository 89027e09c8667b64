#include "cli/check.h"

#include "cli/text.h"
#include "core/units.h"

#include <inttypes.h>

static const char *const meanings[VERDICT_COUNT] = {
    [VERDICT_GOOD] = "what was last acknowledged as durable",
    [VERDICT_NEWER] = "a later write, which was not acknowledged yet",
    [VERDICT_INTERRUPTED] = "a part of such a write over what was there: it was in flight",
    [VERDICT_UNWRITTEN] = "nothing was acknowledged, and nothing whole is there",
    [VERDICT_LOST] = "WRONG: no trace of what was acknowledged",
    [VERDICT_STALE] = "WRONG: an older write than what was acknowledged",
    [VERDICT_TORN] = "WRONG: damaged, or mixed of several writes",
    [VERDICT_MISPLACED] = "WRONG: a block that belongs elsewhere",
    [VERDICT_ALIEN] = "WRONG: not a block of isobench's verify",
    [VERDICT_UNREADABLE] = "WRONG: the system could not read it",
};

void check_print(FILE *out, const struct check_report *report)
{
    char bytes[32], time[32];
    fprintf(out, "checked %" PRIu64 " blocks (%s read in %s) against %s\n", report->blocks,
            units_bytes_human((double)report->read_bytes, bytes, sizeof(bytes)),
            units_time_human((double)report->elapsed_ns, time, sizeof(time)), report->ledger);
    for (int i = 0; i < VERDICT_COUNT; ++i) {
        if (report->counts[i])
            fprintf(out, "%-11s %10" PRIu64 "  %s\n", verdict_names[i], report->counts[i], meanings[i]);
    }
    if (report->from_cache)
        fputs("the system's cache could not be emptied: what was read may have come from it\n", out);
    text_findings(out, report->findings, report->findings_count);
    if (report->wrong > report->findings_count)
        fprintf(out, "… and %" PRIu64 " more\n", report->wrong - report->findings_count);
    fflush(out);
}

bool check_refuse(const struct check_report *report, struct error *error)
{
    if (report->wrong == 0)
        return true;
    return error_set(error, ERR_DATA, "%" PRIu64 " of %" PRIu64 " blocks are wrong", report->wrong, report->blocks);
}
