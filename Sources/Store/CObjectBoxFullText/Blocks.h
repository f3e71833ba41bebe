#ifndef OBX_FULL_TEXT_BLOCKS_H
#define OBX_FULL_TEXT_BLOCKS_H

#include "Bytes.h"
#include "CObjectBoxFullText.h"

// A packed block: the widths of both columns in bits (a byte each), then the gaps between the
// ordinals, then the frequencies less 1, both in little-endian bit order.

// Number of gaps or frequencies that are read together; they take as many bytes as their width.
#define GROUP 8

INLINE uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Reads a word that has bytes only before `end`; the others are 0.
INLINE uint64_t load_before(const uint8_t *bytes, const uint8_t *end) {
  if (end - bytes >= 8) return load(bytes);
  uint64_t word = 0;
  if (bytes < end) memcpy(&word, bytes, (size_t)(end - bytes));
  return word;
}

// The columns of a block.
typedef struct {
  const uint8_t *gaps, *frequencies, *end;
  uint32_t gap_width, frequency_width;
  // The number of bits of the first byte of frequencies that are gaps.
  uint32_t frequency_bit;
} block_columns;

INLINE bool read_block(const uint8_t *bytes, size_t size, uint32_t count, block_columns *block) {
  if (size < 2 || count == 0 || count > OBX_BLOCK_CAPACITY) return false;
  block->gap_width = bytes[0];
  block->frequency_width = bytes[1];
  if (block->gap_width > 32 || block->frequency_width > 32) return false;
  size_t bits = (size_t)count * block->gap_width;
  if (2 + (bits + (size_t)count * block->frequency_width + 7) / 8 != size) return false;
  block->gaps = bytes + 2;
  block->frequencies = block->gaps + bits / 8;
  block->frequency_bit = bits & 7;
  block->end = bytes + size;
  return true;
}

// Reads numbers from a bit on, one by one.
INLINE void unpack(const uint8_t *bytes, const uint8_t *end, size_t bit, uint32_t width,
                   uint32_t count, uint32_t *numbers) {
  uint64_t mask = (1ull << width) - 1;
  for (uint32_t index = 0; index < count; index++, bit += width)
    numbers[index] = (uint32_t)(load_before(bytes + bit / 8, end) >> (bit & 7) & mask);
}

// Unpacks the ordinals of a block; returns false unless the gaps lead to the last ordinal.
bool obx_block_unpack_ordinals(const block_columns *block, uint32_t count, uint32_t base,
                               uint32_t last, uint32_t *ordinals);

#endif
