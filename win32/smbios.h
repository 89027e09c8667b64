/* win32/smbios.h: who made this machine, from the firmware's table. Takes bytes and calls nothing. */
#ifndef WIN32_SMBIOS_H
#define WIN32_SMBIOS_H

#include <stddef.h>
#include <stdint.h>

struct smbios_facts {
    char bios_version[64]; /* each is "" where the table does not tell */
    char manufacturer[64];
    char product[64];
    char chassis_asset_tag[64];
};

/* `raw` is what GetSystemFirmwareTable('RSMB') gives: a header of 8 bytes, then the structures of the SMBIOS
 * Reference Specification (DSP0134). Stops at the first one that does not fit into `bytes`. */
void smbios_parse(const uint8_t *raw, size_t bytes, struct smbios_facts *out);

/* "aws", "azure", "gcp", or "". Borrowed. */
const char *smbios_cloud(const struct smbios_facts *facts);

/* The instance type, where the product name carries it (Amazon EC2 on Nitro); else "". Borrowed from `facts`. */
const char *smbios_instance_type(const struct smbios_facts *facts);

#endif
