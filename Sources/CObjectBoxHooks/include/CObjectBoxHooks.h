#ifndef COBJECTBOX_HOOKS_H
#define COBJECTBOX_HOOKS_H

/// Checks all that a store file holds. It is passed a `FullCheck` of Swift, which it does not keep.
typedef void (*obx_full_check_function)(void *check);

/// Returns the function that checks files; null in programs without ObjectBoxCare.
obx_full_check_function obx_full_check(void);

/// Sets the function that checks files. Called before `main` only, so that no lock is needed.
void obx_set_full_check(obx_full_check_function function);

#endif
