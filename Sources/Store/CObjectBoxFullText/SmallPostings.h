#ifndef OBX_SMALL_POSTINGS_H
#define OBX_SMALL_POSTINGS_H

#include "Bytes.h"
#include "CObjectBoxFullText.h"

// Postings of a term that are in an entry of a dictionary, or may become one.

typedef struct {
  uint32_t ordinal, frequency;
  const uint8_t *positions;
  uint32_t size;
} posting_t;

// Unpacks the inline postings of an entry; returns false for damaged bytes, and for an entry without inline postings.
INLINE bool unpack_entry(const obx_entry *entry, bool is_weighted, uint32_t *ordinals,
                             uint32_t *frequencies, uint32_t *starts, uint32_t *ends) {
  bool has_positions = !(entry->flags & OBX_ENTRY_WITHOUT_POSITIONS);
  if (entry->flags & OBX_ENTRY_SINGLE) {
    ordinals[0] = entry->first;
    frequencies[0] = 1;
    starts[0] = 0;
    ends[0] = entry->size;
    return !(has_positions && is_weighted);
  }
  if (!(entry->flags & OBX_ENTRY_INLINE)) return false;
  return obx_inline_unpack(entry->bytes, entry->size, entry->count, 0, has_positions, is_weighted,
                           ordinals, frequencies, starts, ends) == entry->size;
}

// Sorts postings by their ordinals; few are out of order.
INLINE void sort_postings(posting_t *postings, uint32_t count) {
  for (uint32_t index = 1; index < count; index++) {
    posting_t posting = postings[index];
    uint32_t place = index;
    for (; place > 0 && postings[place - 1].ordinal > posting.ordinal; place--)
      postings[place] = postings[place - 1];
    postings[place] = posting;
  }
}

// Makes the entry of one posting of frequency 1 that has at most one position.
INLINE void make_single(obx_entry *entry, uint32_t ordinal, uint32_t length,
                        const uint8_t *positions, size_t size, bool has_positions,
                        const obx_dictionary_writer *writer) {
  uint32_t frequency = 1;
  *entry = (obx_entry){.count = 1, .first = ordinal, .bytes = positions};
  entry->flags = OBX_ENTRY_SINGLE | (has_positions ? 0 : OBX_ENTRY_WITHOUT_POSITIONS);
  entry->bound = obx_bound(&frequency, &length, 1, writer->flat, writer->slope);
  entry->size = has_positions ? (uint32_t)size : 0;
}

// Makes the entry of postings without a dead count, with at least one posting; its bytes are in
// `room`, which has OBX_INLINE_LIMIT bytes. Returns false if they do not fit there.
INLINE bool make_entry(const posting_t *postings, const uint32_t *lengths, uint32_t count,
                       bool has_positions, const obx_dictionary_writer *writer, uint8_t *room,
                       obx_entry *entry) {
  if (count >= OBX_BLOCK_CAPACITY) return false;
  if (count == 1 && postings[0].frequency == 1 && !(writer->is_weighted && has_positions)) {
    make_single(entry, postings[0].ordinal, lengths[0], postings[0].positions, postings[0].size,
                has_positions, writer);
    return entry->size <= OBX_INLINE_LIMIT;
  }
  uint32_t frequencies[OBX_BLOCK_CAPACITY];
  *entry = (obx_entry){.count = count, .bytes = room};
  entry->flags = has_positions ? 0 : OBX_ENTRY_WITHOUT_POSITIONS;
  for (uint32_t index = 0; index < count; index++) frequencies[index] = postings[index].frequency;
  entry->bound = obx_bound(frequencies, lengths, count, writer->flat, writer->slope);
  entry->flags |= OBX_ENTRY_INLINE;
  size_t used = 0;
  uint32_t base = 0;
  for (uint32_t index = 0; index < count; index++) {
    size_t size = has_positions ? postings[index].size : 0;
    if (used + OBX_INLINE_MAXIMUM + size > OBX_INLINE_LIMIT) return false;
    used += obx_inline_pack(room + used, postings[index].ordinal, base, frequencies[index]);
    if (size > 0) memcpy(room + used, postings[index].positions, size);
    used += size;
    base = postings[index].ordinal + 1;
  }
  entry->size = (uint32_t)used;
  return true;
}

#endif
