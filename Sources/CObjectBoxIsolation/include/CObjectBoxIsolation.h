#ifndef COBJECTBOX_ISOLATION_H
#define COBJECTBOX_ISOLATION_H

#include <stdint.h>

/// Returns whether code that runs now is isolated to an executor, without stopping the process when not.
///
/// @param identity first word of an UnownedSerialExecutor
/// @param implementation second word of it
/// @return 1 or 0
int objectbox_is_current_executor(uintptr_t identity, uintptr_t implementation);

#endif
