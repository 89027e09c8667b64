/* cli/merge.h: `isobench merge`: several result files as one. */
#ifndef CLI_MERGE_H
#define CLI_MERGE_H

/* Arguments behind the command's name; the exit status. */
int command_merge(int argc, char *const *argv);

#endif
