#ifndef OBX_LENGTHS_H
#define OBX_LENGTHS_H

#include "Bytes.h"
#include "CObjectBoxFullText.h"

// Lengths of documents, two bytes each, in chunks of OBX_CHUNK_NUMBERS; an unknown chunk is null.

INLINE const uint8_t *length_place(const void *const *chunks, uint32_t ordinal) {
  uint32_t chunk = ordinal / OBX_CHUNK_NUMBERS;
  const uint8_t *lengths = chunks[chunk];
  return lengths ? lengths + 2 * (ordinal - chunk * OBX_CHUNK_NUMBERS) : NULL;
}

INLINE uint32_t length_at(const uint8_t *place) { return place[0] | (uint32_t)place[1] << 8; }

#endif
