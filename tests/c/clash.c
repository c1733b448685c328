/* clash.c - a library that exports what other hash libraries call their functions; every call is fatal. */
#include <stdlib.h>
#define FATAL(name)                                                                                                    \
    void name(void);                                                                                                   \
    void name(void) { abort(); }
FATAL(blake2b) FATAL(blake2b_init) FATAL(blake2b_init_key) FATAL(blake2b_init_param) FATAL(blake2b_update)
FATAL(blake2b_final) FATAL(blake2b_compress) FATAL(blake2xb_init) FATAL(blake3_hasher_init) FATAL(blake3_hasher_update)
FATAL(blake3_hasher_finalize) FATAL(blake3_hash_many) FATAL(blake3_compress_in_place) FATAL(sha256) FATAL(sha256_init)
FATAL(sha256_update) FATAL(sha256_final) FATAL(SHA256_Init) FATAL(SHA256_Update) FATAL(SHA256_Final) FATAL(hmac_sha256)
FATAL(xor_bytes) FATAL(cpu_detect) FATAL(digest) FATAL(update) FATAL(final) FATAL(init) FATAL(reset)
