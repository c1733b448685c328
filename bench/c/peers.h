/* peers.h - the C functions of bench/rust. */
#ifndef PEERS_H
#define PEERS_H
#include "hashcore.h"
#include <stddef.h>
#include <stdint.h>

void peer_blake3(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
/* A hasher, an update a part; keep: one that was there before, reset. */
void peer_blake3_pieces(uint8_t out[32], const hc_slice *parts, size_t n, int keep);
/* From its start, of an output reader that is kept; the first call gives its input. */
void peer_blake3_read(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
void peer_blake3_rayon(uint8_t out[32], const uint8_t *data, size_t len);
int peer_blake3_file(uint8_t *out, const char *path);
void peer_blake2b(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
void peer_blake2b_many(uint8_t *out, size_t out_len, const uint8_t *data, size_t len, size_t n);
void peer_sha256(uint8_t out[32], const uint8_t *data, size_t len);
void peer_ring_sha256(uint8_t out[32], const uint8_t *data, size_t len);
const char *peer_version(int which); /* 0 blake3, 1 blake2b_simd, 2 sha2, 3 ring */

#endif
