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

// Makes the entry of postings without a dead count, with at least one posting; its bytes are in
// `room`, which has OBX_INLINE_LIMIT bytes. Returns false if they do not fit there.
INLINE bool make_entry(const posting_t *postings, const uint32_t *lengths, uint32_t count,
                       bool has_positions, const obx_dictionary_writer *writer, uint8_t *room,
                       obx_entry *entry) {
  if (count >= OBX_BLOCK_CAPACITY) return false;
  uint32_t frequencies[OBX_BLOCK_CAPACITY];
  *entry = (obx_entry){.count = count, .bytes = room};
  entry->flags = has_positions ? 0 : OBX_ENTRY_WITHOUT_POSITIONS;
  for (uint32_t index = 0; index < count; index++) frequencies[index] = postings[index].frequency;
  entry->bound = obx_bound(frequencies, lengths, count, writer->flat, writer->slope);
  if (count == 1 && frequencies[0] == 1 && !(writer->is_weighted && has_positions)) {
    entry->flags |= OBX_ENTRY_SINGLE;
    entry->first = postings[0].ordinal;
    entry->bytes = postings[0].positions;
    entry->size = has_positions ? postings[0].size : 0;
    return entry->size <= OBX_INLINE_LIMIT;
  }
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
