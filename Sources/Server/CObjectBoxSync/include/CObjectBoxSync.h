#ifndef COBJECTBOX_SYNC_H
#define COBJECTBOX_SYNC_H

/// Answers a call of the core; ObjectBoxSync implements it in Swift.
///
/// @param call a `SyncCall`
void obx_sync_answer(void *call);

#endif
