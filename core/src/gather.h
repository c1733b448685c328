/* gather.h - the order in which the messages of a batch take lanes: most blocks first, equal ones as they came (L2).
 *
 * Messages of equal length stay in order and so may share memory with their digests (hc_digest_many in place). */
#ifndef HC_GATHER_H
#define HC_GATHER_H
#include "common.h"

enum { HC_GATHER = 256, HC_GATHER_KEYS = 128 }; /* messages at a time; keys are 0..127 */

/* order[0..n): indices by falling key. A counting sort over the keys that occur. */
HC_INLINE void hc_gather(uint8_t order[HC_GATHER], const uint8_t *key, size_t n)
{
    uint16_t at[HC_GATHER_KEYS];
    unsigned lo = key[0], hi = key[0];
    for (size_t i = 1; i < n; i++) {
        if (key[i] < lo) lo = key[i];
        if (key[i] > hi) hi = key[i];
    }
    if (lo == hi) {
        for (size_t i = 0; i < n; i++) order[i] = (uint8_t)i;
        return;
    }
    memset(at + lo, 0, (hi - lo + 1) * sizeof *at);
    for (size_t i = 0; i < n; i++) at[key[i]]++; /* how many; then, from the top, where the next one goes */
    for (unsigned k = hi + 1, sum = 0; k-- > lo;) {
        const unsigned c = at[k];
        at[k] = (uint16_t)sum;
        sum += c;
    }
    for (size_t i = 0; i < n; i++) order[at[key[i]]++] = (uint8_t)i;
}
#endif
