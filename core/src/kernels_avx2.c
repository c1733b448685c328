/* kernels_avx2.c - every kernel template for AVX2. */
#include "kernels.h"
#ifdef HC_HAVE_AVX2
#define HC_ISA HC_AVX2
#define HC_SUFFIX avx2
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
