/* cli/load.h: `isobench load …`: how fast a table is loaded, way by way. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

int command_load(int argc, char *const *argv);

#endif
