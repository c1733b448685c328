/* kernels.inc.h - every kernel template, instantiated for HC_ISA under the names hc_<slot>_<HC_SUFFIX>. */
#include "lanes.h"
