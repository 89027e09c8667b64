/* cli/compare.h: `isobench compare DIR…`: sets of results side by side. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

int command_compare(int argc, char *const *argv);

#endif
