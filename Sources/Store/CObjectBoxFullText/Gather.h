#ifndef OBX_GATHER_H
#define OBX_GATHER_H

#include "SmallPostings.h"

// Postings of documents that are not in a run yet, by term.

// Room for the postings of most terms, in the pieces.
#define SMALL_CAPACITY 24

// Readable bytes after a piece, so that the beginning of a name is one number.
#define PIECE_SLACK 8

typedef struct {
  const uint8_t *name;
  uint32_t name_size, hash;
  // Allocated by itself if `capacity` is above SMALL_CAPACITY.
  uint8_t *bytes;
  uint32_t size, capacity;
  uint32_t count;
  // The first possible ordinal of the next posting.
  uint32_t base;
  int64_t dead;
  // The words of the current document, if `document` is its stamp.
  uint32_t document, first_word, last_word;
} term_t;

typedef struct piece {
  struct piece *next;
  uint8_t bytes[];
} piece_t;

typedef struct {
  uint64_t prefix;
  const term_t *place;
} order_t;

struct obx_gather {
  // Make it hard to choose words with equal hashes.
  uint64_t seeds[2];
  uint8_t weights[256];
  size_t columns;
  bool is_weighted;
  term_t *terms;
  uint32_t term_count, term_capacity;
  uint32_t *slots, slot_mask;
  piece_t *pieces;
  size_t piece_rest, piece_size;
  uint8_t *piece_place;
  size_t memory;
  // Numbers the documents that were added or removed.
  uint32_t stamp;
  uint32_t *next_word, *touched;
  size_t word_capacity;
  order_t *order;
};

#endif
