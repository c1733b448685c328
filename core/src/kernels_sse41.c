/* kernels_sse41.c - every kernel template for SSE4.1 and SSSE3. */
#include "kernels.h"
#ifdef HC_HAVE_SSE
#define HC_ISA HC_SSE41
#define HC_SUFFIX sse41
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
