#include "Bytes.h"
#include "CObjectBoxFullText.h"

void obx_union_mark(const uint32_t *ordinals, size_t count, uint64_t *bits) {
  for (size_t index = 0; index < count; index++)
    bits[ordinals[index] / 64] |= 1ull << (ordinals[index] & 63);
}

uint32_t obx_union_rank(uint64_t *bits, uint32_t *ranks, const uint64_t *live, size_t word_count) {
  uint32_t count = 0;
  for (size_t word = 0; word < word_count; word++) {
    if (live) bits[word] &= live[word];
    ranks[word] = count;
    if (bits[word]) count += (uint32_t)__builtin_popcountll(bits[word]);
  }
  return count;
}

void obx_union_ordinals(const uint64_t *bits, size_t word_count, uint32_t *ordinals) {
  for (size_t word = 0; word < word_count; word++)
    for (uint64_t rest = bits[word]; rest; rest &= rest - 1)
      *ordinals++ = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(rest));
}

void obx_union_add(const uint32_t *ordinals, const uint32_t *frequencies, size_t count,
                   const uint64_t *bits, const uint32_t *ranks, uint32_t *sums) {
  for (size_t index = 0; index < count; index++) {
    uint32_t word = ordinals[index] / 64;
    uint64_t bit = 1ull << (ordinals[index] & 63);
    if (bits[word] & bit)
      sums[ranks[word] + (uint32_t)__builtin_popcountll(bits[word] & (bit - 1))] +=
          frequencies[index];
  }
}

#define LENGTHS_OF_CHUNK 2040

INLINE const uint8_t *length_place(const void *const *chunks, uint32_t ordinal) {
  uint32_t chunk = ordinal / LENGTHS_OF_CHUNK;
  const uint8_t *lengths = chunks[chunk];
  return lengths ? lengths + 2 * (ordinal - chunk * LENGTHS_OF_CHUNK) : NULL;
}

INLINE uint32_t length_at(const uint8_t *place) { return place[0] | (uint32_t)place[1] << 8; }

uint32_t obx_select(const uint32_t *ordinals, const uint32_t *frequencies, uint32_t *next,
                    uint32_t count, const void *const *chunks, obx_score_parameters parameters,
                    double least, uint8_t *selected) {
  // part >= least without a division, and with room for errors of rounding.
  double limit = least * (1 - 1e-9);
  double slack = parameters.gain - limit;
  double flat = limit * parameters.flat, slope = limit * parameters.slope;
  uint32_t found = 0, index = *next;
  for (; index < count; index++) {
    const uint8_t *place = length_place(chunks, ordinals[index]);
    if (!place) break;
    selected[found] = (uint8_t)index;
    found += frequencies[index] * slack >= flat + slope * length_at(place);
  }
  *next = index;
  return found;
}

void obx_accumulate(const uint32_t *ordinals, const uint32_t *frequencies, uint32_t *next,
                    uint32_t count, const void *const *chunks, obx_score_parameters parameters,
                    uint32_t start, float *sums, uint64_t *bits) {
  float gain = (float)parameters.gain, flat = (float)parameters.flat,
        slope = (float)parameters.slope;
  uint32_t index = *next;
  for (; index < count; index++) {
    const uint8_t *place = length_place(chunks, ordinals[index]);
    if (!place) break;
    float frequency = (float)frequencies[index];
    uint32_t slot = ordinals[index] - start;
    sums[slot] += gain * frequency / (frequency + flat + slope * (float)length_at(place));
    bits[slot / 64] |= 1ull << (slot & 63);
  }
  *next = index;
}
