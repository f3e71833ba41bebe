#ifndef COBJECTBOX_HOOKS_H
#define COBJECTBOX_HOOKS_H

/// Checks the whole content of a store file.
///
/// Gets a `FullCheck` of Swift, which it does not retain.
typedef void (*obx_full_check_function)(void *check);

/// Returns the function that checks files; null in programs without ObjectBoxCare.
obx_full_check_function obx_full_check(void);

/// Sets the function that checks files.
///
/// Called before `main` only, so it needs no lock.
void obx_set_full_check(obx_full_check_function function);

/// Makes or finds clients of synchronization.
///
/// Gets a `SyncCall` of Swift, which it does not retain.
typedef void (*obx_sync_function)(void *call);

/// Returns the function that makes clients; null in programs without ObjectBoxSync.
obx_sync_function obx_sync(void);

/// Sets the function that makes clients.
///
/// Called before `main` only, so it needs no lock.
void obx_set_sync(obx_sync_function function);

/// Gives the core the engine of full-text indexes.
///
/// Gets an `EngineCall` of Swift, which it does not retain.
typedef void (*obx_full_text_function)(void *call);

/// Returns the function that gives the engine; null in programs without ObjectBoxSearch.
obx_full_text_function obx_full_text(void);

/// Sets the function that gives the engine.
///
/// Called before `main` only, so it needs no lock.
void obx_set_full_text(obx_full_text_function function);

#endif
