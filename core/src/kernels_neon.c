/* kernels_neon.c - every kernel template for Arm's Advanced SIMD. */
#include "kernels.h"
#ifdef HC_HAVE_NEON
#define HC_ISA HC_NEON
#define HC_SUFFIX neon
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
