/* test_cpu.c - dispatch: never a kernel that the processor lacks or whose registers the system does not save. */
#include "kernels.h"
#include "cpu.h"
#include "check.h"

#ifdef HC_X86
enum { SSE = 1u << 9 | 1u << 19, OSXSAVE = 1u << 27, AVX = 1u << 28, SSE2_BIT = 1u << 26 };
#define AVX2_BIT (1u << 5)
#define BMI (1u << 3 | 1u << 8)
#define SHA (1u << 29)
#define AVX512 (1u << 16 | 1u << 30 | 1u << 31)
#define ALL7 (AVX2_BIT | BMI | SHA | AVX512)
#define ALL1 ((uint32_t)SSE | (uint32_t)OSXSAVE | (uint32_t)AVX)

/* A system that saves only some registers must hide all that use the rest; so must a processor without the bit. */
static void saved_registers(void)
{
    const uint32_t low = HC_CPU_SSE2 | HC_CPU_SSE41, wide = low | HC_CPU_AVX2 | HC_CPU_BMI2 | HC_CPU_SHANI;
    CHECK(hc_cpu_of_x86(ALL1, SSE2_BIT, ALL7, 0xe7) == (wide | HC_CPU_AVX512));
    CHECK(hc_cpu_of_x86(ALL1, SSE2_BIT, ALL7, 7) == wide); /* AVX-512 in CPUID, its state not enabled */
    for (uint32_t xcr0 = 0; xcr0 < 256; xcr0++) {
        const uint32_t m = hc_cpu_of_x86(ALL1, SSE2_BIT, ALL7, xcr0);
        const uint32_t want = (xcr0 & 6) != 6 ? low : (xcr0 & 0xe0) != 0xe0 ? wide : wide | HC_CPU_AVX512;
        CHECK_SAY(m == want, "xcr0 %#x", (unsigned)xcr0);
    }
    /* xcr0 read from a processor without OSXSAVE would be rubbish */
    CHECK(hc_cpu_of_x86(ALL1 & ~(uint32_t)OSXSAVE, SSE2_BIT, ALL7, 0xff) == low);
    CHECK(hc_cpu_of_x86(ALL1 & ~(uint32_t)AVX, SSE2_BIT, ALL7, 0xff) == low);
    CHECK(hc_cpu_of_x86(0, SSE2_BIT, ALL7, 0xff) == HC_CPU_SSE2);
    CHECK(hc_cpu_of_x86(0, 0, 0, 0) == 0);
    for (unsigned bit = 0; bit < 32; bit++) { /* each bit alone taken away takes away what stands on it */
        const uint32_t gone = 1u << bit, m = hc_cpu_of_x86(ALL1, SSE2_BIT, ALL7 & ~gone, 0xe7);
        uint32_t want = wide | HC_CPU_AVX512;
        if (gone & AVX2_BIT) want &= ~(uint32_t)(HC_CPU_AVX2 | HC_CPU_AVX512);
        if (gone & BMI) want &= ~(uint32_t)HC_CPU_BMI2;
        if (gone & SHA) want &= ~(uint32_t)HC_CPU_SHANI;
        if (gone & AVX512) want &= ~(uint32_t)HC_CPU_AVX512;
        CHECK_SAY(m == want, "leaf 7 without bit %u", bit);
        if (gone & SSE) CHECK(!(hc_cpu_of_x86(ALL1 & ~gone, SSE2_BIT, ALL7, 0xe7) & (HC_CPU_SSE41 | HC_CPU_SHANI)));
    }
}
#endif

/* At every mask that can be asked for, each slot is served by the first candidate that needs nothing else. */
static void picks(void)
{
    const uint32_t usable = hc_cpu_usable();
    hc_error e;
    for (uint32_t mask = usable;; mask = (mask - 1) & usable) {
        CHECK(hc_cpu_restrict(mask, &e) == HC_OK && hc_cpu_enabled() == mask);
        for (size_t i = 0; i < HC_SLOT_COUNT; i++) {
            const hc_slot *slot = &hc_slots[i];
            const char *name = hc_cpu_kernel(i, NULL);
            size_t k = 0;
            while (k + 1 < slot->count && (slot->candidates[k].needs & ~mask)) k++;
            CHECK_SAY(!strcmp(name, slot->candidates[k].name), "slot %zu at mask %#x: %s", i, (unsigned)mask, name);
        }
        if (!mask) break;
    }
    for (unsigned bit = 0; bit < 32; bit++) { /* what is lacking is refused, and nothing changes */
        if (usable & 1u << bit) continue;
        CHECK(hc_cpu_restrict(usable | 1u << bit, &e) == HC_E_PARAM || (usable | 1u << bit) == HC_CPU_ALL);
        CHECK(hc_cpu_enabled() == 0);
    }
    CHECK(hc_cpu_restrict(HC_CPU_ALL, NULL) == HC_OK && hc_cpu_enabled() == usable);
}

/* Lengths about multiples of 4 KiB, where the last lanes are partly filled: every level gives the portable digest. */
static void bands(void)
{
    enum { LONG = 65540, LENGTHS = 70 };
    static const size_t from[] = { 4030, 8126, 65470 };
    static uint8_t data[LONG], want[3 * LENGTHS][32];
    uint8_t got[32];
    const uint32_t usable = hc_cpu_usable();
    for (size_t i = 0; i < LONG; i++) data[i] = (uint8_t)(i % 251);
    CHECK(hc_cpu_restrict(0, NULL) == HC_OK);
    for (size_t i = 0; i < 3 * LENGTHS; i++) {
        const size_t len = from[i / LENGTHS] + i % LENGTHS;
        hc_blake3 s; /* in pieces that end in no block */
        hc_blake3_init(&s, NULL);
        for (size_t at = 0; at < len; at += 63) hc_blake3_update(&s, data + at, len - at < 63 ? len - at : 63, 1);
        hc_blake3_final(&s, want[i], 32, 0);
    }
    for (uint32_t mask = usable;; mask = (mask - 1) & usable) {
        CHECK(hc_cpu_restrict(mask, NULL) == HC_OK);
        for (size_t i = 0; i < 3 * LENGTHS; i++) {
            const size_t len = from[i / LENGTHS] + i % LENGTHS;
            hc_blake3_hash(got, 32, NULL, data, len, 1);
            CHECK_SAY(!memcmp(got, want[i], 32), "%zu bytes at mask %#x", len, (unsigned)mask);
        }
        if (!mask) break;
    }
    CHECK(hc_cpu_restrict(HC_CPU_ALL, NULL) == HC_OK);
}

int main(void)
{
#ifdef HC_X86
    saved_registers();
#endif
    picks();
    bands();
    return check_done("test_cpu");
}
