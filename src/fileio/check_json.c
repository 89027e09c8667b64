#include "fileio/check.h"

#include "core/json_fields.h"
#include "core/result_json.h"

static json_t *of_verdicts(const struct check_report *report, bool *ok)
{
    json_t *object = json_object();
    for (int i = 0; i < VERDICT_COUNT; ++i)
        json_put(object, verdict_names[i], json_of_uint(report->counts[i]), ok);
    return object;
}

static json_t *of_finding(const struct verify_finding *finding, bool *ok)
{
    json_t *object = json_object();
    json_put(object, "verdict", json_of_text(finding->verdict), ok);
    json_put(object, "file", json_of_text(finding->file), ok);
    json_put(object, "offset", json_of_uint(finding->offset), ok);
    json_put(object, "expected", json_of_text(finding->expected), ok);
    json_put(object, "found", json_of_text(finding->found), ok);
    return object;
}

char *check_to_json(const struct check_report *report)
{
    bool ok = true;
    json_t *root = json_object(), *findings = json_array();
    for (size_t i = 0; i < report->findings_count; ++i)
        json_append(findings, of_finding(&report->findings[i], &ok), &ok);
    json_put(root, "schema", json_of_uint(RESULT_SCHEMA_VERSION), &ok);
    json_put(root, "isobench", json_of_text(ISOBENCH_VERSION), &ok);
    json_put(root, "ledger", json_of_text(report->ledger), &ok);
    json_put(root, "blocks", json_of_uint(report->blocks), &ok);
    json_put(root, "acknowledged", json_of_uint(report->acknowledged), &ok);
    json_put(root, "wrong", json_of_uint(report->wrong), &ok);
    json_put(root, "verdicts", of_verdicts(report, &ok), &ok);
    json_put(root, "read_bytes", json_of_uint(report->read_bytes), &ok);
    json_put(root, "elapsed_ns", json_of_uint(report->elapsed_ns), &ok);
    json_put(root, "from_cache", report->from_cache ? json_true() : json_false(), &ok);
    json_put(root, "findings", findings, &ok);
    return json_finish(root, ok, 15);
}
