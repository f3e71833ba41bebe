#include "CObjectBoxSearch.h"

#include "CObjectBoxHooks.h"

// Linking this module is enough to install the engine: Swift has no code that runs before `main`.
__attribute__((constructor)) static void tell_core(void) { obx_set_full_text(obx_search_engine); }
