#include "Lengths.h"

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

// Returns the first index, from `index` on, of an ordinal not below a document; `count` if there is none.
// `index` is below `count`.
INLINE uint32_t index_of(const uint32_t *ordinals, uint32_t index, uint32_t count,
                         uint32_t document) {
  const uint32_t *place = ordinals + index;
  for (uint32_t rest = count - index; rest > 1;) {
    uint32_t half = rest / 2;
    place += place[half - 1] < document ? half : 0;
    rest -= half;
  }
  return (uint32_t)(place - ordinals) + (*place < document);
}

uint32_t obx_find(const uint32_t *ordinals, const uint32_t *frequencies, uint32_t count,
                  const uint32_t *documents, size_t document_count, uint32_t *found_ordinals,
                  uint32_t *found_frequencies) {
  uint32_t found = 0;
  if (count == 0) return 0;
  // Each search begins at the first posting: the processor overlaps independent searches. Damaged IDs can
  // repeat documents; they must not exceed the room.
  for (; document_count > 0 && *documents <= ordinals[count - 1] && found < count;
       documents++, document_count--) {
    uint32_t index = index_of(ordinals, 0, count, *documents);
    if (ordinals[index] != *documents) continue;
    found_ordinals[found] = *documents;
    found_frequencies[found++] = frequencies ? frequencies[index] : index;
  }
  return found;
}

uint32_t obx_intersect(const uint32_t *first, uint32_t first_count, const uint32_t *second,
                       uint32_t second_count, uint8_t *first_indices, uint8_t *second_indices) {
  uint32_t i = 0, j = 0, found = 0;
  if (first_count < second_count / 8) {
    for (; i < first_count && j < second_count; i++) {
      j = index_of(second, j, second_count, first[i]);
      if (j == second_count || second[j] != first[i]) continue;
      first_indices[found] = (uint8_t)i;
      second_indices[found++] = (uint8_t)j++;
    }
    return found;
  }
  while (i < first_count && j < second_count) {
    uint32_t a = first[i], b = second[j];
    first_indices[found] = (uint8_t)i;
    second_indices[found] = (uint8_t)j;
    found += a == b;
    i += a <= b;
    j += b <= a;
  }
  return found;
}

// Returns the end of `count` numbers, most of one byte; null if the bytes contain fewer.
INLINE const uint8_t *skip_short_numbers(const uint8_t *bytes, const uint8_t *end,
                                         uint64_t count) {
  const uint64_t high = 0x8080808080808080ull;
  while (count >= 32 && end - bytes >= 32) {
    // The compiler makes vectors of this.
    uint8_t ends = 0;
    for (uint32_t index = 0; index < 32; index++) ends += bytes[index] < 128;
    bytes += 32;
    count -= ends;
  }
  while (count >= 8 && end - bytes >= 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    bytes += 8;
    if (word & high)
      count -= ((~word & high) >> 7) * 0x0101010101010101ull >> 56;
    else
      count -= 8;
  }
  for (; count > 0 && bytes < end; bytes++) count -= *bytes < 128;
  return count == 0 ? bytes : NULL;
}

// Reads the next position of a word; returns false for damaged bytes.
INLINE bool next_position(obx_phrase_word *word) {
  uint32_t gap;
  word->place = read_number32(word->place, word->bytes + word->size, &gap);
  if (!word->place || gap > UINT32_MAX - word->position) return false;
  word->position += gap;
  word->rest--;
  return true;
}

// Skips the positions of postings before the current one.
INLINE bool enter_posting(obx_phrase_word *word) {
  if (word->starts) {
    word->place = word->bytes + word->starts[word->index];
  } else {
    // At `place` are `rest` positions of the previous posting, then the positions of posting `split`.
    uint64_t count = word->rest;
    for (uint32_t index = word->split; index < word->index; index++)
      count += word->frequencies[index];
    word->place = skip_short_numbers(word->place, word->bytes + word->size, count);
    if (!word->place) return false;
    word->split = word->index + 1;
  }
  word->rest = word->frequencies[word->index];
  word->position = 0;
  return true;
}

// Returns UINT32_MAX for damaged bytes.
static uint32_t phrase_count(obx_phrase_word *words, uint32_t word_count) {
  uint32_t found = 0;
  for (;;) {
    uint64_t start = words[0].position;
    bool matches = true;
    for (uint32_t index = 1; index < word_count && matches; index++) {
      obx_phrase_word *word = &words[index];
      uint64_t wanted = start + word->offset;
      while (word->position < wanted) {
        if (word->rest == 0) return found;
        if (!next_position(word)) return UINT32_MAX;
      }
      matches = word->position == wanted;
    }
    found += matches;
    if (words[0].rest == 0) return found;
    if (!next_position(&words[0])) return UINT32_MAX;
  }
}

// Adds the next gap of a word to a position; returns false at the end and for damaged bytes, which
// make the position too large.
INLINE bool advance(const uint8_t **place, const uint8_t *end, uint32_t *rest,
                    uint64_t *position) {
  if (*rest == 0) return false;
  uint32_t gap;
  const uint8_t *next = read_number32(*place, end, &gap);
  if (!next) {
    *position = UINT64_MAX;
    return false;
  }
  *place = next;
  *rest -= 1;
  *position += gap;
  return true;
}

// Does the same for two words, with all variables in registers.
static uint32_t pair_count(obx_phrase_word *first, obx_phrase_word *second) {
  const uint8_t *a = first->place, *b = second->place;
  const uint8_t *a_end = first->bytes + first->size, *b_end = second->bytes + second->size;
  uint32_t a_rest = first->rest, b_rest = second->rest, found = 0;
  const uint64_t offset = second->offset;
  uint64_t start = first->position, place = second->position;
  for (;;) {
    if (start + offset > place) {
      if (!advance(&b, b_end, &b_rest, &place)) break;
    } else {
      found += start + offset == place;
      if (!advance(&a, a_end, &a_rest, &start)) break;
    }
  }
  first->place = a;
  first->rest = a_rest;
  second->place = b;
  second->rest = b_rest;
  return start > UINT32_MAX || place > UINT32_MAX ? UINT32_MAX : found;
}

bool obx_phrase_counts(obx_phrase_word *words, uint32_t word_count, const uint32_t *documents,
                       uint32_t count, uint32_t *counts) {
  for (uint32_t index = 0; index < word_count; index++) {
    words[index].place = words[index].bytes;
    words[index].split = 0;
    words[index].rest = 0;
  }
  for (uint32_t document = 0; document < count; document++) {
    for (uint32_t index = 0; index < word_count; index++) {
      obx_phrase_word *word = &words[index];
      const uint32_t *ordinals = word->ordinals;
      uint32_t place = word->index;
      while (ordinals[place] < documents[document]) place++;
      word->index = place;
      if (!enter_posting(word) || !next_position(word)) return false;
    }
    counts[document] =
        word_count == 2 ? pair_count(&words[0], &words[1]) : phrase_count(words, word_count);
    if (counts[document] == UINT32_MAX) return false;
  }
  return true;
}

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
