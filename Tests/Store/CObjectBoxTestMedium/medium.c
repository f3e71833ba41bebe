#include "CObjectBoxTestMedium.h"

// Before `main`, so that no test opens a store first.
__attribute__((constructor)) static void choose(void) { objectbox_choose_test_medium(); }
