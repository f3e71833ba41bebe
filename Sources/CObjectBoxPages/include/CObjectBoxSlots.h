#ifndef C_OBJECTBOX_SLOTS_H
#define C_OBJECTBOX_SLOTS_H

#include <stdint.h>

// Pins the newest version by the reader slot of a transaction, as `mdb_txn_renew` and `mdb_txn_reset` do, without the
// copies of table roots that they make: these take longer than all the rest of a short read.

// A reader slot in the map of LMDB's lock file; both are null where it is not known.
typedef struct {
  // The version that the slot pins; the greatest number for none.
  uint64_t *_Nullable pinned;
  // The newest commit that is published.
  const uint64_t *_Nullable published;
  // The process that the slot belongs to; another number stands there once LMDB has taken it for dead.
  int32_t process;
} obx_reader_slot;

// Finds the slot of a read transaction that has just begun, on Linux with LMDB 0.9, whose structures are private and
// the same in all releases; each is compared with what is known otherwise.
//
// - transaction, environment: LMDB's.
// - version: the number of the transaction.
//
// Returns 0 when the slot is not found.
int obx_reader_slot_find(
  const void *_Nonnull transaction, const void *_Nonnull environment, uint64_t version,
  obx_reader_slot *_Nonnull slot);

// Pins a version if it is the newest one, and returns 0, with nothing pinned, if it is not.
static inline int obx_reader_slot_pin(obx_reader_slot slot, uint64_t version) {
  if (__atomic_load_n(slot.published, __ATOMIC_RELAXED) != version ||
      __atomic_load_n((const int32_t *)(slot.pinned + 1), __ATOMIC_RELAXED) != slot.process) {
    return 0;
  }
  // A writer publishes a commit before it looks for readers, and this thread is a reader before it looks for a commit,
  // so at least one of both sees the other.
  __atomic_store_n(slot.pinned, version, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(slot.published, __ATOMIC_SEQ_CST) == version) return 1;
  __atomic_store_n(slot.pinned, UINT64_MAX, __ATOMIC_RELEASE);
  return 0;
}

// Ends what `obx_reader_slot_pin` began.
static inline void obx_reader_slot_release(obx_reader_slot slot) {
  __atomic_store_n(slot.pinned, UINT64_MAX, __ATOMIC_RELEASE);
}

// Whether the slot pins nothing.
static inline int obx_reader_slot_is_free(obx_reader_slot slot) {
  return __atomic_load_n(slot.pinned, __ATOMIC_RELAXED) == UINT64_MAX;
}

#endif
