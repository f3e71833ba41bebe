#include <stdlib.h>

#include "Gather.h"
#include "Terms.h"

// MARK: Order

// Returns whether the postings of a term fit in an entry.
INLINE bool is_small(const term_t *term) {
  return term->count < OBX_BLOCK_CAPACITY && term->size + OBX_INLINE_MAXIMUM <= OBX_INLINE_LIMIT;
}

static int compare_orders(const void *a, const void *b) {
  const order_t *left = a, *right = b;
  if (left->prefix != right->prefix) return left->prefix < right->prefix ? -1 : 1;
  return compare_terms(left->place->name, left->place->name_size, right->place->name,
                       right->place->name_size);
}

static order_t order_of(const term_t *term) {
  return (order_t){prefix_of(term->name, term->name_size), term};
}

size_t obx_gather_sort(obx_gather *gather) {
  free(gather->order);
  gather->order = malloc((gather->term_count + 1) * sizeof *gather->order);
  if (!gather->order) return SIZE_MAX;
  for (uint32_t number = 0; number < gather->term_count; number++)
    gather->order[number] = order_of(&gather->terms[number]);
  qsort(gather->order, gather->term_count, sizeof *gather->order, compare_orders);
  return gather->term_count;
}

obx_gathered obx_gather_term(const obx_gather *gather, size_t index) {
  const term_t *term = gather->order[index].place;
  return (obx_gathered){term->name, term->name_size, term->count, term->dead,
                        term->bytes, term->size};
}

// MARK: Entries

// Makes the entry of a term with one posting of frequency 1; returns false for other terms.
INLINE bool make_single_entry(const obx_gather *gather, const term_t *term, bool has_positions,
                              const obx_dictionary_writer *writer, const uint16_t *lengths,
                              obx_entry *entry) {
  if (term->count != 1 || (gather->is_weighted && has_positions)) return false;
  uint32_t gap;
  const uint8_t *end = term->bytes + term->size;
  const uint8_t *positions = read_number32(term->bytes, end, &gap);
  if (!positions || !(gap & 1)) return false;
  uint32_t ordinal = gap >> 1;
  make_single(entry, ordinal, lengths[ordinal], positions, (size_t)(end - positions), has_positions,
              writer);
  return true;
}

obx_write_stop obx_gather_write(const obx_gather *gather, size_t *index,
                                obx_dictionary_writer *writer, uint8_t unplaced,
                                const uint16_t *document_lengths) {
  uint32_t ordinals[OBX_BLOCK_CAPACITY], frequencies[OBX_BLOCK_CAPACITY];
  uint32_t starts[OBX_BLOCK_CAPACITY], ends[OBX_BLOCK_CAPACITY], lengths[OBX_BLOCK_CAPACITY];
  posting_t postings[OBX_BLOCK_CAPACITY];
  uint8_t room[OBX_INLINE_LIMIT];
  for (; *index < gather->term_count; ++*index) {
    const term_t *term = gather->order[*index].place;
    if (term->count == 0 && term->dead == 0) continue;
    obx_entry entry = {.flags = OBX_ENTRY_EMPTY};
    bool has_positions = term->name_size == 0 || term->name[0] != unplaced;
    if (term->count == 0) {
      if (!has_positions) entry.flags |= OBX_ENTRY_WITHOUT_POSITIONS;
    } else if (!make_single_entry(gather, term, has_positions, writer, document_lengths, &entry)) {
      if (!is_small(term) ||
          !obx_inline_unpack(term->bytes, term->size, term->count, 0, true, gather->is_weighted,
                             ordinals, frequencies, starts, ends))
        return OBX_WRITE_TERM_IS_LARGE;
      for (uint32_t place = 0; place < term->count; place++) {
        lengths[place] = document_lengths[ordinals[place]];
        postings[place] = (posting_t){ordinals[place], frequencies[place],
                                      term->bytes + starts[place], ends[place] - starts[place]};
      }
      if (!make_entry(postings, lengths, term->count, has_positions, writer, room, &entry))
        return OBX_WRITE_TERM_IS_LARGE;
    }
    if (term->dead != 0) entry.flags |= OBX_ENTRY_DEAD;
    entry.dead = term->dead;
    if (!obx_dictionary_append(writer, term->name, term->name_size, 0, &entry))
      return OBX_WRITE_BLOCK_IS_FULL;
  }
  return OBX_WRITE_DONE;
}

bool obx_gather_fits(const obx_gather *gather, size_t capacity) {
  size_t size = 0;
  const term_t *last = NULL;
  for (size_t index = 0; index < gather->term_count; index++) {
    const term_t *term = gather->order[index].place;
    if (term->count == 0 && term->dead == 0) continue;
    if (!is_small(term)) return false;
    uint32_t shared =
        last ? shared_size(last->name, last->name_size, term->name, term->name_size) : 0;
    last = term;
    // Two sizes, flags, dead count, bound, count and size of the postings.
    size += term->name_size - shared + (term->dead == 0 ? 7 : 9) + term->size;
    if (size > capacity) return false;
  }
  return true;
}
