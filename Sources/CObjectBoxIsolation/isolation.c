#include "CObjectBoxIsolation.h"

#include <stdbool.h>

// The language has functions that stop the process elsewhere than on an actor, and none that answers.
// What its runtime asks itself answers: the entry is part of its ABI, since programs that use
// Task.immediate call it. Systems that are older lack it; there the executor that runs now is compared,
// which knows no executors that are equal in a more complex way.

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
    // No flag: must not stop the process.
    return swift_task_isCurrentExecutorWithFlags((void *)identity, implementation, 0) ? 1 : 0;
  }
  return swift_task_getCurrentExecutor().identity == (void *)identity ? 1 : 0;
}
