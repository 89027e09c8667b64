/* cli/attribute.h: `isobench attribute --from=A --to=B`: which setting makes the difference, measured here. */
#ifndef CLI_ATTRIBUTE_H
#define CLI_ATTRIBUTE_H

int command_attribute(int argc, char *const *argv);

#endif
