/* kernels_avx512vl.c - every kernel template for AVX-512's instructions on vectors of 256 bits. */
#include "kernels.h"
#ifdef HC_HAVE_AVX512
#define HC_ISA HC_AVX512VL
#define HC_SUFFIX avx512vl
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
