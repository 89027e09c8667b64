/* cli/report.h: `isobench report DIR… -o FILE`: folders of results as one page. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

int command_report(int argc, char *const *argv);

#endif
