/* cli/manual.h: `isobench man`: the manual page isobench(1) in mdoc, made of the help pages of all commands. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

int command_man(int argc, char *const *argv);

#endif
