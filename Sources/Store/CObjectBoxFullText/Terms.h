#ifndef OBX_TERMS_H
#define OBX_TERMS_H

#include "Bytes.h"

// Terms in the order of their bytes.

// The first bytes of a term as a number, so that most terms are compared by it. Eight bytes may be
// read at the term.
INLINE uint64_t prefix_of(const uint8_t *term, uint32_t size) {
  uint64_t prefix;
  memcpy(&prefix, term, sizeof prefix);
  prefix = __builtin_bswap64(prefix);
  return size >= 8 ? prefix : size == 0 ? 0 : prefix & ~0ull << (64 - 8 * size);
}

INLINE int compare_terms(const uint8_t *left, uint32_t left_size, const uint8_t *right,
                         uint32_t right_size) {
  int order = memcmp(left, right, left_size < right_size ? left_size : right_size);
  return order ? order : (left_size > right_size) - (left_size < right_size);
}

// Returns the number of first bytes that two terms share.
INLINE uint32_t shared_size(const uint8_t *left, uint32_t left_size, const uint8_t *right,
                            uint32_t right_size) {
  uint32_t limit = left_size < right_size ? left_size : right_size, shared = 0;
  while (shared < limit && left[shared] == right[shared]) shared++;
  return shared;
}

#endif
