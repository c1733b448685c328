/* sha256_shanivl.c - SHA-256 with the x86 SHA instructions, one stream, its schedule by AVX-512's rotations. */
#include "kernels.h"
#if defined(HC_HAVE_SHANI) && defined(HC_HAVE_AVX512)
#define HC_ISA HC_SHANI_VL
#define HC_SUFFIX shanivl
#include "target_begin.h"
#include "lanes.h"
#include "sha256_shani.inc.h"
#include "target_end.h"
#endif
