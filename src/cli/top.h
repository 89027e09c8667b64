/* cli/top.h: the command `top`: what the whole machine does, live. */
#ifndef CLI_TOP_H
#define CLI_TOP_H

int command_top(int argc, char *const *argv);

#endif
