#include "CObjectBoxAllocationCount.h"

#include <stdlib.h>

#if defined(__linux__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

// The program's definitions precede the C library's, for all libraries of the program.
// These only count, and pass the call on.

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread long allocationCount;

void *malloc(size_t size) {
  allocationCount += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocationCount += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocationCount += 1;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocationCount += 1;
  return __libc_memalign(alignment, size);
}

long objectbox_test_allocation_count(void) { return allocationCount; }

long objectbox_test_heap_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return (long)(heap.uordblks + heap.hblkhd);
}

#else

long objectbox_test_allocation_count(void) { return -1; }

long objectbox_test_heap_bytes(void) { return -1; }

#endif
