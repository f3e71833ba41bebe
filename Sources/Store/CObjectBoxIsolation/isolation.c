#include "CObjectBoxIsolation.h"

#include <stdbool.h>

// The language can only trap outside of an actor. The runtime's own check returns a Boolean. It is
// part of the ABI, because programs that use Task.immediate call it. Older systems lack it: there
// the current executor is compared by identity, which misses executors with their own equality.

#if defined(__APPLE__)
#define OBJECTBOX_MAY_LACK __attribute__((weak_import))
#else
#define OBJECTBOX_MAY_LACK __attribute__((weak))
#endif

typedef struct {
  void *identity;
  uintptr_t implementation;
} executor;

__attribute__((swiftcall)) OBJECTBOX_MAY_LACK bool swift_task_isCurrentExecutorWithFlags(
    void *identity, uintptr_t implementation, uint64_t flags);

__attribute__((swiftcall)) executor swift_task_getCurrentExecutor(void);

int objectbox_is_current_executor(uintptr_t identity, uintptr_t implementation) {
  if (swift_task_isCurrentExecutorWithFlags) {
    // No flags: the check must not stop the process.
    return swift_task_isCurrentExecutorWithFlags((void *)identity, implementation, 0) ? 1 : 0;
  }
  return swift_task_getCurrentExecutor().identity == (void *)identity ? 1 : 0;
}
