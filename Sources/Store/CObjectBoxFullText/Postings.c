#include <math.h>

#include "Bytes.h"
#include "CObjectBoxFullText.h"
#include "SmallPostings.h"

INLINE const uint8_t *read_count(const uint8_t *bytes, const uint8_t *end, uint32_t frequency,
                                 bool is_weighted, uint32_t *count) {
  *count = frequency;
  return is_weighted ? read_number32(bytes, end, count) : bytes;
}

size_t obx_inline_unpack(const uint8_t *bytes, size_t size, uint32_t count, uint32_t base,
                         bool has_positions, bool is_weighted, uint32_t *ordinals,
                         uint32_t *frequencies, uint32_t *starts, uint32_t *ends) {
  if (count == 0 || count > OBX_BLOCK_CAPACITY) return 0;
  const uint8_t *place = bytes, *end = bytes + size;
  uint64_t next = base;
  for (uint32_t index = 0; index < count; index++) {
    uint64_t gap;
    place = read_number(place, end, &gap);
    if (!place) return 0;
    next += gap >> 1;
    if (next > UINT32_MAX) return 0;
    ordinals[index] = (uint32_t)next++;
    frequencies[index] = 1;
    if (!(gap & 1)) {
      place = read_number32(place, end, &frequencies[index]);
      if (!place || frequencies[index] == 0) return 0;
    }
    starts[index] = (uint32_t)(place - bytes);
    if (has_positions) {
      uint32_t positions;
      place = read_count(place, end, frequencies[index], is_weighted, &positions);
      if (place) place = skip_numbers(place, end, positions);
      if (!place) return 0;
    }
    ends[index] = (uint32_t)(place - bytes);
  }
  return (size_t)(place - bytes);
}

bool obx_entry_unpack(const obx_entry *entry, bool is_weighted, uint32_t document_count,
                      uint32_t *ordinals, uint32_t *frequencies, uint32_t *starts, uint32_t *ends) {
  return unpack_entry(entry, is_weighted, ordinals, frequencies, starts, ends) &&
         ordinals[entry->count - 1] < document_count;
}

size_t obx_inline_pack(uint8_t *bytes, uint32_t ordinal, uint32_t base, uint32_t frequency) {
  size_t size = write_number(bytes, (uint64_t)(ordinal - base) << 1 | (frequency == 1));
  return frequency == 1 ? size : size + write_number(bytes + size, frequency);
}

size_t obx_inline_join(uint8_t *bytes, size_t limit, const uint32_t *ordinals,
                       const uint32_t *frequencies, uint32_t count, const uint8_t *positions,
                       size_t size, bool has_positions, bool is_weighted) {
  const uint8_t *place = positions, *end = positions + size;
  size_t used = 0;
  uint32_t base = 0;
  for (uint32_t index = 0; index < count; index++) {
    const uint8_t *start = place;
    if (has_positions) {
      uint32_t occurrences;
      place = read_count(place, end, frequencies[index], is_weighted, &occurrences);
      if (place) place = skip_numbers(place, end, occurrences);
      if (!place) return 0;
    }
    if (used + OBX_INLINE_MAXIMUM + (size_t)(place - start) > limit) return 0;
    used += obx_inline_pack(bytes + used, ordinals[index], base, frequencies[index]);
    memcpy(bytes + used, start, (size_t)(place - start));
    used += (size_t)(place - start);
    base = ordinals[index] + 1;
  }
  return used;
}

bool obx_positions_split(const uint8_t *bytes, size_t size, uint32_t count,
                         const uint32_t *frequencies, bool is_weighted, uint32_t *starts,
                         uint32_t *ends) {
  const uint8_t *place = bytes, *end = bytes + size;
  for (uint32_t index = 0; index < count; index++) {
    starts[index] = (uint32_t)(place - bytes);
    uint32_t positions;
    place = read_count(place, end, frequencies[index], is_weighted, &positions);
    if (place) place = skip_numbers(place, end, positions);
    if (!place) return false;
    ends[index] = (uint32_t)(place - bytes);
  }
  return place == end;
}

uint32_t obx_positions_count(const uint8_t *bytes, size_t size, uint32_t frequency,
                             bool is_weighted, size_t *header) {
  uint32_t count;
  const uint8_t *place = read_count(bytes, bytes + size, frequency, is_weighted, &count);
  *header = place ? (size_t)(place - bytes) : 0;
  return place ? count : 0;
}

bool obx_positions_unpack(const uint8_t *bytes, size_t size, uint32_t count, uint32_t *positions) {
  const uint8_t *end = bytes + size;
  uint64_t position = 0;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t gap;
    bytes = read_number32(bytes, end, &gap);
    if (!bytes) return false;
    position += gap;
    if (position > UINT32_MAX) return false;
    positions[index] = (uint32_t)position;
  }
  return true;
}

uint8_t obx_bound(const uint32_t *frequencies, const uint32_t *lengths, uint32_t count,
                  double flat, double slope) {
  double greatest = 0;
  for (uint32_t index = 0; index < count; index++) {
    double frequency = frequencies[index];
    double part = frequency / (frequency + flat + slope * lengths[index]);
    if (part > greatest) greatest = part;
  }
  // Rounded up a little more than needed: other orders of the operations differ in the last bits.
  double bound = ceil(greatest * 255 + 1e-9);
  return bound < 255 ? (uint8_t)bound : 255;
}
