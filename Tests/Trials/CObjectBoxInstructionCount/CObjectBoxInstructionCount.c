#include "CObjectBoxInstructionCount.h"

#if __has_include(<valgrind/callgrind.h>)
#include <stdlib.h>
#include <valgrind/callgrind.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

int objectbox_test_counts_instructions(void) { return RUNNING_ON_VALGRIND != 0; }

void objectbox_test_begin_count(void) {
#if defined(__GLIBC__)
  // Otherwise a large allocation would merge all the blocks that the preparation has freed.
  malloc_trim(0);
#endif
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void objectbox_test_end_count(void) {
  CALLGRIND_DUMP_STATS;
  CALLGRIND_STOP_INSTRUMENTATION;
}

#else

int objectbox_test_counts_instructions(void) { return 0; }
void objectbox_test_begin_count(void) {}
void objectbox_test_end_count(void) {}

#endif
