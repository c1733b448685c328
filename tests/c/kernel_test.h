/* kernel_test.h - what the kernel tests share: the candidates of a slot, random bytes, guarded memory. */
#ifndef HC_KERNEL_TEST_H
#define HC_KERNEL_TEST_H
#include "kernels.h"
#include "cpu.h"
#include "check.h"
#include "guard.h"

/* Every candidate that this processor can run, as K of the slot's type with its name in `kernel`; P is the portable one. */
#define FOR_KERNELS(slot)                                                                                              \
    for (const hc_candidate *kt_c = hc_slots[HC_SLOT_##slot].candidates, *kt_e = kt_c + hc_slots[HC_SLOT_##slot].count; \
         kt_c < kt_e; kt_c++)                                                                                          \
        if (kt_c->needs & ~hc_cpu_usable()) {                                                                          \
            kt_skipped(#slot, kt_c->name);                                                                             \
        } else
/* Before every call the stack below is made dirty: what a kernel does not set is no lucky zero, nor what the last call left. */
#define KERNEL(slot) (kt_dirty(), (hc_##slot##_fn *)kt_c->fn)
#define KERNEL_NAME kt_c->name
#define PORTABLE(slot) ((hc_##slot##_fn *)kt_portable(hc_slots[HC_SLOT_##slot].candidates))

#if defined(__GNUC__)
#define KT_NOINLINE __attribute__((noinline, unused))
#else
#define KT_NOINLINE
#endif
#ifndef KT_STACK
#define KT_STACK (12 << 10) /* the kernels need less */
#endif
static KT_NOINLINE void kt_dirty(void)
{
    static uint8_t with = 0x55;
    uint8_t below[KT_STACK];
    with = (uint8_t)(5 * with + 1);
    memset(below, with % 4 ? with : 0, sizeof below); /* 0: an index that is there */
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(below) : "memory");
#endif
}

static inline hc_any_fn *kt_portable(const hc_candidate *c)
{
    while (c->needs) c++;
    return c->fn;
}

static inline void kt_skipped(const char *slot, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "%s.%s: this processor cannot run it", slot, name);
    CHECK_SKIP(text);
}
static inline void random_bytes(void *p, size_t n)
{
    uint8_t *b = (uint8_t *)p;
    for (size_t i = 0; i < n; i += 8) {
        const uint64_t x = check_random();
        memcpy(b + i, &x, n - i < 8 ? n - i : 8);
    }
}
/* A copy of n items that ends where a fault begins: a kernel that reads one more is caught. */
static inline void *at_end(const guard *g, const void *items, size_t n, size_t size)
{
    uint8_t *p = g->end - n * size;
    if (n) memcpy(p, items, n * size);
    return p;
}
/* The same for what every call reads or changes: a state, a key, a counter; one such place a use of it. */
static inline void *at_end_of(size_t use, const void *p, size_t size)
{
    static guard g[4];
    if (!g[use].first) g[use] = guard_new(4096);
    return at_end(&g[use], p, 1, size);
}
/* Where n bytes go in guarded memory: against its end, against its start, or anywhere. */
static inline uint8_t *random_place(const guard *g, size_t n)
{
    const size_t room = (size_t)(g->end - g->first) - n;
    const uint64_t r = check_random() >> 8;
    return r % 4 == 0 ? g->end - n : r % 4 == 1 ? g->first : g->first + (r >> 2) % (room + 1);
}

/* Messages of one length but one of them, each in turn: which go together, which are in order. sizes: of the others and of that one;
 * some begin after before() bytes, or all after none. */
typedef void kt_many(const hc_candidate *kt_c, uint64_t before, const uint8_t *const *p, const size_t *len, size_t n);
static inline void kt_one_differs(const hc_candidate *kt_c, kt_many *check, const guard *g, const size_t (*sizes)[2], size_t count,
                                  const size_t *numbers, size_t number_count, uint64_t (*before)(void))
{
    const uint8_t *p[33];
    size_t len[33];
    for (size_t s = 0; s < count; s++) {
        for (size_t k = 0; k < number_count; k++) {
            for (size_t other = 0; other < numbers[k]; other++) {
                for (size_t i = 0; i < numbers[k]; i++) {
                    len[i] = sizes[s][i == other];
                    p[i] = random_place(g, len[i]);
                }
                check(kt_c, !before || other % 4 ? 0 : before(), p, len, numbers[k]);
            }
        }
    }
}
#endif
