/* sha256_bmi2.c - SHA-256 of one message where there are no SHA instructions, for processors with AVX2 and BMI2. */
#include "kernels.h"
#ifdef HC_HAVE_BMI2
#define HC_ISA HC_BMI2
#define HC_SUFFIX bmi2
#include "target_begin.h"
#include "lanes.h"
#include "sha256_bmi2.inc.h"
#include "target_end.h"
#endif
