/* kernels.inc.h - every kernel template, instantiated for HC_ISA under the names hc_<slot>_<HC_SUFFIX>. */
#include "lanes.h"

/* What is defined below has the slot's type and stays inside, also where no flag hides it. */
#define HC_KERNEL(slot, name, params, args) HC_INTERNAL hc_##slot##_fn HC_NAME(hc_##slot);
HC_SLOTS(HC_KERNEL)
#undef HC_KERNEL

#if HC_ISA == HC_PORTABLE
#include "blake3_lanes.inc.h"
#include "blake3_plan.inc.h"
#endif

#if HC_ISA == HC_PORTABLE
#include "sha256_lanes.inc.h"
#include "blake2b_lanes.inc.h"
#include "xor.inc.h"
#endif
