/* cli/run_plan.h: `isobench run PLAN --out=DIR`: every job of a plan, one JSON per run. */
#ifndef CLI_RUN_PLAN_H
#define CLI_RUN_PLAN_H

int command_run(int argc, char *const *argv);

#endif
