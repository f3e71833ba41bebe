#include "CObjectBoxCare.h"

#include "CObjectBoxHooks.h"

// Linking this module is enough to install its check: Swift has no code that runs before `main`.
__attribute__((constructor)) static void tell_core(void) { obx_set_full_check(obx_care_check); }
