/* peers.h - the C functions of bench/rust. */
#ifndef PEERS_H
#define PEERS_H
#include <stddef.h>
#include <stdint.h>

void peer_blake3(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
void peer_blake3_keyed(uint8_t out[32], const uint8_t key[32], const uint8_t *data, size_t len);
void peer_blake3_stream(uint8_t out[32], const uint8_t *data, size_t len, size_t piece);
void peer_blake3_rayon(uint8_t out[32], const uint8_t *data, size_t len);
int peer_blake3_file(uint8_t *out, const char *path);
void peer_blake2b(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
void peer_blake2b_many(uint8_t *out, size_t out_len, const uint8_t *data, size_t len, size_t n);
void peer_sha256(uint8_t out[32], const uint8_t *data, size_t len);
const char *peer_version(int which); /* 0 blake3, 1 blake2b_simd, 2 sha2 */

#endif
