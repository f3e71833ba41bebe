#ifndef OBX_FULL_TEXT_BYTES_H
#define OBX_FULL_TEXT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// Numbers of variable length: seven bits a byte, the lowest first; the last byte is below 128.

#define NUMBER_MAXIMUM 10

INLINE size_t write_number(uint8_t *bytes, uint64_t number) {
  size_t size = 0;
  for (; number >= 128; number >>= 7) bytes[size++] = (uint8_t)(number | 128);
  bytes[size++] = (uint8_t)number;
  return size;
}

// Returns the end of the number; null if the bytes end inside it or the number is too large.
INLINE const uint8_t *read_number(const uint8_t *bytes, const uint8_t *end, uint64_t *number) {
  if (bytes < end && *bytes < 128) {
    *number = *bytes;
    return bytes + 1;
  }
  uint64_t result = 0;
  for (uint32_t shift = 0; bytes < end && shift < 64; shift += 7) {
    uint8_t byte = *bytes++;
    result |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) {
      *number = result;
      return bytes;
    }
  }
  return NULL;
}

INLINE const uint8_t *read_number32(const uint8_t *bytes, const uint8_t *end, uint32_t *number) {
  uint64_t wide;
  bytes = read_number(bytes, end, &wide);
  if (!bytes || wide > UINT32_MAX) return NULL;
  *number = (uint32_t)wide;
  return bytes;
}

// Returns the end of `count` numbers; null if the bytes contain fewer.
INLINE const uint8_t *skip_numbers(const uint8_t *bytes, const uint8_t *end, uint64_t count) {
  while (count >= 8 && end - bytes >= 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    count -= (uint64_t)__builtin_popcountll(~word & 0x8080808080808080ull);
    bytes += 8;
  }
  // The last word may end inside a number, which the loop completes.
  for (; count > 0 && bytes < end; bytes++) count -= *bytes < 128;
  return count == 0 ? bytes : NULL;
}

#endif
