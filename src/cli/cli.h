/* cli/cli.h: from arguments to an exit status. The one place that prints errors. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#define STATUS_OK 0
#define STATUS_FAILED 1        /* the system refused, a run failed, or a dialect's command line is wrong */
#define STATUS_USAGE 2         /* isobench's own command line is wrong */
#define STATUS_FORCED 3        /* forced shutdown */
#define STATUS_INTERRUPTED 130 /* Ctrl-C; what was measured is printed, marked partial */

int cli_main(int argc, char **argv);

#endif
