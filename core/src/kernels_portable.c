/* kernels_portable.c - every kernel template for plain C, one lane. */
#include "kernels.h"
#define HC_ISA HC_PORTABLE
#define HC_SUFFIX portable
#include "target_begin.h"
#include "kernels.inc.h"
#include "target_end.h"
