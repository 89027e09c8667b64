/* cli/hdr.h: `isobench hdr`: histograms to and from HdrHistogram's encoding and logs. */
#ifndef CLI_HDR_H
#define CLI_HDR_H

/* Arguments behind the command's name; the exit status. */
int command_hdr(int argc, char *const *argv);

#endif
