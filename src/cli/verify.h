/* cli/verify.h: `isobench verify`: are the tables of a source and its replicas the same? */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

/* Exit status: 0 the same, 1 they differ, 2 it cannot be told (also a wrong command line), 130 Ctrl-C. */
int command_verify(int argc, char *const *argv);

#endif
