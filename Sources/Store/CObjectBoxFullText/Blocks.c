#include "Blocks.h"

static uint32_t width_of(uint32_t bits) { return bits ? 32 - (uint32_t)__builtin_clz(bits) : 0; }

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

// Reads a full block of numbers in groups of eight, which take `width` bytes each. A constant width makes all
// shifts constant, and numbers of a byte or less come from one word. With `is_gaps`, turns gaps into ordinals
// and returns the ordinal after the last. In 64 bits: damaged gaps must not wrap around.
INLINE uint64_t unpack_groups(const uint8_t *bytes, const uint8_t *end, uint32_t width,
                              bool is_gaps, uint64_t next, uint32_t *numbers) {
  uint64_t mask = (1ull << width) - 1;
  for (uint32_t start = 0; start < OBX_BLOCK_CAPACITY; start += GROUP, bytes += width) {
    uint8_t copy[32 + 8];
    const uint8_t *group = bytes;
    if ((size_t)(end - bytes) < width + 8) {
      // The last groups: words are read past their bytes.
      memset(copy, 0, sizeof copy);
      memcpy(copy, bytes, width);
      group = copy;
    }
    uint64_t first = load(group);
#pragma clang loop unroll(full)
    for (uint32_t index = 0; index < GROUP; index++) {
      uint32_t bit = index * width;
      uint64_t word = width <= 8 ? first >> bit : load(group + bit / 8) >> (bit & 7);
      uint64_t number = word & mask;
      if (is_gaps) {
        number += next;
        next = number + 1;
      }
      numbers[start + index] = (uint32_t)number;
    }
  }
  return next;
}

INLINE uint64_t unpack_full(const uint8_t *bytes, const uint8_t *end, uint32_t width,
                            bool is_gaps, uint64_t next, uint32_t *numbers) {
#define CASE(width) \
  case width: return unpack_groups(bytes, end, width, is_gaps, next, numbers)
  switch (width) {
    CASE(1); CASE(2); CASE(3); CASE(4); CASE(5); CASE(6); CASE(7); CASE(8);
    CASE(9); CASE(10); CASE(11); CASE(12);
    default: return unpack_groups(bytes, end, width, is_gaps, next, numbers);
  }
#undef CASE
}

bool obx_block_unpack_ordinals(const block_columns *block, uint32_t count, uint32_t base,
                            uint32_t last, uint32_t *ordinals) {
  uint64_t next = base;
  if (count == OBX_BLOCK_CAPACITY) {
    next = unpack_full(block->gaps, block->end, block->gap_width, true, next, ordinals);
  } else {
    unpack(block->gaps, block->end, 0, block->gap_width, count, ordinals);
    for (uint32_t index = 0; index < count; index++) {
      next += ordinals[index];
      ordinals[index] = (uint32_t)next++;
    }
  }
  return next == (uint64_t)last + 1;
}

bool obx_block_unpack(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                      uint32_t last, uint32_t *ordinals, uint32_t *frequencies) {
  block_columns block;
  if (!read_block(bytes, size, count, &block) ||
      !obx_block_unpack_ordinals(&block, count, base, last, ordinals))
    return false;
  if (block.frequency_width == 0) {
    for (uint32_t index = 0; index < count; index++) frequencies[index] = 1;
    return true;
  }
  if (count == OBX_BLOCK_CAPACITY)
    unpack_full(block.frequencies, block.end, block.frequency_width, false, 0, frequencies);
  else
    unpack(block.frequencies, block.end, block.frequency_bit, block.frequency_width, count,
           frequencies);
  for (uint32_t index = 0; index < count; index++) frequencies[index]++;
  return true;
}
