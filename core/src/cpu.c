/* cpu.c - what this processor has, which of it may be used, and how HASHCORE_CPU says so (L1). */
#include "cpu.h"
#include <stdlib.h>

#ifdef HC_X86
#include <cpuid.h>
#elif defined(HC_ARM64)
#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#elif defined(_WIN32)
#include <windows.h>
#endif
#endif
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <unistd.h>
#define HC_ISSETUGID 1
#endif

#define READY (1u << 31) /* of the cached masks; no HC_CPU bit is that high */

/* ---- Detection --------------------------------------------------------------- */
#ifdef HC_X86
static uint32_t saved_by_system(void)
{
    uint32_t low, high;
    /* xgetbv by its bytes: assemblers of old know no mnemonic, and the name wants a target */
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

uint32_t hc_cpu_of_x86(uint32_t ecx1, uint32_t edx1, uint32_t ebx7, uint32_t xcr0)
{
    uint32_t mask = 0;
    if (edx1 & 1u << 26) mask |= HC_CPU_SSE2;
    if ((ecx1 & 1u << 9) && (ecx1 & 1u << 19)) mask |= HC_CPU_SSE41; /* SSSE3, SSE4.1 */
    if (!(ecx1 & 1u << 27)) return mask;                             /* OSXSAVE: else xcr0 means nothing */
    if ((xcr0 & 6) == 6 && (ecx1 & 1u << 28)) {                      /* xmm and ymm are saved; AVX */
        if (ebx7 & 1u << 5) mask |= HC_CPU_AVX2;
        if ((ebx7 & 1u << 3) && (ebx7 & 1u << 8)) mask |= HC_CPU_BMI2;
        if ((ebx7 & 1u << 29) && (mask & HC_CPU_SSE41)) mask |= HC_CPU_SHANI;
        /* opmask, upper halves and upper registers saved; F, BW, VL */
        if ((xcr0 & 0xe0) == 0xe0 && (mask & HC_CPU_AVX2) && (ebx7 & 1u << 16) && (ebx7 & 1u << 30) &&
            (ebx7 & 1u << 31))
            mask |= HC_CPU_AVX512;
    }
    return mask;
}

static uint32_t detect(void)
{
    unsigned a, b, c, d, ecx1, edx1, ebx7 = 0;
    if (!__get_cpuid(1, &a, &b, &ecx1, &edx1)) return 0;
    if (__get_cpuid_max(0, NULL) >= 7) __cpuid_count(7, 0, a, ebx7, c, d);
    return hc_cpu_of_x86(ecx1, edx1, ebx7, ecx1 & 1u << 27 ? saved_by_system() : 0);
}
#elif defined(HC_ARM64)
static uint32_t detect(void)
{
    uint32_t mask = 0;
#if defined(__linux__)
    unsigned long caps = getauxval(AT_HWCAP);
    if (caps & 1ul << 1) mask |= HC_CPU_NEON;           /* HWCAP_ASIMD */
    if (caps & 1ul << 6) mask |= HC_CPU_SHA2;           /* HWCAP_SHA2 */
#elif defined(__APPLE__)
    int yes = 0;
    size_t size = sizeof yes;
    mask |= HC_CPU_NEON;
    if (sysctlbyname("hw.optional.arm.FEAT_SHA256", &yes, &size, NULL, 0) == 0 && yes) mask |= HC_CPU_SHA2;
#elif defined(_WIN32)
    mask |= HC_CPU_NEON;
    if (IsProcessorFeaturePresent(30)) mask |= HC_CPU_SHA2; /* PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE */
#endif
    return mask;
}
#elif defined(HC_HAVE_SIMD128)
static uint32_t detect(void) { return HC_CPU_SIMD128; }
#else
static uint32_t detect(void) { return 0; }
#endif

/* ---- Names ------------------------------------------------------------------- */
/* A level takes those of its family below it along, and helpers where the processor has them. */
static const struct {
    const char *name;
    uint32_t bit, below, helpers, above;
} names[] = {
    { "portable", 0, 0, 0, 0 },
    { "sse2", HC_CPU_SSE2, 0, 0, HC_CPU_SSE41 | HC_CPU_AVX2 | HC_CPU_AVX512 },
    { "sse41", HC_CPU_SSE41, HC_CPU_SSE2, HC_CPU_SHANI | HC_CPU_BMI2, HC_CPU_AVX2 | HC_CPU_AVX512 },
    { "avx2", HC_CPU_AVX2, HC_CPU_SSE2 | HC_CPU_SSE41, HC_CPU_SHANI | HC_CPU_BMI2, HC_CPU_AVX512 },
    { "avx512", HC_CPU_AVX512, HC_CPU_SSE2 | HC_CPU_SSE41 | HC_CPU_AVX2, HC_CPU_SHANI | HC_CPU_BMI2, 0 },
    { "neon", HC_CPU_NEON, 0, HC_CPU_SHA2, 0 },
    { "simd128", HC_CPU_SIMD128, 0, 0, 0 },
    { "bmi2", HC_CPU_BMI2, 0, 0, 0 },
    { "shani", HC_CPU_SHANI, 0, 0, 0 },
    { "sha2", HC_CPU_SHA2, 0, 0, 0 },
};
enum { NAMES = sizeof names / sizeof *names, LEVELS = 7 };

static int find(const char *text, size_t len)
{
    for (int i = 0; i < NAMES; i++)
        if (strlen(names[i].name) == len && !memcmp(names[i].name, text, len)) return i;
    return -1;
}

/* The grammar of hc_cpu_parse; where the text goes wrong is *at. */
static int parse(uint32_t *mask, const char *text, uint32_t usable, size_t *at)
{
    uint32_t m = strncmp(text, "no-", 3) ? 0 : usable;
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, ",");
        int no = !strncmp(p, "no-", 3), i = find(p + 3 * no, len - 3 * (size_t)no);
        *at = (size_t)(p - text);
        if (i < 0 || (no && !names[i].bit)) return HC_E_PARAM;
        if (no) m &= ~(names[i].bit | names[i].above);
        else m |= names[i].bit | names[i].below | (names[i].helpers & usable);
        p += len;
        if (!*p) break;
    }
    *mask = m;
    return HC_OK;
}

/* ---- The cached masks ---------------------------------------------------------- */
static uint32_t usable_mask, enabled_mask, environment; /* all with READY once known */

enum { ENV_UNKNOWN = 1, ENV_LACKING = 2 }; /* environment: kind << 16 | where in the text */

uint32_t hc_cpu_usable(void)
{
    uint32_t m = HC_ATOMIC_LOAD(&usable_mask);
    if (!m) {
        m = detect() | READY;
        HC_ATOMIC_STORE(&usable_mask, m);
    }
    return m & ~READY;
}

static const char *wish(void)
{
#if defined(__linux__)
    return secure_getenv("HASHCORE_CPU"); /* NULL in setuid programs */
#elif defined(HC_ISSETUGID)
    return issetugid() ? NULL : getenv("HASHCORE_CPU");
#else
    return getenv("HASHCORE_CPU");
#endif
}

/* Threads may meet here: each computes the same values, and enabled_mask, which others test, comes last. The
 * environment's mask never undoes an earlier hc_cpu_restrict, which comes here first. */
static uint32_t first_mask(void)
{
    uint32_t usable = hc_cpu_usable(), m = usable, env = 0;
    const char *text = wish();
    size_t at = 0;
    if (text && *text) {
        if (parse(&m, text, usable, &at)) env = ENV_UNKNOWN << 16 | (uint32_t)(at & 0xffff);
        else if (m & ~usable) env = ENV_LACKING << 16;
        if (env) m = usable;
    }
    HC_ATOMIC_STORE(&environment, env | READY);
#if defined(__GNUC__)
    uint32_t none = 0;
    if (!__atomic_compare_exchange_n(&enabled_mask, &none, m | READY, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return none & ~READY;
#else
    enabled_mask = m | READY;
#endif
    return m;
}

uint32_t hc_cpu_mask(void)
{
    uint32_t m = HC_ATOMIC_LOAD(&enabled_mask);
    return m ? m & ~READY : first_mask();
}

static int lacking(hc_error *err, const char *argument, uint32_t bits)
{
    if (err) {
        memset(err, 0, sizeof *err);
        err->code = HC_E_PARAM;
        err->argument = argument;
        err->value = bits;
        err->max = hc_cpu_usable();
    }
    return HC_E_PARAM;
}

static int unknown(hc_error *err, const char *argument, size_t at)
{
    if (err) {
        memset(err, 0, sizeof *err);
        err->code = HC_E_PARAM;
        err->argument = argument;
        err->index = at;
    }
    return HC_E_PARAM;
}

int hc_cpu_set_mask(uint32_t mask, hc_error *err)
{
    uint32_t usable = hc_cpu_usable();
    hc_cpu_mask(); /* HASHCORE_CPU is read before, so that it cannot come after */
    if (mask == HC_CPU_ALL) mask = usable;
    if (mask & ~usable) return lacking(err, "cpu", mask & ~usable);
    HC_ATOMIC_STORE(&enabled_mask, mask | READY);
    return HC_OK;
}

/* ---- Public -------------------------------------------------------------------- */
uint32_t hc_cpu_detected(void) { return hc_cpu_usable(); }
uint32_t hc_cpu_enabled(void) { return hc_cpu_mask(); }

int hc_cpu_parse(uint32_t *mask, const char *text, hc_error *err)
{
    size_t at = 0;
    if (!text) return unknown(err, "cpu", 0);
    return parse(mask, text, hc_cpu_usable(), &at) ? unknown(err, "cpu", at) : HC_OK;
}

size_t hc_cpu_text(uint32_t mask, char *out, size_t cap)
{
    char text[128] = "portable";
    uint32_t said = 0;
    for (int i = 1; i < LEVELS; i++)
        if (mask & names[i].bit) {
            strcpy(text, names[i].name);
            said = names[i].bit | names[i].below | (names[i].helpers & hc_cpu_usable());
        }
    for (int i = LEVELS; i < NAMES; i++)
        if ((mask ^ said) & names[i].bit) {
            strcat(text, mask & names[i].bit ? "," : ",no-");
            strcat(text, names[i].name);
        }
    return hc_put_text(text, out, cap);
}

int hc_cpu_environment(hc_error *err)
{
    hc_cpu_mask();
    uint32_t env = HC_ATOMIC_LOAD(&environment) & ~READY, m = 0;
    if (!env) return HC_OK;
    if (env >> 16 == ENV_UNKNOWN) return unknown(err, "HASHCORE_CPU", env & 0xffff);
    size_t at;
    const char *text = wish();
    if (!text || parse(&m, text, hc_cpu_usable(), &at)) m = 0; /* changed since: the bits can't be named */
    return lacking(err, "HASHCORE_CPU", m & ~hc_cpu_usable());
}
