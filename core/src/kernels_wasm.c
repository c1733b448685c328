/* kernels_wasm.c - every kernel template for WebAssembly's SIMD128. */
#include "kernels.h"
#ifdef HC_HAVE_SIMD128
#define HC_ISA HC_WASM
#define HC_SUFFIX simd128
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
#endif
