#include "Lengths.h"
#include "SmallPostings.h"
#include "Terms.h"

INLINE uint64_t load_offset(const uint8_t *offsets, uint32_t index, uint8_t width) {
  uint64_t offset = 0;
  memcpy(&offset, offsets + (size_t)index * width, width);
  return offset;
}

INLINE uint32_t mapped(const obx_map_chunk *chunk, uint32_t index) {
  if (chunk->width == 0) return (uint32_t)(chunk->base + index);
  uint64_t offset, none;
  if (chunk->width == 2) {
    offset = load_offset(chunk->offsets, index, 2);
    none = UINT16_MAX;
  } else if (chunk->width == 4) {
    offset = load_offset(chunk->offsets, index, 4);
    none = UINT32_MAX;
  } else {
    offset = load_offset(chunk->offsets, index, 8);
    none = UINT64_MAX;
  }
  return offset == none ? UINT32_MAX : (uint32_t)(chunk->base + offset);
}

size_t obx_ordinals_map(const obx_ordinal_map *map, const uint32_t *ordinals, size_t count,
                        uint32_t *result) {
  for (size_t index = 0; index < count; index++) {
    if (!map->chunks) {
      result[index] = ordinals[index] + map->base;
      continue;
    }
    if (ordinals[index] >= map->count) return index;
    const obx_map_chunk *chunk = &map->chunks[ordinals[index] / OBX_CHUNK_NUMBERS];
    if (!chunk->is_known) return index;
    result[index] = mapped(chunk, ordinals[index] % OBX_CHUNK_NUMBERS);
  }
  return count;
}

// MARK: Terms

INLINE void note_prefix(obx_merge_input *input) {
  input->prefix = prefix_of(input->cursor->term, input->cursor->term_size);
}

INLINE int compare(const obx_merge_input *left, const obx_merge_input *right) {
  if (left->prefix != right->prefix) return left->prefix < right->prefix ? -1 : 1;
  return compare_terms(left->cursor->term, left->cursor->term_size, right->cursor->term,
                       right->cursor->term_size);
}

// Finds the inputs that are at the least term; returns their number.
static uint32_t find_least(const obx_merge_input *inputs, uint32_t input_count, uint32_t *found) {
  uint32_t count = 0;
  for (uint32_t index = 0; index < input_count; index++) {
    if (!inputs[index].cursor->is_valid) continue;
    int order = count == 0 ? 0 : compare(&inputs[index], &inputs[found[0]]);
    if (order > 0) continue;
    if (order < 0) count = 0;
    found[count++] = index;
  }
  return count;
}

// The term that is being merged.
typedef struct {
  posting_t postings[OBX_BLOCK_CAPACITY];
  uint32_t lengths[OBX_BLOCK_CAPACITY];
  uint32_t count;
  uint64_t dead;
  bool has_positions, is_known, is_ascending;
} merged_t;

// Adds the postings of an input; returns the reason OBX_MERGE_FINISHED when done.
static obx_merge_stop add(merged_t *merged, const obx_merge_input *input, uint32_t number,
                          bool is_weighted) {
  const obx_entry *entry = &input->cursor->entry;
  obx_merge_stop stop = {.reason = OBX_MERGE_FINISHED, .input = number};
  // Damaged numbers may be of any size.
  merged->dead += (uint64_t)entry->dead;
  if (entry->flags & OBX_ENTRY_EMPTY) return stop;
  if (!(entry->flags & (OBX_ENTRY_SINGLE | OBX_ENTRY_INLINE)) ||
      entry->count >= OBX_BLOCK_CAPACITY - merged->count) {
    stop.reason = OBX_MERGE_TERM_IS_LARGE;
    return stop;
  }
  uint32_t ordinals[OBX_BLOCK_CAPACITY], frequencies[OBX_BLOCK_CAPACITY];
  uint32_t starts[OBX_BLOCK_CAPACITY], ends[OBX_BLOCK_CAPACITY], places[OBX_BLOCK_CAPACITY];
  bool has_positions = !(entry->flags & OBX_ENTRY_WITHOUT_POSITIONS);
  if (!unpack_entry(entry, is_weighted, ordinals, frequencies, starts, ends) ||
      ordinals[entry->count - 1] >= input->count ||
      (merged->is_known && merged->has_positions != has_positions)) {
    stop.reason = OBX_MERGE_DAMAGED;
    return stop;
  }
  merged->is_known = true;
  merged->has_positions = has_positions;
  size_t done = obx_ordinals_map(input->map, ordinals, entry->count, places);
  if (done < entry->count) {
    stop.reason = OBX_MERGE_NEEDS_MAP;
    stop.ordinal = ordinals[done];
    return stop;
  }
  for (uint32_t index = 0; index < entry->count; index++) {
    if (places[index] == UINT32_MAX) {
      merged->dead--;
      continue;
    }
    if (merged->count > 0 && places[index] <= merged->postings[merged->count - 1].ordinal)
      merged->is_ascending = false;
    merged->postings[merged->count++] =
        (posting_t){places[index], frequencies[index],
                    entry->bytes ? entry->bytes + starts[index] : NULL, ends[index] - starts[index]};
  }
  return stop;
}

// Writes the term of some inputs; returns the reason OBX_MERGE_FINISHED when done.
static obx_merge_stop write_term(const obx_merge_input *inputs, const uint32_t *found,
                                 uint32_t found_count, const void *const *lengths,
                                 uint32_t document_count, obx_dictionary_writer *writer) {
  merged_t merged;
  merged.count = 0;
  merged.dead = 0;
  merged.has_positions = merged.is_ascending = true;
  merged.is_known = false;
  for (uint32_t index = 0; index < found_count; index++) {
    obx_merge_stop stop = add(&merged, &inputs[found[index]], found[index], writer->is_weighted);
    if (stop.reason != OBX_MERGE_FINISHED) return stop;
  }
  obx_merge_stop stop = {.reason = OBX_MERGE_FINISHED, .input = found[0]};
  if (!merged.is_ascending) sort_postings(merged.postings, merged.count);
  for (uint32_t index = 0; index < merged.count; index++) {
    uint32_t ordinal = merged.postings[index].ordinal;
    // A document belongs to one input.
    if (ordinal >= document_count ||
        (index > 0 && ordinal == merged.postings[index - 1].ordinal)) {
      stop.reason = OBX_MERGE_DAMAGED;
      return stop;
    }
    const uint8_t *place = length_place(lengths, ordinal);
    if (!place) {
      stop.reason = OBX_MERGE_NEEDS_LENGTHS;
      stop.ordinal = ordinal;
      return stop;
    }
    merged.lengths[index] = length_at(place);
  }
  if (merged.count == 0 && merged.dead == 0) return stop;
  uint8_t room[OBX_INLINE_LIMIT];
  obx_entry entry = {.flags = OBX_ENTRY_EMPTY};
  if (merged.count == 0) {
    if (!merged.has_positions) entry.flags |= OBX_ENTRY_WITHOUT_POSITIONS;
  } else if (!make_entry(merged.postings, merged.lengths, merged.count, merged.has_positions,
                         writer, room, &entry)) {
    stop.reason = OBX_MERGE_TERM_IS_LARGE;
    return stop;
  }
  if (merged.dead != 0) entry.flags |= OBX_ENTRY_DEAD;
  entry.dead = (int64_t)merged.dead;
  const obx_dictionary_cursor *cursor = inputs[found[0]].cursor;
  if (!obx_dictionary_append(writer, cursor->term, cursor->term_size, 0, &entry))
    stop.reason = OBX_MERGE_BLOCK_IS_FULL;
  return stop;
}

obx_merge_stop obx_merge_terms(obx_merge_input *inputs, uint32_t input_count,
                               const void *const *lengths, uint32_t document_count,
                               obx_dictionary_writer *writer, uint64_t budget) {
  uint32_t found[OBX_MERGE_INPUTS];
  if (input_count > OBX_MERGE_INPUTS) return (obx_merge_stop){.reason = OBX_MERGE_DAMAGED};
  for (uint32_t index = 0; index < input_count; index++) {
    if (inputs[index].cursor->is_valid) {
      note_prefix(&inputs[index]);
    } else if (!inputs[index].cursor->is_ended) {
      return (obx_merge_stop){.reason = OBX_MERGE_NEEDS_BLOCK, .input = index};
    }
  }
  while (writer->written < budget) {
    uint32_t count = find_least(inputs, input_count, found);
    if (count == 0) return (obx_merge_stop){.reason = OBX_MERGE_FINISHED};
    obx_merge_stop stop = write_term(inputs, found, count, lengths, document_count, writer);
    if (stop.reason != OBX_MERGE_FINISHED) return stop;
    for (uint32_t index = 0; index < count; index++) {
      obx_dictionary_cursor *cursor = inputs[found[index]].cursor;
      if (cursor->place == cursor->end) {
        cursor->is_valid = false;
        stop = (obx_merge_stop){.reason = OBX_MERGE_NEEDS_BLOCK, .input = found[index]};
        continue;
      }
      // A term with all its postings in one entry has no other entry.
      if (!obx_dictionary_next(cursor) || cursor->is_same_term)
        return (obx_merge_stop){.reason = OBX_MERGE_DAMAGED, .input = found[index]};
      note_prefix(&inputs[found[index]]);
    }
    if (stop.reason == OBX_MERGE_NEEDS_BLOCK) return stop;
  }
  return (obx_merge_stop){.reason = OBX_MERGE_BUDGET_IS_SPENT};
}
