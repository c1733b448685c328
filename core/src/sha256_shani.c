/* sha256_shani.c - SHA-256 with the x86 SHA instructions (VEX-encoded: they need AVX). */
#include "kernels.h"
#ifdef HC_HAVE_SHANI
#define HC_ISA HC_SHANI
#define HC_SUFFIX shani
#include "target_begin.h"
#include "lanes.h"
#include "sha256_shani.inc.h"
#include "target_end.h"
#endif
