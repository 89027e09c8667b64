#include "core/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const uint8_t *from, size_t bytes, char *out)
{
    for (size_t i = 0; i < bytes; i += 3) {
        size_t left = bytes - i;
        uint32_t group = (uint32_t)from[i] << 16;
        if (left > 1)
            group |= (uint32_t)from[i + 1] << 8;
        if (left > 2)
            group |= from[i + 2];
        *out++ = letters[group >> 18];
        *out++ = letters[group >> 12 & 63];
        *out++ = left > 1 ? letters[group >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[group & 63] : '=';
    }
    *out = '\0';
}

/* 0…63, or 64 for what is no letter of the alphabet. */
static uint32_t value_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (uint32_t)(letter - 'A');
    if (letter >= 'a' && letter <= 'z')
        return (uint32_t)(letter - 'a' + 26);
    if (letter >= '0' && letter <= '9')
        return (uint32_t)(letter - '0' + 52);
    return letter == '+' ? 62 : letter == '/' ? 63 : 64;
}

/* The last `padding` letters of the four are '='; bits that then stand for nothing must be 0. */
static bool decode_group(const char *text, size_t padding, uint8_t *out)
{
    uint32_t group = 0;
    for (size_t i = 0; i < 4; i++) {
        uint32_t value = i + padding < 4 ? value_of(text[i]) : 0;
        if (value == 64)
            return false;
        group = group << 6 | value;
    }
    for (size_t i = 0; i + padding < 3; i++)
        out[i] = (uint8_t)(group >> (16 - 8 * i));
    return (group & ((UINT32_C(1) << 8 * padding) - 1)) == 0;
}

bool base64_decode(const char *text, size_t length, uint8_t *out, size_t *bytes)
{
    *bytes = 0;
    if (length % 4 != 0)
        return false;
    for (size_t i = 0; i < length; i += 4) {
        bool is_last = i + 4 == length;
        size_t padding = !is_last || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
        if (!decode_group(text + i, padding, out + *bytes))
            return false;
        *bytes += 3 - padding;
    }
    return true;
}
