#ifndef C_ALLOCATION_COUNT_H
#define C_ALLOCATION_COUNT_H

/// Returns how often the calling thread has taken memory from the heap so far; -1 where that is not counted:
/// without glibc, and under sanitizers, which have a heap of their own.
long objectbox_test_allocation_count(void);

/// Returns how many bytes of the heap the process uses; -1 where that is not known.
long objectbox_test_heap_bytes(void);

#endif
