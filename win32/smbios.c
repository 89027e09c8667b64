#include "win32/smbios.h"

#include "platform/compiler.h"

#include <stdbool.h>
#include <string.h>

#define RAW_HEADER_BYTES 8       /* RawSMBIOSData: versions and the length of what follows */
#define STRUCTURE_HEADER_BYTES 4 /* type, length of the formatted part, handle */

/* Azure's machines, and no other of Microsoft's, have this chassis tag. */
#define AZURE_ASSET_TAG "7783-7084-3265-9085-8269-3286-77"

/* One structure: its formatted part, then its strings, each with its NUL. */
struct structure {
    const uint8_t *formatted;
    size_t formatted_bytes;
    const char *strings;
    size_t strings_bytes;
};

/* Which byte of which structure numbers the string that goes to which field. */
static const struct wanted {
    uint8_t type, at;
    size_t offset;
} wanted[] = {
    {0, 5, offsetof(struct smbios_facts, bios_version)},
    {1, 4, offsetof(struct smbios_facts, manufacturer)},
    {1, 5, offsetof(struct smbios_facts, product)},
    {3, 8, offsetof(struct smbios_facts, chassis_asset_tag)},
};
#define FIELD_BYTES sizeof(((struct smbios_facts *)0)->product)

/* Reads the structure at `at`: its whole length with the two NULs that end it, or 0 when it does not fit. */
static size_t read_structure(const uint8_t *at, size_t left, struct structure *out)
{
    if (left < STRUCTURE_HEADER_BYTES || at[1] < STRUCTURE_HEADER_BYTES)
        return 0;
    out->formatted = at;
    out->formatted_bytes = at[1];
    out->strings = (const char *)at + at[1];
    for (size_t end = at[1]; end + 1 < left; ++end) {
        if (at[end] == 0 && at[end + 1] == 0) {
            out->strings_bytes = end + 1 - at[1];
            return end + 2;
        }
    }
    return 0;
}

/* String `number` (1 is the first), with blanks at its end cut. Into out[FIELD_BYTES]; "" when there is none. */
static void copy_string(const struct structure *structure, uint8_t number, char *out)
{
    size_t at = 0;
    for (uint8_t i = 1; i < number && at < structure->strings_bytes; ++i)
        at += strlen(structure->strings + at) + 1;
    if (number == 0 || at >= structure->strings_bytes)
        return;
    size_t bytes = strlen(structure->strings + at);
    while (bytes > 0 && structure->strings[at + bytes - 1] == ' ')
        --bytes;
    if (bytes > FIELD_BYTES - 1)
        bytes = FIELD_BYTES - 1;
    memcpy(out, structure->strings + at, bytes);
    out[bytes] = '\0';
}

/* The first structure of a type that names something wins: machines may have several chassis. */
static void take_wanted(const struct structure *structure, struct smbios_facts *out)
{
    for (size_t i = 0; i < COUNT_OF(wanted); ++i) {
        char *field = (char *)out + wanted[i].offset;
        if (structure->formatted[0] == wanted[i].type && structure->formatted_bytes > wanted[i].at && field[0] == '\0')
            copy_string(structure, structure->formatted[wanted[i].at], field);
    }
}

void smbios_parse(const uint8_t *raw, size_t bytes, struct smbios_facts *out)
{
    size_t at = RAW_HEADER_BYTES, length;
    struct structure structure;
    memset(out, 0, sizeof *out);
    while (at < bytes && (length = read_structure(raw + at, bytes - at, &structure)) > 0) {
        take_wanted(&structure, out);
        at += length;
    }
}

const char *smbios_cloud(const struct smbios_facts *facts)
{
    /* EC2 on Xen says "Xen" and "HVM domU"; its BIOS version is "4.11.amazon" */
    if (strcmp(facts->manufacturer, "Amazon EC2") == 0 || strstr(facts->bios_version, "amazon") != NULL)
        return "aws";
    if (strcmp(facts->manufacturer, "Microsoft Corporation") == 0 &&
        strcmp(facts->chassis_asset_tag, AZURE_ASSET_TAG) == 0)
        return "azure";
    return strcmp(facts->product, "Google Compute Engine") == 0 ? "gcp" : "";
}

const char *smbios_instance_type(const struct smbios_facts *facts)
{
    return strcmp(facts->manufacturer, "Amazon EC2") == 0 ? facts->product : "";
}
