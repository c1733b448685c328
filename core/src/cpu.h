/* cpu.h - what this processor has, and which of it hashcore may use (L1). */
#ifndef HC_CPU_H
#define HC_CPU_H
#include "common.h"

/* Masks of HC_CPU_*. The first call of either detects and reads HASHCORE_CPU; calls may race, with one result. */
HC_INTERNAL uint32_t hc_cpu_usable(void); /* detected: the processor has it and the system saves it */
HC_INTERNAL uint32_t hc_cpu_mask(void);   /* and it may be used */
HC_INTERNAL int hc_cpu_set_mask(uint32_t mask, hc_error *err); /* HC_E_PARAM when mask asks for what is not usable */

#endif
