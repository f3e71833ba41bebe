#include "CObjectBoxHooks.h"

static obx_full_check_function full_check = 0;

obx_full_check_function obx_full_check(void) { return full_check; }

void obx_set_full_check(obx_full_check_function function) { full_check = function; }
