#include "CObjectBoxCare.h"

#include "CObjectBoxHooks.h"

// A program that links this module needs no call to have its check: Swift has no code that runs before `main`.
__attribute__((constructor)) static void tell_core(void) { obx_set_full_check(obx_care_check); }
