#include "core/steady.h"

#include "core/units.h"

#include <math.h>
#include <string.h>

static bool parse_band(const char *text, double *band)
{
    char number[16];
    size_t length = strlen(text);
    if (length < 2 || length > sizeof(number) || text[length - 1] != '%')
        return false;
    memcpy(number, text, length - 1);
    number[length - 1] = '\0';
    if (!units_parse_real(number, band) || *band <= 0 || *band > 100)
        return false;
    *band /= 100;
    return true;
}

bool steady_parse(const char *text, struct steady *out)
{
    static const char *const names[] = {"iops:", "latency:"};
    for (int i = 0; i < 2; ++i) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) == 0) {
            out->metric = (enum steady_metric)i;
            return parse_band(text + length, &out->band);
        }
    }
    return false;
}

static double mean_of(const double *values)
{
    double sum = 0;
    for (int i = 0; i < STEADY_INTERVALS; ++i)
        sum += values[i];
    return sum / STEADY_INTERVALS;
}

/* Least squares over x = 0 … n − 1: Σ(x − x̄)(y − ȳ) / Σ(x − x̄)². */
static double slope_of(const double *values, double mean)
{
    double middle = (STEADY_INTERVALS - 1) / 2.0, top = 0, bottom = 0;
    for (int i = 0; i < STEADY_INTERVALS; ++i) {
        top += (i - middle) * (values[i] - mean);
        bottom += (i - middle) * (i - middle);
    }
    return top / bottom;
}

bool steady_holds(const struct steady *steady, const double values[STEADY_INTERVALS])
{
    double mean = mean_of(values), allowed = mean * steady->band;
    if (mean <= 0)
        return false;
    for (int i = 0; i < STEADY_INTERVALS; ++i) {
        if (fabs(values[i] - mean) > allowed)
            return false;
    }
    return fabs(slope_of(values, mean)) * (STEADY_INTERVALS - 1) <= allowed;
}
