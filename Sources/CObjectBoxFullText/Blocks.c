#include "Bytes.h"
#include "CObjectBoxFullText.h"

// A packed block: the widths of both columns in bits (a byte each), then the gaps between the
// ordinals, then the frequencies less 1, both in little-endian bit order.

static uint32_t width_of(uint32_t bits) { return bits ? 32 - (uint32_t)__builtin_clz(bits) : 0; }

INLINE uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

INLINE size_t append(uint8_t *bytes, size_t bit,
                                                           uint32_t value, uint32_t width) {
  uint64_t word = load(bytes + bit / 8) | (uint64_t)value << (bit & 7);
  memcpy(bytes + bit / 8, &word, sizeof word);
  return bit + width;
}

size_t obx_block_pack(uint8_t *bytes, const uint32_t *ordinals, const uint32_t *frequencies,
                      uint32_t count, uint32_t base) {
  uint32_t gaps[OBX_BLOCK_CAPACITY], gap_bits = 0, frequency_bits = 0;
  for (uint32_t index = 0; index < count; index++) {
    gaps[index] = ordinals[index] - base;
    base = ordinals[index] + 1;
    gap_bits |= gaps[index];
    frequency_bits |= frequencies[index] - 1;
  }
  uint32_t gap_width = width_of(gap_bits), frequency_width = width_of(frequency_bits);
  size_t bits = 16 + (size_t)count * (gap_width + frequency_width);
  size_t size = (bits + 7) / 8;
  memset(bytes, 0, size + 8);
  bytes[0] = (uint8_t)gap_width;
  bytes[1] = (uint8_t)frequency_width;
  size_t bit = 16;
  if (gap_width > 0)
    for (uint32_t index = 0; index < count; index++)
      bit = append(bytes, bit, gaps[index], gap_width);
  if (frequency_width > 0)
    for (uint32_t index = 0; index < count; index++)
      bit = append(bytes, bit, frequencies[index] - 1, frequency_width);
  return size;
}

// By constant widths the loops need no variable shifts of masks, and become vectors.
INLINE void unpack(const uint8_t *bytes, size_t bit,
                                                         uint32_t width, uint32_t count,
                                                         uint32_t *numbers) {
  uint64_t mask = (1ull << width) - 1;
  for (uint32_t index = 0; index < count; index++, bit += width)
    numbers[index] = (uint32_t)(load(bytes + bit / 8) >> (bit & 7) & mask);
}

// A copy of a packed block with room behind it, because words are read past the end.
typedef struct {
  uint8_t bytes[OBX_BLOCK_MAXIMUM + 8];
  uint32_t gap_width, frequency_width;
} block_copy;

INLINE bool read_block(const uint8_t *bytes, size_t size, uint32_t count, block_copy *block) {
  if (size < 2 || count == 0 || count > OBX_BLOCK_CAPACITY) return false;
  block->gap_width = bytes[0];
  block->frequency_width = bytes[1];
  if (block->gap_width > 32 || block->frequency_width > 32) return false;
  size_t bits = 16 + (size_t)count * (block->gap_width + block->frequency_width);
  if ((bits + 7) / 8 != size) return false;
  memcpy(block->bytes, bytes, size);
  memset(block->bytes + size, 0, 8);
  return true;
}

INLINE bool unpack_ordinals(const block_copy *block, uint32_t count, uint32_t base, uint32_t last,
                            uint32_t *ordinals) {
  // In 64 bits: damaged gaps must not wrap around to smaller ordinals.
  uint64_t next = base;
  uint32_t width = block->gap_width;
  uint64_t mask = (1ull << width) - 1;
  size_t bit = 16;
  for (uint32_t index = 0; index < count; index++, bit += width) {
    next += load(block->bytes + bit / 8) >> (bit & 7) & mask;
    ordinals[index] = (uint32_t)next++;
  }
  return next == (uint64_t)last + 1;
}

bool obx_block_unpack(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                      uint32_t last, uint32_t *ordinals, uint32_t *frequencies) {
  block_copy block;
  if (!read_block(bytes, size, count, &block) ||
      !unpack_ordinals(&block, count, base, last, ordinals))
    return false;
  if (block.frequency_width > 0) {
    unpack(block.bytes, 16 + (size_t)count * block.gap_width, block.frequency_width, count,
           frequencies);
    for (uint32_t index = 0; index < count; index++) frequencies[index]++;
  } else {
    for (uint32_t index = 0; index < count; index++) frequencies[index] = 1;
  }
  return true;
}

uint32_t obx_block_find(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                        uint32_t last, const uint32_t *documents, size_t document_count,
                        uint32_t *found_ordinals, uint32_t *found_frequencies) {
  block_copy block;
  uint32_t ordinals[OBX_BLOCK_CAPACITY];
  if (!read_block(bytes, size, count, &block) ||
      !unpack_ordinals(&block, count, base, last, ordinals))
    return UINT32_MAX;
  // The indices first; then only their frequencies are unpacked.
  uint32_t found =
      obx_find(ordinals, NULL, count, documents, document_count, found_ordinals, found_frequencies);
  uint32_t width = block.frequency_width;
  uint64_t mask = (1ull << width) - 1;
  size_t start = 16 + (size_t)count * block.gap_width;
  for (uint32_t index = 0; index < found; index++) {
    size_t bit = start + (size_t)found_frequencies[index] * width;
    found_frequencies[index] = (uint32_t)(load(block.bytes + bit / 8) >> (bit & 7) & mask) + 1;
  }
  return found;
}
