/* loop_gcc.c - the plain loops that rows_xor.c compares with; the script run has gcc compile this file with -O3 -mavx2. */
#include <stddef.h>
#include <stdint.h>

void loop_xor(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, size_t n);
void loop_mask(uint8_t *dst, const uint8_t *src, const uint8_t *key, size_t key_len, size_t n);
const char *loop_version(void);

void loop_xor(uint8_t *restrict dst, const uint8_t *restrict a, const uint8_t *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++) dst[i] = a[i] ^ b[i];
}
void loop_mask(uint8_t *dst, const uint8_t *src, const uint8_t *key, size_t key_len, size_t n)
{
    for (size_t i = 0; i < n; i++) dst[i] = src[i] ^ key[i % key_len];
}
const char *loop_version(void) { return __VERSION__; }
