/* Plan files. What is taken must have jobs that can run, each with a name of its own. */
#include "tests/fuzz/fuzz.h"

#include "core/settings.h"
#include "plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan plan;
    struct error error = ERROR_INIT, job_error = ERROR_INIT;
    char *text = fuzz_text(data, size);
    bool good = plan_parse(&plan, "fuzz.ini", text, NULL, &error); /* takes the text over */
    fuzz_check_answer(good, &error);
    for (size_t i = 0; good && i < plan.job_count; i++) {
        FUZZ_REQUIRE(job_check_run(&plan.jobs[i].job, &job_error));
        for (size_t k = 0; k < i && i < 50; k++)
            FUZZ_REQUIRE(strcmp(plan.jobs[i].name, plan.jobs[k].name) != 0);
    }
    plan_free(&plan);
    return 0;
}
