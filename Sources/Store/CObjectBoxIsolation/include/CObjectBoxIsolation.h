#ifndef COBJECTBOX_ISOLATION_H
#define COBJECTBOX_ISOLATION_H

#include <stdint.h>

/// Returns whether the running code is isolated to an executor; never stops the process.
///
/// @param identity first word of an UnownedSerialExecutor
/// @param implementation its second word
/// @return 1 or 0
int objectbox_is_current_executor(uintptr_t identity, uintptr_t implementation);

#endif
