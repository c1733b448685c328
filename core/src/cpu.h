/* cpu.h - what this processor has, and which of it hashcore may use (L1). */
#ifndef HC_CPU_H
#define HC_CPU_H
#include "common.h"

/* Masks of HC_CPU_*. The first call of either detects and reads HASHCORE_CPU; calls may race, with one result. */
HC_INTERNAL uint32_t hc_cpu_usable(void); /* detected: the processor has it and the system saves it */
HC_INTERNAL uint32_t hc_cpu_mask(void);   /* and it may be used */
HC_INTERNAL int hc_cpu_set_mask(uint32_t mask, hc_error *err); /* HC_E_PARAM when mask asks for what is not usable */
#ifdef HC_X86
/* HC_CPU_* of a processor whose CPUID leaf 1 gives ecx1 and edx1, whose leaf 7.0 gives ebx7, and whose system saves
 * xcr0. */
HC_INTERNAL uint32_t hc_cpu_of_x86(uint32_t ecx1, uint32_t edx1, uint32_t ebx7, uint32_t xcr0);
#endif

#endif
