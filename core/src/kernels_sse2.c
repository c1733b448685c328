/* kernels_sse2.c - every kernel template for SSE2. */
#include "kernels.h"
#ifdef HC_HAVE_SSE
#define HC_ISA HC_SSE2
#define HC_SUFFIX sse2
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
