#include "Bytes.h"
#include "CObjectBoxFullText.h"

// Reads the part of an entry after its term.
INLINE const uint8_t *read_body(const uint8_t *bytes, const uint8_t *end, obx_entry *entry) {
  if (bytes == end) return NULL;
  uint8_t flags = *bytes++;
  entry->flags = flags;
  entry->dead = 0;
  if (flags & OBX_ENTRY_DEAD) {
    uint64_t folded;
    bytes = read_number(bytes, end, &folded);
    if (!bytes || folded >> OBX_COUNT_BITS) return NULL;
    entry->dead = (int64_t)(folded >> 1) ^ -(int64_t)(folded & 1);
  }
  entry->count = entry->last = 0;
  entry->first = 0;
  entry->bound = 0;
  entry->bytes = NULL;
  entry->size = 0;
  entry->postings = entry->positions = entry->positions_size = entry->directory = 0;
  if (flags & OBX_ENTRY_EMPTY) return bytes;
  if (bytes == end) return NULL;
  entry->bound = *bytes++;
  if (flags & OBX_ENTRY_SINGLE) {
    entry->count = 1;
    bytes = read_number32(bytes, end, &entry->first);
    if (!bytes) return NULL;
    entry->bytes = bytes;
    if (!(flags & OBX_ENTRY_WITHOUT_POSITIONS)) {
      uint32_t position;
      bytes = read_number32(bytes, end, &position);
      if (!bytes) return NULL;
      entry->size = (uint32_t)(bytes - entry->bytes);
    }
    return bytes;
  }
  if (!(bytes = read_number32(bytes, end, &entry->count)) || entry->count == 0) return NULL;
  if (flags & OBX_ENTRY_INLINE) {
    bytes = read_number32(bytes, end, &entry->size);
    if (!bytes || entry->size == 0 || entry->size > (size_t)(end - bytes)) return NULL;
    entry->bytes = bytes;
    return bytes + entry->size;
  }
  uint32_t span;
  if (!(bytes = read_number32(bytes, end, &entry->first)) ||
      !(bytes = read_number32(bytes, end, &span)) ||
      !(bytes = read_number(bytes, end, &entry->postings)) ||
      !(bytes = read_number(bytes, end, &entry->positions)) ||
      !(bytes = read_number(bytes, end, &entry->positions_size)) ||
      !(bytes = read_number(bytes, end, &entry->directory)) || span > UINT32_MAX - entry->first)
    return NULL;
  entry->last = entry->first + span;
  return bytes;
}

// Returns the end of one to six numbers; null if the bytes contain fewer.
INLINE const uint8_t *skip_few_numbers(const uint8_t *bytes, const uint8_t *end, uint32_t count) {
  if (end - bytes < 8) return skip_numbers(bytes, end, count);
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  uint64_t last = ~word & 0x8080808080808080ull;
  for (; count > 1 && last; count--) last &= last - 1;
  return last ? bytes + (__builtin_ctzll(last) >> 3) + 1 : skip_numbers(bytes + 8, end, count);
}

// Returns the end of an entry; begins after its term.
INLINE const uint8_t *skip_body(const uint8_t *bytes, const uint8_t *end) {
  if (bytes == end) return NULL;
  uint8_t flags = *bytes++;
  if (flags & OBX_ENTRY_DEAD && !(bytes = skip_numbers(bytes, end, 1))) return NULL;
  if (flags & OBX_ENTRY_EMPTY) return bytes;
  if (bytes++ == end) return NULL;
  if (flags & OBX_ENTRY_SINGLE)
    return skip_few_numbers(bytes, end, flags & OBX_ENTRY_WITHOUT_POSITIONS ? 1 : 2);
  if (!(flags & OBX_ENTRY_INLINE)) {
    bytes = skip_few_numbers(bytes, end, 3);
    return bytes ? skip_numbers(bytes, end, 4) : NULL;
  }
  uint32_t size;
  bytes = skip_few_numbers(bytes, end, 1);
  if (!bytes || !(bytes = read_number32(bytes, end, &size))) return NULL;
  return size <= (size_t)(end - bytes) ? bytes + size : NULL;
}

INLINE const uint8_t *read_entry(const uint8_t *bytes, const uint8_t *end, obx_entry *entry) {
  if (!(bytes = read_number32(bytes, end, &entry->shared)) ||
      !(bytes = read_number32(bytes, end, &entry->suffix_size)) ||
      entry->suffix_size > (size_t)(end - bytes))
    return NULL;
  entry->suffix = bytes;
  return read_body(bytes + entry->suffix_size, end, entry);
}

const uint8_t *obx_entry_read(const uint8_t *bytes, const uint8_t *end, obx_entry *entry) {
  return read_entry(bytes, end, entry);
}

size_t obx_entry_write(uint8_t *bytes, const obx_entry *entry) {
  size_t size = 0;
  bytes[size++] = entry->flags;
  if (entry->flags & OBX_ENTRY_DEAD)
    size += write_number(bytes + size,
                         (uint64_t)entry->dead << 1 ^ (uint64_t)(entry->dead >> 63));
  if (entry->flags & OBX_ENTRY_EMPTY) return size;
  bytes[size++] = entry->bound;
  if (entry->flags & OBX_ENTRY_SINGLE) {
    size += write_number(bytes + size, entry->first);
  } else {
    size += write_number(bytes + size, entry->count);
    if (entry->flags & OBX_ENTRY_INLINE) {
      size += write_number(bytes + size, entry->size);
    } else {
      size += write_number(bytes + size, entry->first);
      size += write_number(bytes + size, entry->last - entry->first);
      size += write_number(bytes + size, entry->postings);
      size += write_number(bytes + size, entry->positions);
      size += write_number(bytes + size, entry->positions_size);
      size += write_number(bytes + size, entry->directory);
      return size;
    }
  }
  if (entry->size > 0) memcpy(bytes + size, entry->bytes, entry->size);
  return size + entry->size;
}

// The greatest size of an entry with sizes of a byte each and postings in the dictionary.
#define SHORT_ENTRY (2 + 127 + 4 + 127)

// Reads the beginning of an entry, and returns the entry's end; null for damaged bytes.
INLINE const uint8_t *pass_entry(const uint8_t *bytes, const uint8_t *end, uint32_t *shared,
                                 uint32_t *suffix_size, const uint8_t **suffix) {
  // Most entries have sizes of a byte, and postings in the dictionary.
  uint32_t first, size;
  if (end - bytes >= SHORT_ENTRY && ((first = bytes[0]) | (size = bytes[1])) < 128) {
    const uint8_t *body = bytes + 2 + size, *next = NULL;
    uint8_t flags = body[0] & ~OBX_ENTRY_WITHOUT_POSITIONS;
    if (flags == OBX_ENTRY_INLINE) {
      if ((body[2] | body[3]) < 128) next = body + 4 + body[3];
    } else if (flags == OBX_ENTRY_SINGLE) {
      uint64_t word;
      memcpy(&word, body + 2, sizeof word);
      uint64_t ends = ~word & 0x8080808080808080ull;
      if (flags == body[0]) ends &= ends - 1;
      if (ends) next = body + 2 + (__builtin_ctzll(ends) >> 3) + 1;
    }
    if (next) {
      *shared = first;
      *suffix_size = size;
      *suffix = bytes + 2;
      return next;
    }
  }
  const uint8_t *place = read_number32(bytes, end, shared);
  if (!place || !(place = read_number32(place, end, suffix_size)) ||
      *suffix_size > (size_t)(end - place))
    return NULL;
  *suffix = place;
  return skip_body(place + *suffix_size, end);
}

size_t obx_dictionary_seek(const uint8_t *bytes, size_t size, const uint8_t *term,
                           size_t term_size, size_t *shared) {
  const uint8_t *place = bytes, *end = bytes + size;
  // The number of bytes that the term shares with the previous entry, which is less than the term.
  size_t matched = 0;
  while (place < end) {
    uint32_t entry_shared, suffix_size;
    const uint8_t *suffix, *next = pass_entry(place, end, &entry_shared, &suffix_size, &suffix);
    if (!next) return SIZE_MAX;
    // An entry that shares more bytes with the previous one is also less than the term; one that shares fewer
    // is greater.
    if (entry_shared < matched) break;
    if (entry_shared == matched) {
      size_t common = 0;
      while (common < suffix_size && matched + common < term_size &&
             suffix[common] == term[matched + common])
        common++;
      bool is_less = matched + common < term_size &&
                     (common == suffix_size || suffix[common] < term[matched + common]);
      if (!is_less) break;
      matched += common;
    }
    place = next;
  }
  *shared = matched;
  return (size_t)(place - bytes);
}

obx_term_place obx_dictionary_find(const uint8_t *bytes, size_t size, const uint8_t *term,
                                   size_t term_size, obx_entry *entry) {
  size_t matched;
  size_t place = obx_dictionary_seek(bytes, size, term, term_size, &matched);
  if (place == SIZE_MAX) return OBX_TERM_DAMAGED;
  if (place == size) return OBX_TERM_UNCLEAR;
  const uint8_t *end = bytes + size, *next = read_entry(bytes + place, end, entry);
  if (!next || entry->shared > matched) return OBX_TERM_DAMAGED;
  if (entry->shared != matched || entry->suffix_size != term_size - matched ||
      memcmp(entry->suffix, term + matched, entry->suffix_size) != 0)
    return OBX_TERM_ABSENT;
  uint32_t shared, suffix_size;
  if (next == end) return OBX_TERM_UNCLEAR;
  if (!(next = read_number32(next, end, &shared)) || !read_number32(next, end, &suffix_size))
    return OBX_TERM_DAMAGED;
  return shared == term_size && suffix_size == 0 ? OBX_TERM_UNCLEAR : OBX_TERM_FOUND;
}
