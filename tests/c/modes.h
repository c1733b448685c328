/* modes.h - BLAKE3's modes by number, for tests that walk them. */
#ifndef HC_TEST_MODES_H
#define HC_TEST_MODES_H
#include "hashcore.h"

/* Modes: plain, keyed, derived. NULL for the plain one, as users write it. */
static inline const hc_blake3_mode *mode_of(int i, hc_blake3_mode *m)
{
    static const uint8_t key[32] = "whats the Elvish word for friend";
    if (i == 0) return NULL;
    if (i == 1)
        hc_blake3_mode_keyed(m, key);
    else
        hc_blake3_mode_derive(m, "hashcore 2026-11-30 tests", 25);
    return m;
}

#endif
