/* kernels.inc.h - every kernel template, instantiated for HC_ISA under the names hc_<slot>_<HC_SUFFIX>. */
#include "lanes.h"

#include "blake3_plan.inc.h"

#if HC_ISA != HC_AVX512VL
#include "sha256_lanes.inc.h"
#if HC_ISA != HC_SSE2 /* whose 64-bit rotations cost more than they give */
#include "blake2b_lanes.inc.h"
#include "blake2b_xof.inc.h"
#endif
#if HC_ISA != HC_SSE41 && HC_ISA != HC_AVX512 /* SSE4.1 adds nothing to SSE2 here; AVX-512: kernels.c */
#include "xor.inc.h"
#endif
#endif
