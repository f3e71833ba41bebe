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

// Reads a word of which only the bytes before an end are there; the others are 0.
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

#define GROUP 8

// Reads a full block of numbers in groups of eight, which take `width` bytes each. Where the width is a
// constant, so are all shifts, and numbers of a byte or less come from one word. With `is_gaps`, makes
// ordinals of gaps: returns the ordinal behind the last. In 64 bits: damaged gaps must not wrap around.
INLINE uint64_t unpack_groups(const uint8_t *bytes, const uint8_t *end, uint32_t width,
                              bool is_gaps, uint64_t next, uint32_t *numbers) {
  uint64_t mask = (1ull << width) - 1;
  for (uint32_t start = 0; start < OBX_BLOCK_CAPACITY; start += GROUP, bytes += width) {
    uint8_t copy[32 + 8];
    const uint8_t *group = bytes;
    if ((size_t)(end - bytes) < width + 8) {
      // The last groups: words are read behind their bytes.
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

INLINE bool unpack_ordinals(const block_columns *block, uint32_t count, uint32_t base,
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
      !unpack_ordinals(&block, count, base, last, ordinals))
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

#define GROUP_COUNT (OBX_BLOCK_CAPACITY / GROUP)

// The bits of `count` fields that lie `distance` bits apart and have `width` bits each.
INLINE uint64_t fields(uint32_t width, uint32_t distance, uint32_t count) {
  uint64_t ones = (1ull << width) - 1, bits = 0;
#pragma clang loop unroll(full)
  for (uint32_t index = 0; index < count; index++) bits |= ones << index * distance;
  return bits;
}

// Adds eight numbers of `width` bits, at most 8: first pairs, whose sums have room in two fields.
INLINE uint32_t sum_of_group(uint64_t word, uint32_t width) {
  uint64_t even = fields(width, 2 * width, 4);
  word = (word & even) + (word >> width & even);
  if (width >= 3)
    // The sum of all has room in two fields as well.
    return (uint32_t)(word * fields(1, 2 * width, 4) >> 6 * width & fields(2 * width, 0, 1));
  even = fields(2 * width, 4 * width, 2);
  word = (word & even) + (word >> 2 * width & even);
  return (uint32_t)((word & fields(4 * width, 0, 1)) + (word >> 4 * width));
}

// Shifts all bits to the left except some of them.
INLINE uint64_t spread(uint64_t word, uint64_t kept, uint32_t shift) {
  return (word & kept) | (word & ~kept) << shift;
}

// Returns the lowest bits of lanes of `lane` bits that equal a number, of which the first is exact.
INLINE uint64_t equal_lanes(uint64_t lanes, uint32_t lane, uint64_t number) {
  uint64_t ones = fields(1, lane, 64 / lane);
  uint64_t rest = lanes ^ number * ones;
  // Borrows only reach lanes behind a lane of zero.
  return ((rest - ones) & ~rest) >> (lane - 1) & ones;
}

// Returns the index of the ordinal that is `distance` behind the first one that a group of eight
// gaps of `width` bits, at most 8, may have; 8 if there is none. `distance` is below the group's
// end.
//
// Has no branches: they would depend on the gaps, which the processor cannot predict.
INLINE uint32_t index_in_group(uint64_t word, uint32_t width, uint32_t distance) {
  if (width <= 5) {
    // Moves each gap into a byte, then adds to each byte all bytes before it. The last ordinal is
    // at most 8 * 31 + 7 behind the first one.
    word &= fields(8 * width, 0, 1);
    word = spread(word, fields(4 * width, 0, 1), 4 * (8 - width));
    word = spread(word, fields(2 * width, 32, 2), 2 * (8 - width));
    word = spread(word, fields(width, 16, 4), 8 - width);
    uint64_t equal = equal_lanes(word * fields(1, 8, 8) + 0x0706050403020100ull, 8, distance);
    return equal ? (uint32_t)__builtin_ctzll(equal) / 8 : GROUP;
  }
  // The same in halves, in lanes of 16 bits.
  uint64_t sums[2];
#pragma clang loop unroll(full)
  for (uint32_t half = 0; half < 2; half++) {
    uint64_t part = word >> half * 4 * width & fields(4 * width, 0, 1);
    part = spread(part, fields(2 * width, 0, 1), 2 * (16 - width));
    part = spread(part, fields(width, 32, 2), 16 - width);
    sums[half] = part * fields(1, 16, 4) + 0x0003000200010000ull;
  }
  uint32_t first_end = (uint32_t)(sums[0] >> 48) + 1;
  bool is_second = distance >= first_end;
  uint64_t lanes = is_second ? sums[1] : sums[0];
  uint64_t equal = equal_lanes(lanes, 16, distance - (is_second ? first_end : 0));
  return equal ? (uint32_t)__builtin_ctzll(equal) / 16 + (is_second ? 4 : 0) : GROUP;
}

// Finds documents in a full block whose gaps have `width` bits: writes their indices to `indices`.
// Of the groups of eight gaps without a document, only the sum is needed. Returns the number of
// documents found; UINT32_MAX if the gaps do not lead to the last ordinal.
INLINE uint32_t find_in_groups(const uint8_t *gaps, uint32_t width, uint32_t base, uint32_t last,
                               const uint32_t *documents, size_t document_count,
                               uint32_t *found_ordinals, uint32_t *indices) {
  // The first ordinal that each group may have.
  uint32_t starts[GROUP_COUNT];
  uint64_t next = base;
  for (uint32_t group = 0; group < GROUP_COUNT; group++) {
    starts[group] = (uint32_t)next;
    next += GROUP + sum_of_group(load(gaps + group * width), width);
  }
  if (next != (uint64_t)last + 1) return UINT32_MAX;
  uint32_t found = 0;
  // Documents that did not ascend, as of damaged IDs, would be more than the arrays have room for.
  for (; document_count > 0 && *documents <= last && found < OBX_BLOCK_CAPACITY;
       documents++, document_count--) {
    // The searches do not depend on one another, so the processor overlaps them.
    uint32_t document = *documents, group = 0;
#pragma clang loop unroll(full)
    for (uint32_t half = GROUP_COUNT / 2; half > 0; half /= 2)
      group += starts[group + half] <= document ? half : 0;
    uint32_t start = starts[group];
    uint32_t index = index_in_group(load(gaps + group * width), width, document - start);
    found_ordinals[found] = document;
    indices[found] = group * GROUP + index;
    found += (index < GROUP) & (document >= start);
  }
  return found;
}

INLINE uint32_t find_in_full_block(const block_columns *block, uint32_t base, uint32_t last,
                                   const uint32_t *documents, size_t document_count,
                                   uint32_t *found_ordinals, uint32_t *indices) {
  const uint8_t *gaps = block->gaps;
  uint8_t copy[GROUP_COUNT * 8 + 8];
  size_t size = GROUP_COUNT * block->gap_width;
  if ((size_t)(block->end - gaps) < size + 8) {
    // Words are read behind the gaps.
    memcpy(copy, gaps, size);
    memset(copy + size, 0, 8);
    gaps = copy;
  }
#define CASE(width)                                                                          \
  case width:                                                                               \
    return find_in_groups(gaps, width, base, last, documents, document_count, found_ordinals, \
                          indices)
  switch (block->gap_width) {
    CASE(1); CASE(2); CASE(3); CASE(4); CASE(5); CASE(6); CASE(7); CASE(8);
  }
#undef CASE
  return UINT32_MAX;
}

uint32_t obx_block_find(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                        uint32_t last, const uint32_t *documents, size_t document_count,
                        uint32_t *found_ordinals, uint32_t *found_frequencies) {
  block_columns block;
  if (!read_block(bytes, size, count, &block)) return UINT32_MAX;
  // The indices first; then only their frequencies are unpacked.
  uint32_t found;
  if (count == OBX_BLOCK_CAPACITY && block.gap_width - 1 < 8) {
    found = find_in_full_block(&block, base, last, documents, document_count, found_ordinals,
                               found_frequencies);
    if (found == UINT32_MAX) return UINT32_MAX;
  } else {
    uint32_t ordinals[OBX_BLOCK_CAPACITY];
    if (!unpack_ordinals(&block, count, base, last, ordinals)) return UINT32_MAX;
    found = obx_find(ordinals, NULL, count, documents, document_count, found_ordinals,
                     found_frequencies);
  }
  for (uint32_t index = 0; index < found; index++) {
    size_t bit = block.frequency_bit + (size_t)found_frequencies[index] * block.frequency_width;
    unpack(block.frequencies, block.end, bit, block.frequency_width, 1, &found_frequencies[index]);
    found_frequencies[index]++;
  }
  return found;
}
