#include "CObjectBoxFullText.h"
#include "Terms.h"

size_t obx_term_cut(const uint8_t *term, size_t size) {
  if (size > OBX_TERM_MAXIMUM) size = OBX_TERM_MAXIMUM;
  const uint8_t *end = memchr(term, 0, size);
  return end ? (size_t)(end - term) : size;
}

bool obx_dictionary_next(obx_dictionary_cursor *cursor) {
  cursor->is_valid = false;
  obx_entry *entry = &cursor->entry;
  const uint8_t *next = obx_entry_read(cursor->place, cursor->end, entry);
  if (!next || entry->shared > cursor->term_size ||
      entry->suffix_size > OBX_TERM_MAXIMUM - entry->shared)
    return false;
  uint32_t size = entry->shared + entry->suffix_size;
  uint8_t *rest = cursor->term + entry->shared;
  cursor->is_same_term =
      size == cursor->term_size && memcmp(rest, entry->suffix, entry->suffix_size) == 0;
  memcpy(rest, entry->suffix, entry->suffix_size);
  cursor->term_size = size;
  cursor->place = next;
  cursor->is_valid = true;
  return true;
}

bool obx_dictionary_append(obx_dictionary_writer *writer, const uint8_t *term, uint32_t term_size,
                           uint32_t segment, const obx_entry *entry) {
  uint32_t shared = 0;
  if (writer->size > 0)
    shared = shared_size(writer->last_term, writer->last_size, term, term_size);
  uint32_t suffix_size = term_size - shared;
  uint8_t *place = writer->bytes + writer->size;
  place += write_number(place, shared);
  place += write_number(place, suffix_size);
  memcpy(place, term + shared, suffix_size);
  place += suffix_size;
  size_t body = obx_entry_write(place, entry);
  // Two bytes at most for each number.
  size_t size = 4 + suffix_size + body;
  if (writer->size > 0 && writer->size + size > writer->limit) return false;
  if (writer->size == 0) {
    memcpy(writer->first_term, term, term_size);
    writer->first_size = term_size;
    writer->first_segment = segment;
  }
  memcpy(writer->last_term + shared, term + shared, suffix_size);
  writer->last_size = term_size;
  writer->size = (size_t)(place - writer->bytes) + body;
  writer->written += size;
  return true;
}
