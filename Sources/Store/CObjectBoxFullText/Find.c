#include "Blocks.h"

// Finds documents in packed blocks, for searches with a filter. The blocks of a common term contain few
// documents of a filter, and most documents of a filter are not in the block of their range.

#define GROUP_COUNT (OBX_BLOCK_CAPACITY / GROUP)
// Up to this width, the sum of eight gaps and their number is at most 256.
#define NARROW_WIDTH 5
// Up to this width, the sum of four gaps and their number is at most 65,536.
#define WIDE_WIDTH 14

// Two words. The compiler has instructions for them on most processors.
typedef uint64_t word_pair __attribute__((vector_size(16)));
typedef uint16_t lane_pair __attribute__((vector_size(16)));

// The bits of `count` fields that lie `distance` bits apart and have `width` bits each.
INLINE uint64_t fields(uint32_t width, uint32_t distance, uint32_t count) {
  uint64_t ones = (1ull << width) - 1, bits = 0;
#pragma clang loop unroll(full)
  for (uint32_t index = 0; index < count; index++) bits |= ones << index * distance;
  return bits;
}

// Returns the highest bits of lanes of `lane` bits that equal a number. Only the lowest of these
// bits is exact.
INLINE uint64_t equal_lanes(uint64_t lanes, uint32_t lane, uint64_t number) {
  uint64_t ones = fields(1, lane, 64 / lane);
  uint64_t rest = lanes ^ number * ones;
  // Borrows only reach lanes after a lane of zero.
  return (rest - ones) & ~rest & ones << (lane - 1);
}

// Adds to each lane of 16 bits all lanes before it in its word.
//
// Adds lanes, not words: the compiler would turn word additions into multiplications, which cost more.
INLINE word_pair add_lanes_before(word_pair words) {
  words = (word_pair)((lane_pair)words + (lane_pair)(words << 16));
  return (word_pair)((lane_pair)words + (lane_pair)(words << 32));
}

// Adds eight gaps and their number, at most NARROW_WIDTH bits wide, in each word.
INLINE word_pair sums_of_groups(word_pair words, uint32_t width) {
  uint64_t even = fields(width, 2 * width, 4);
  // Sums of two gaps have room in two fields.
  words = (words & even) + (words >> width & even);
  even = fields(2 * width, 4 * width, 2);
  words = (words & even) + (words >> 2 * width & even);
  return (words & fields(4 * width, 0, 1)) + (words >> 4 * width) + GROUP;
}

// Shifts all bits to the left except some of them.
INLINE uint64_t spread(uint64_t word, uint64_t kept, uint32_t shift) {
  return (word & kept) | (word & ~kept) << shift;
}

// For eight gaps, returns the distances of their ordinals from the first possible ordinal, as bytes.
INLINE uint64_t distances_of_group(uint64_t word, uint32_t width) {
  word &= fields(8 * width, 0, 1);
  word = spread(word, fields(4 * width, 0, 1), 4 * (8 - width));
  word = spread(word, fields(2 * width, 32, 2), 2 * (8 - width));
  word = spread(word, fields(width, 16, 4), 8 - width);
  return word * fields(1, 8, 8) + 0x0706050403020100ull;
}

// For four gaps in each word, returns the distances of their ordinals from the first possible ordinal, as lanes
// of 16 bits.
INLINE word_pair distances_of_fours(word_pair words, uint32_t width) {
  uint64_t low = fields(2 * width, 0, 1), high = low << 2 * width;
  words = (words & low) | (words & high) << 2 * (16 - width);
  low = fields(width, 32, 2);
  high = low << width;
  words = (words & low) | (words & high) << (16 - width);
  const uint64_t indices = 0x0003000200010000ull;
  return add_lanes_before(words) + indices;
}

// A full block in parts: groups of eight gaps, or four gaps if they are wider.
typedef struct {
  const uint8_t *gaps;
  // The distance of each part's first possible ordinal from the block's first possible one.
  uint16_t group_starts[GROUP_COUNT];
  uint32_t four_starts[2 * GROUP_COUNT];
  // The distances of ordinals from the first possible ones of their parts; only for parts of four.
  uint64_t fours[2 * GROUP_COUNT];
} block_parts;

// Finds the start of each group, and returns their end, from the sums of gaps alone.
INLINE uint64_t split_groups(block_parts *parts, uint32_t width) {
  uint64_t next = 0;
#pragma clang loop unroll(full)
  for (uint32_t first = 0; first < GROUP_COUNT; first += 8) {
    word_pair sums = {0, 0};
#pragma clang loop unroll(full)
    for (uint32_t group = 0; group < 4; group++) {
      const uint8_t *gaps = parts->gaps + (first + group) * width;
      word_pair words = {load(gaps), load(gaps + 4 * width)};
      sums |= sums_of_groups(words, width) << 16 * group;
    }
    sums = add_lanes_before(sums);
#pragma clang loop unroll(full)
    for (uint32_t half = 0; half < 2; half++) {
      uint64_t starts = (sums[half] << 16) + next * fields(1, 16, 4);
      memcpy(parts->group_starts + first + 4 * half, &starts, sizeof starts);
      next += sums[half] >> 48;
    }
  }
  return next;
}

// Unpacks the distances of each four gaps, finds their starts, and returns their end.
INLINE uint64_t split_fours(block_parts *parts, uint32_t width) {
  const uint8_t *gaps = parts->gaps;
#pragma clang loop unroll(full)
  for (uint32_t part = 0; part < 2 * GROUP_COUNT; part += 2, gaps += width) {
    word_pair words = {load(gaps), load(gaps + width / 2) >> (width & 1) * 4};
    words = distances_of_fours(words, width);
    memcpy(parts->fours + part, &words, sizeof words);
  }
  uint64_t next = 0;
#pragma clang loop unroll(full)
  for (uint32_t part = 0; part < 2 * GROUP_COUNT; part++) {
    parts->four_starts[part] = (uint32_t)next;
    next += (parts->fours[part] >> 48) + 1;
  }
  return next;
}

// Looks up the ordinal at a distance from the block's first possible one. Returns a number with its lowest bit in the
// lane of the ordinal, or 0; sets `start` to the index of the part.
INLINE uint64_t find_in_parts(const block_parts *parts, uint32_t width, uint32_t distance,
                              uint32_t *start) {
  uint32_t part = 0;
  if (width <= NARROW_WIDTH) {
#pragma clang loop unroll(full)
    for (uint32_t half = GROUP_COUNT / 2; half > 0; half /= 2)
      part += parts->group_starts[part + half] <= distance ? half : 0;
    *start = part * GROUP;
    uint64_t distances = distances_of_group(load(parts->gaps + part * width), width);
    return equal_lanes(distances, 8, distance - parts->group_starts[part]);
  }
#pragma clang loop unroll(full)
  for (uint32_t half = GROUP_COUNT; half > 0; half /= 2)
    part += parts->four_starts[part + half] <= distance ? half : 0;
  *start = part * 4;
  return equal_lanes(parts->fours[part], 16, distance - parts->four_starts[part]);
}

// Finds documents up to the last ordinal in a full block of gaps of `width` bits; words are read past the gaps.
// Writes the indices of their postings. Returns the number of documents found; UINT32_MAX if the gaps do not
// lead to the last ordinal.
INLINE uint32_t find_in_gaps(const uint8_t *gaps, uint32_t width, uint32_t base, uint32_t last,
                             const uint32_t *documents, const uint32_t *end,
                             uint32_t *found_ordinals, uint32_t *indices) {
  block_parts parts;
  parts.gaps = gaps;
  bool is_narrow = width <= NARROW_WIDTH;
  uint64_t size = is_narrow ? split_groups(&parts, width) : split_fours(&parts, width);
  if (base + size != (uint64_t)last + 1) return UINT32_MAX;
  uint64_t lanes[OBX_BLOCK_CAPACITY];
  uint32_t found = 0;
  while (documents < end && *documents < base) documents++;
  while (documents < end && found < OBX_BLOCK_CAPACITY) {
    // Damaged IDs can repeat documents; they must not exceed the room.
    size_t room = OBX_BLOCK_CAPACITY - found;
    const uint32_t *stop = (size_t)(end - documents) > room ? documents + room : end;
    // Without branches that depend on the gaps: the processor cannot predict these, and overlaps the
    // independent searches.
    while (documents < stop) {
      uint32_t document = *documents++, start;
      uint64_t equal = find_in_parts(&parts, width, document - base, &start);
      found_ordinals[found] = document;
      indices[found] = start;
      lanes[found] = equal;
      found += equal != 0;
    }
  }
  for (uint32_t index = 0; index < found; index++)
    indices[index] += (uint32_t)__builtin_ctzll(lanes[index]) / (is_narrow ? 8 : 16);
  return found;
}

INLINE uint32_t find_in_full_block(const block_columns *block, uint32_t base, uint32_t last,
                                   const uint32_t *documents, size_t document_count,
                                   uint32_t *found_ordinals, uint32_t *indices) {
  const uint8_t *gaps = block->gaps;
  uint8_t copy[GROUP_COUNT * WIDE_WIDTH + 8];
  size_t size = GROUP_COUNT * block->gap_width;
  if ((size_t)(block->end - gaps) < size + 8) {
    // Words are read past the gaps.
    memcpy(copy, gaps, size);
    memset(copy + size, 0, 8);
    gaps = copy;
  }
#define CASE(width)                                                                          \
  case width:                                                                               \
    return find_in_gaps(gaps, width, base, last, documents, documents + document_count,       \
                        found_ordinals, indices)
  switch (block->gap_width) {
    CASE(1); CASE(2); CASE(3); CASE(4); CASE(5); CASE(6); CASE(7); CASE(8);
    CASE(9); CASE(10); CASE(11); CASE(12); CASE(13); CASE(14);
  }
#undef CASE
  return UINT32_MAX;
}

// Finds documents up to the last ordinal of a block, like obx_block_find.
INLINE uint32_t find_in_block(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                              uint32_t last, const uint32_t *documents, size_t document_count,
                              uint32_t *found_ordinals, uint32_t *found_frequencies) {
  block_columns block;
  if (!read_block(bytes, size, count, &block)) return UINT32_MAX;
  // The indices first; then only their frequencies are unpacked.
  uint32_t found;
  if (count == OBX_BLOCK_CAPACITY && block.gap_width - 1 < WIDE_WIDTH) {
    found = find_in_full_block(&block, base, last, documents, document_count, found_ordinals,
                               found_frequencies);
    if (found == UINT32_MAX) return UINT32_MAX;
  } else {
    uint32_t ordinals[OBX_BLOCK_CAPACITY];
    if (!obx_block_unpack_ordinals(&block, count, base, last, ordinals)) return UINT32_MAX;
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

uint32_t obx_block_find(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                        uint32_t last, const uint32_t *documents, size_t document_count,
                        uint32_t *found_ordinals, uint32_t *found_frequencies) {
  while (document_count > 0 && documents[document_count - 1] > last) document_count--;
  return find_in_block(bytes, size, count, base, last, documents, document_count, found_ordinals,
                       found_frequencies);
}

// MARK: Segments

// An entry of a directory: the last ordinal (4 bytes), the offsets of the block and of its
// positions in the segment (4 bytes each), the bound, the number of postings, and the block's size
// (2 bytes).
INLINE uint32_t last_of_block(const obx_segment *segment, uint32_t block) {
  uint32_t last;
  memcpy(&last, segment->directory + block * OBX_DIRECTORY_ENTRY, sizeof last);
  return last;
}

// Returns the first block, from `block` on, that does not end before a document; the last block does not.
// Usually it is one of the next blocks.
INLINE uint32_t block_of(const obx_segment *segment, uint32_t block, uint32_t document) {
  uint32_t step = 1, high = segment->block_count - 1;
  while (block + step <= high && last_of_block(segment, block + step - 1) < document) {
    block += step;
    step *= 2;
  }
  if (block + step - 1 < high) high = block + step - 1;
  while (block < high) {
    uint32_t middle = (block + high) / 2;
    if (last_of_block(segment, middle) < document)
      block = middle + 1;
    else
      high = middle;
  }
  return block;
}

obx_segment_state obx_segment_find(obx_segment *segment, const uint32_t *documents, size_t count,
                                   size_t *place, uint32_t least_bound, uint32_t *ordinals,
                                   uint32_t *frequencies, uint32_t *found, uint32_t wanted_count) {
  size_t first = *place;
  uint32_t block = segment->block;
  obx_segment_state state = OBX_SEGMENT_ENDED;
  while (first < count && documents[first] <= segment->last) {
    block = block_of(segment, block, documents[first]);
    const uint8_t *entry = segment->directory + block * OBX_DIRECTORY_ENTRY;
    uint32_t last = last_of_block(segment, block);
    if (last < documents[first] || last > segment->last) {
      state = OBX_SEGMENT_DAMAGED;
      break;
    }
    bool is_passed = entry[12] < least_bound;
    if (!is_passed && *found >= wanted_count) {
      state = OBX_SEGMENT_FULL;
      break;
    }
    size_t next = first + 1;
    while (next < count && documents[next] <= last) next++;
    if (!is_passed) {
      uint32_t offset;
      uint16_t size;
      memcpy(&offset, entry + 4, sizeof offset);
      memcpy(&size, entry + 14, sizeof size);
      size_t start = offset - (size_t)segment->bytes_start;
      if (offset < segment->bytes_start || start > segment->bytes_size ||
          size > segment->bytes_size - start) {
        segment->bytes_start = offset;
        segment->wanted_size = size;
        state = OBX_SEGMENT_LACKS_BYTES;
        break;
      }
      uint32_t base = block > 0 ? last_of_block(segment, block - 1) + 1 : segment->first;
      uint32_t more = find_in_block(segment->bytes + start, size, entry[13], base, last,
                                    documents + first, next - first, ordinals + *found,
                                    frequencies + *found);
      if (more == UINT32_MAX) {
        state = OBX_SEGMENT_DAMAGED;
        break;
      }
      *found += more;
      segment->read_blocks++;
    }
    first = next;
  }
  segment->block = block;
  *place = first;
  return state;
}
