#include "report/text.h"

#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NARROW_BLANK "\xE2\x80\xAF" /* between groups of digits, no break */

char *text_number(double value, char *out)
{
    char digits[32];
    if (fabs(value) < 999.5 || fabs(value) >= 1e15) {
        snprintf(out, FIGURE_BYTES_MAX, fabs(value) >= 99.95 ? "%.0f" : "%.3g", value);
        return out;
    }
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        bool begins_group = i > 0 && digits[i - 1] != '-' && (length - i) % 3 == 0;
        used +=
            (size_t)snprintf(out + used, FIGURE_BYTES_MAX - used, "%s%c", begins_group ? NARROW_BLANK : "", digits[i]);
    }
    return out;
}

char *text_ratio(double ratio, char *out)
{
    snprintf(out, FIGURE_BYTES_MAX,
             ratio >= 99.5     ? "×%.0f"
             : ratio >= 9.95   ? "×%.1f"
             : ratio >= 0.0995 ? "×%.2f"
                               : "×%.2g",
             ratio);
    return out;
}

char *text_measure(double value, enum measure measure, enum work work, char *out)
{
    char number[FIGURE_BYTES_MAX];
    if (measure == MEASURE_RATE)
        snprintf(out, FIGURE_BYTES_MAX, "%.48s %s", text_number(value, number), work == WORK_FILES ? "IO/s" : "tx/s");
    else if (measure == MEASURE_BYTES_PER_S)
        snprintf(out, FIGURE_BYTES_MAX, "%.48s MiB/s", text_number(value / 0x1p20, number));
    else
        units_time_human(value, out, FIGURE_BYTES_MAX);
    return out;
}
