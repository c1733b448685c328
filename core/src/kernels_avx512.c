/* kernels_avx512.c - every kernel template for AVX-512 F, VL and BW. */
#include "kernels.h"
#ifdef HC_HAVE_AVX512
#define HC_ISA HC_AVX512
#define HC_SUFFIX avx512
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
