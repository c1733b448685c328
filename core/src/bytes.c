/* bytes.c - comparing and wiping secrets, hexadecimal, and what errors say. */
#include "internal.h"
#include <stdio.h>

uint32_t hc_version(void) { return HC_VERSION_NUMBER; }

/* ---- Errors -------------------------------------------------------------------- */
int hc_fail_at(hc_error *err, int code, const char *argument, uint64_t index, uint64_t value, uint64_t min, uint64_t max)
{
    if (err) {
        memset(err, 0, sizeof *err);
        err->code = code;
        err->argument = argument;
        err->value = value;
        err->min = min;
        err->max = max;
        err->index = index;
    }
    return code;
}

int hc_fail(hc_error *err, int code, const char *argument, uint64_t value, uint64_t min, uint64_t max)
{
    return hc_fail_at(err, code, argument, 0, value, min, max);
}

int hc_fail_io(hc_error *err, const char *argument, int os_error)
{
    hc_fail(err, HC_E_IO, argument, 0, 0, 0);
    if (err) err->os_error = os_error;
    return HC_E_IO;
}

static const char *system_text(int os_error, char *buf, size_t cap)
{
#if defined(__GLIBC__)
    return strerror_r(os_error, buf, cap);
#elif defined(_WIN32)
    return strerror_s(buf, cap, os_error) ? "unknown error" : buf;
#elif defined(__wasm__)
    (void)buf, (void)cap;
    return strerror(os_error);
#else
    return strerror_r(os_error, buf, cap) ? "unknown error" : buf;
#endif
}

/* Arguments that are lists: their errors say which item. */
static int is_list(const char *argument)
{
    static const char *const lists[] = { "items", "offsets", "parts", "sources", "algorithms" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(argument, lists[i])) return 1;
    return 0;
}

static void param_text(const hc_error *e, const char *name, char *text, size_t cap)
{
    if (!strcmp(name, "cpu") || !strcmp(name, "HASHCORE_CPU")) {
        char bits[128];
        if (e->value) {
            hc_cpu_text((uint32_t)e->value, bits, sizeof bits);
            snprintf(text, cap, "%s: %s is not available on this processor", name, bits);
        } else {
            snprintf(text, cap, "%s: unknown name at character %llu", name, (unsigned long long)e->index);
        }
    } else if (!strcmp(name, "hex")) {
        snprintf(text, cap, "%s: no hexadecimal digit at character %llu", name, (unsigned long long)e->index);
    } else if (e->value == HC_WHY_TOGETHER) {
        snprintf(text, cap, "%s: not allowed together with a key", name);
    } else if (e->value == HC_WHY_MISSING) {
        snprintf(text, cap, "%s: needed", name);
    } else {
        snprintf(text, cap, "%s: not supported here", name);
    }
}

size_t hc_error_text(const hc_error *e, char *out, size_t cap)
{
    char text[320], name[96], buf[128];
    const char *argument = e->argument ? e->argument : "argument";
    unsigned long long value = e->value, min = e->min, max = e->max;
    if (is_list(argument)) snprintf(name, sizeof name, "%s[%llu]", argument, (unsigned long long)e->index);
    else snprintf(name, sizeof name, "%s", argument);
    switch (e->code) {
    case HC_OK: snprintf(text, sizeof text, "no error"); break;
    case HC_E_PARAM: param_text(e, name, text, sizeof text); break;
    case HC_E_LENGTH:
        if (min == max) snprintf(text, sizeof text, "%s: %llu bytes given, %llu needed", name, value, min);
        else snprintf(text, sizeof text, "%s: %llu bytes given, %llu to %llu allowed", name, value, min, max);
        break;
    case HC_E_RANGE: snprintf(text, sizeof text, "%s: %llu given, %llu to %llu allowed", name, value, min, max); break;
    case HC_E_OVERLAP: snprintf(text, sizeof text, "%s: output and input overlap partly", name); break;
    case HC_E_STATE:
        snprintf(text, sizeof text, "%s: malformed at byte %llu, or of another algorithm", name,
                 (unsigned long long)e->index);
        break;
    case HC_E_VERIFY: snprintf(text, sizeof text, "%s: does not match its hash", name); break;
    case HC_E_IO: snprintf(text, sizeof text, "%s: %s", name, system_text(e->os_error, buf, sizeof buf)); break;
    case HC_E_MEMORY: snprintf(text, sizeof text, "%s: no memory for a buffer", name); break;
    case HC_E_CANCELED: snprintf(text, sizeof text, "%s: canceled", name); break;
    default: snprintf(text, sizeof text, "%s: error %d", name, e->code); break;
    }
    return hc_put_text(text, out, cap);
}

/* ---- Secrets --------------------------------------------------------------------- */
void hc_wipe(void *p, size_t n)
{
#if defined(__GNUC__)
    if (n) memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory"); /* somebody may look: the stores stay */
#else
    volatile uint8_t *b = (volatile uint8_t *)p;
    while (n--) *b++ = 0;
#endif
}

int hc_equal(const void *a, const void *b, size_t n)
{
    const uint8_t *p = (const uint8_t *)a, *q = (const uint8_t *)b;
    uint64_t d = 0;
    for (; n >= 8; n -= 8, p += 8, q += 8) d |= hc_load64le(p) ^ hc_load64le(q);
    for (; n; n--) d |= (uint64_t)(*p++ ^ *q++);
    d |= d >> 32; /* fold to 32 bits, then let the borrow of 0 - 1 say whether any was set: no branch */
    return (int)((((d & 0xffffffffu) - 1) >> 63) & 1);
}

/* ---- Hexadecimal: eight digits at a time, without tables or branches on the data ----- */
static uint64_t digits(uint32_t bytes)
{
    uint64_t v = bytes;
    v = (v << 16 & 0x0000ffff00000000u) | (v & 0xffff);
    v = (v << 8 & 0x00ff000000ff0000u) | (v & 0x000000ff000000ffu);
    v = (v >> 4 & 0x000f000f000f000fu) | (v & 0x000f000f000f000fu) << 8; /* high half first */
    return v + 0x3030303030303030u + ((v + 0x0606060606060606u) >> 4 & 0x0101010101010101u) * ('a' - '0' - 10);
}

void hc_hex(char *out, const void *data, size_t n)
{
    const uint8_t *p = (const uint8_t *)data;
    for (; n >= 4; n -= 4, p += 4, out += 8) hc_store64le(out, digits(hc_load32le(p)));
    for (; n; n--, p++, out += 2) {
        uint64_t two = digits(*p);
        out[0] = (char)(two & 0xff);
        out[1] = (char)(two >> 8 & 0xff);
    }
}

/* 0..15, or 16 and more for what is no digit. */
static unsigned digit_value(uint8_t c)
{
    unsigned number = c - (unsigned)'0', letter = (c | 32u) - (unsigned)'a';
    return number < 10 ? number : letter < 6 ? letter + 10 : 16;
}

int hc_unhex(void *out, const char *hex, size_t n, hc_error *err)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *h = (const uint8_t *)hex;
    if (n % 2) return hc_fail(err, HC_E_LENGTH, "hex", n, n - 1, n + 1);
    for (size_t i = 0; i < n; i++)
        if (digit_value(h[i]) > 15) return hc_fail_at(err, HC_E_PARAM, "hex", i, 0, 0, 0);
    for (size_t i = 0; i < n; i += 2) *o++ = (uint8_t)(digit_value(h[i]) << 4 | digit_value(h[i + 1]));
    return HC_OK;
}
