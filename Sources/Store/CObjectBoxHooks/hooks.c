#include "CObjectBoxHooks.h"

static obx_full_check_function full_check = 0;

obx_full_check_function obx_full_check(void) { return full_check; }

void obx_set_full_check(obx_full_check_function function) { full_check = function; }

static obx_sync_function sync_function = 0;

obx_sync_function obx_sync(void) { return sync_function; }

void obx_set_sync(obx_sync_function function) { sync_function = function; }

static obx_full_text_function full_text_function = 0;

obx_full_text_function obx_full_text(void) { return full_text_function; }

void obx_set_full_text(obx_full_text_function function) { full_text_function = function; }
