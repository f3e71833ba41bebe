#include "CObjectBoxSync.h"

#include "CObjectBoxHooks.h"

// Linking this module installs synchronization: Swift has no code that runs before `main`.
__attribute__((constructor)) static void tell_core(void) { obx_set_sync(obx_sync_answer); }
