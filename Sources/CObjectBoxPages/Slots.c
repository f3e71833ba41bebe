#include "Layout.h"

#include <pthread.h>
#include <unistd.h>

#if defined(__linux__) && OBX_LAYOUT_IS_KNOWN

enum {
  // Words of LMDB's `MDB_txn`: the version, the environment, and the slot of a reader.
  VERSION_WORD = 3,
  ENVIRONMENT_WORD = 4,
  SLOT_WORD = 9,
  LINE = 64,
  // LMDB's slots have a line each.
  MOST_SLOTS = 1 << 16,
};

static const uint32_t magic = 0xbeefc0de;

static size_t in_lines(size_t size) { return (size + LINE - 1) / LINE * LINE; }

int obx_reader_slot_find(
  const void *transaction, const void *environment, uint64_t version, obx_reader_slot *slot) {
  uint64_t words[SLOT_WORD + 1];
  memcpy(words, transaction, sizeof words);
  uint8_t *place = (uint8_t *)(uintptr_t)words[SLOT_WORD];
  if (words[VERSION_WORD] != version || words[ENVIRONMENT_WORD] != (uintptr_t)environment ||
      !place || (uintptr_t)place % LINE || !obx_is_readable(place)) {
    return 0;
  }
  int32_t process = getpid();
  if (obx_load64(place) != version || (int32_t)obx_load32(place + 8) != process) return 0;
  // The file begins with a magic number, a format, a lock, the newest commit and the number of slots; behind these are
  // another lock and the slots, each part in lines of its own.
  const size_t published = 8 + sizeof(pthread_mutex_t);
  const size_t slots = in_lines(published + 16) + in_lines(sizeof(pthread_mutex_t));
  long page = sysconf(_SC_PAGESIZE);
  if (page < LINE) return 0;
  uint8_t *begin = (uint8_t *)((uintptr_t)place & ~((uintptr_t)page - 1));
  while (1) {
    if (!obx_is_readable(begin)) return 0;
    if (obx_load32(begin) == magic) break;
    if ((size_t)(place - begin) > slots + (size_t)MOST_SLOTS * LINE) return 0;
    begin -= page;
  }
  size_t distance = (size_t)(place - begin);
  if (distance < slots || (distance - slots) % LINE ||
      (distance - slots) / LINE >= obx_load32(begin + published + 8) ||
      obx_load64(begin + published) != version) {
    return 0;
  }
  *slot = (obx_reader_slot){(uint64_t *)place, (const uint64_t *)(begin + published), process};
  return 1;
}

#else

int obx_reader_slot_find(
  const void *transaction, const void *environment, uint64_t version, obx_reader_slot *slot) {
  return 0;
}

#endif
