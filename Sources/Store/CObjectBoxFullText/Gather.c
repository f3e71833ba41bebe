#include <stdlib.h>

#include "Gather.h"
#include "Terms.h"

#define NONE UINT32_MAX
// Size of the pieces that bytes of terms are allocated in.
#define PIECE_SIZE 65536
// Initial room for terms: enough for some texts.
#define FIRST_TERMS 256

obx_gather *obx_gather_create(const uint8_t *weights, size_t columns, const uint64_t *seeds) {
  obx_gather *gather = calloc(1, sizeof *gather);
  if (!gather) return NULL;
  gather->seeds[0] = seeds[0];
  gather->seeds[1] = seeds[1] | 1;
  gather->columns = columns < 256 ? columns : 256;
  memcpy(gather->weights, weights, gather->columns);
  for (size_t column = 0; column < gather->columns; column++)
    if (weights[column] != 1) gather->is_weighted = true;
  gather->slot_mask = FIRST_TERMS * 2 - 1;
  gather->slots = malloc(FIRST_TERMS * 2 * sizeof *gather->slots);
  if (!gather->slots) {
    free(gather);
    return NULL;
  }
  memset(gather->slots, 0xff, FIRST_TERMS * 2 * sizeof *gather->slots);
  gather->piece_size = 2048;
  return gather;
}

void obx_gather_free(obx_gather *gather) {
  for (uint32_t term = 0; term < gather->term_count; term++)
    if (gather->terms[term].capacity > SMALL_CAPACITY) free(gather->terms[term].bytes);
  for (piece_t *piece = gather->pieces; piece;) {
    piece_t *next = piece->next;
    free(piece);
    piece = next;
  }
  free(gather->terms);
  free(gather->slots);
  free(gather->next_word);
  free(gather->touched);
  free(gather->order);
  free(gather);
}

size_t obx_gather_memory(const obx_gather *gather) { return gather->memory; }

// MARK: Terms

// Multiplies, and folds the product, so that each bit of a factor reaches all bits of the result.
static uint64_t mix(uint64_t first, uint64_t second) {
  unsigned __int128 product = (unsigned __int128)first * second;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint32_t hash_of(const obx_gather *gather, const uint8_t *bytes, size_t size) {
  uint64_t hash = gather->seeds[0] ^ (uint64_t)size << 56;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    hash = mix(hash ^ word, gather->seeds[1]);
  }
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  return (uint32_t)mix(hash ^ word, gather->seeds[1]);
}

static bool grow_slots(obx_gather *gather) {
  uint32_t mask = gather->slot_mask * 2 + 1;
  uint32_t *slots = malloc(((size_t)mask + 1) * sizeof *slots);
  if (!slots) return false;
  memset(slots, 0xff, ((size_t)mask + 1) * sizeof *slots);
  for (uint32_t term = 0; term < gather->term_count; term++) {
    uint32_t slot = gather->terms[term].hash & mask;
    while (slots[slot] != NONE) slot = (slot + 1) & mask;
    slots[slot] = term;
  }
  free(gather->slots);
  gather->slots = slots;
  gather->memory += ((size_t)mask + 1) * sizeof *slots / 2;
  gather->slot_mask = mask;
  return true;
}

static uint8_t *allocate(obx_gather *gather, size_t size) {
  if (!gather->pieces || size > gather->piece_rest) {
    piece_t *piece = malloc(sizeof *piece + gather->piece_size + PIECE_SLACK);
    if (!piece) return NULL;
    piece->next = gather->pieces;
    gather->pieces = piece;
    gather->piece_place = piece->bytes;
    gather->piece_rest = gather->piece_size;
    gather->memory += gather->piece_size;
    if (gather->piece_size < PIECE_SIZE) gather->piece_size *= 2;
  }
  uint8_t *place = gather->piece_place;
  gather->piece_place += size;
  gather->piece_rest -= size;
  return place;
}

// Returns the number of a term; NONE if memory runs out.
static uint32_t find(obx_gather *gather, const uint8_t *bytes, size_t size) {
  uint32_t hash = hash_of(gather, bytes, size);
  uint32_t slot = hash & gather->slot_mask;
  for (uint32_t term; (term = gather->slots[slot]) != NONE; slot = (slot + 1) & gather->slot_mask) {
    const term_t *known = &gather->terms[term];
    if (known->hash == hash && known->name_size == size && memcmp(known->name, bytes, size) == 0)
      return term;
  }
  if (gather->term_count == gather->term_capacity) {
    uint32_t capacity = gather->term_capacity ? gather->term_capacity * 2 : FIRST_TERMS;
    term_t *terms = realloc(gather->terms, capacity * sizeof *terms);
    if (!terms) return NONE;
    gather->memory += (capacity - gather->term_capacity) * sizeof *terms;
    gather->terms = terms;
    gather->term_capacity = capacity;
  }
  uint8_t *name = allocate(gather, size);
  if (!name) return NONE;
  if (size > 0) memcpy(name, bytes, size);
  uint32_t term = gather->term_count++;
  gather->terms[term] = (term_t){.name = name, .name_size = (uint32_t)size, .hash = hash};
  gather->slots[slot] = term;
  if (gather->term_count > gather->slot_mask / 2 && !grow_slots(gather)) return NONE;
  return term;
}

// MARK: Documents

static bool make_room(obx_gather *gather, term_t *term, size_t size) {
  if (term->capacity - term->size >= size) return true;
  size_t capacity = (size_t)term->capacity * 2;
  if (capacity < term->size + size) capacity = term->size + size;
  if (capacity <= SMALL_CAPACITY) {
    // Only for a term without postings.
    term->bytes = allocate(gather, SMALL_CAPACITY);
    if (!term->bytes) return false;
    term->capacity = SMALL_CAPACITY;
    return true;
  }
  if (capacity > UINT32_MAX) return false;
  bool is_own = term->capacity > SMALL_CAPACITY;
  uint8_t *bytes = realloc(is_own ? term->bytes : NULL, capacity);
  if (!bytes) return false;
  if (!is_own && term->size > 0) memcpy(bytes, term->bytes, term->size);
  // A block of the allocator has some 8 bytes more.
  gather->memory += capacity - (is_own ? term->capacity : 0) + (is_own ? 0 : 8);
  term->bytes = bytes;
  term->capacity = (uint32_t)capacity;
  return true;
}

static bool reserve_words(obx_gather *gather, size_t count) {
  if (count <= gather->word_capacity) return true;
  if (count > UINT32_MAX) return false;
  size_t capacity = gather->word_capacity * 2 > count ? gather->word_capacity * 2 : count;
  if (capacity < 64) capacity = 64;
  uint32_t *next = realloc(gather->next_word, capacity * sizeof *next);
  if (!next) return false;
  gather->next_word = next;
  uint32_t *touched = realloc(gather->touched, capacity * sizeof *touched);
  if (!touched) return false;
  gather->touched = touched;
  gather->memory += (capacity - gather->word_capacity) * 8;
  gather->word_capacity = capacity;
  return true;
}

// Chains the words of each term in the order of the document; returns the number of terms, or SIZE_MAX if memory runs
// out.
static size_t chain(obx_gather *gather, const uint8_t *bytes, const uint32_t *ends, size_t count) {
  if (!reserve_words(gather, count) || gather->stamp == UINT32_MAX) return SIZE_MAX;
  uint32_t stamp = ++gather->stamp;
  size_t term_count = 0;
  uint32_t start = 0;
  for (uint32_t word = 0; word < count; start = ends[word++]) {
    uint32_t number = find(gather, bytes + start, ends[word] - start);
    if (number == NONE) return SIZE_MAX;
    term_t *term = &gather->terms[number];
    if (term->document == stamp) {
      gather->next_word[term->last_word] = word;
    } else {
      term->document = stamp;
      term->first_word = word;
      gather->touched[term_count++] = number;
    }
    term->last_word = word;
    gather->next_word[word] = NONE;
  }
  return term_count;
}

bool obx_gather_add(obx_gather *gather, uint32_t ordinal, const uint8_t *bytes,
                    const uint32_t *ends, const uint32_t *positions, size_t count) {
  if (ordinal == UINT32_MAX) return false;
  size_t term_count = chain(gather, bytes, ends, count);
  if (term_count == SIZE_MAX) return false;
  for (size_t index = 0; index < term_count; index++) {
    term_t *term = &gather->terms[gather->touched[index]];
    uint64_t frequency = 0;
    uint32_t occurrences = 0;
    for (uint32_t word = term->first_word; word != NONE; word = gather->next_word[word]) {
      size_t column = positions[word] >> 24;
      frequency += column < gather->columns ? gather->weights[column] : 1;
      occurrences++;
    }
    if (!gather->is_weighted) frequency = occurrences;
    if (frequency > UINT32_MAX) frequency = UINT32_MAX;
    if (!make_room(gather, term, OBX_INLINE_MAXIMUM + 5 + (size_t)occurrences * 5)) return false;
    uint8_t *place = term->bytes + term->size;
    place += obx_inline_pack(place, ordinal, term->base, (uint32_t)frequency);
    if (gather->is_weighted) place += write_number(place, occurrences);
    uint32_t last = 0;
    for (uint32_t word = term->first_word; word != NONE; word = gather->next_word[word]) {
      place += write_number(place, positions[word] - last);
      last = positions[word];
    }
    term->size = (uint32_t)(place - term->bytes);
    term->base = ordinal + 1;
    term->count++;
  }
  return true;
}

bool obx_gather_remove(obx_gather *gather, const uint8_t *bytes, const uint32_t *ends,
                       size_t count) {
  size_t term_count = chain(gather, bytes, ends, count);
  if (term_count == SIZE_MAX) return false;
  for (size_t index = 0; index < term_count; index++)
    gather->terms[gather->touched[index]].dead++;
  return true;
}

// MARK: Entries of a dictionary

// Above this number of occurrences, a term without known positions has no inline postings.
#define UNPLACED_MAXIMUM 4096

// Adds a posting; without positions, zeros take their place.
static bool append(obx_gather *gather, term_t *term, uint32_t ordinal, uint32_t frequency,
                   const uint8_t *positions, size_t size) {
  size_t zeros = positions ? 0 : gather->is_weighted ? 1 : frequency;
  if (!make_room(gather, term, OBX_INLINE_MAXIMUM + size + zeros)) return false;
  uint8_t *place = term->bytes + term->size;
  place += obx_inline_pack(place, ordinal, term->base, frequency);
  if (positions && size > 0) memcpy(place, positions, size);
  memset(place + size, 0, zeros);
  term->size = (uint32_t)(place + size + zeros - term->bytes);
  term->base = ordinal + 1;
  term->count++;
  return true;
}

static obx_gather_status absorb(obx_gather *gather, term_t *term, const obx_entry *entry,
                                const uint32_t *new_ordinals, uint32_t document_count) {
  bool has_positions = !(entry->flags & OBX_ENTRY_WITHOUT_POSITIONS);
  uint32_t ordinals[OBX_BLOCK_CAPACITY], frequencies[OBX_BLOCK_CAPACITY];
  uint32_t starts[OBX_BLOCK_CAPACITY], ends[OBX_BLOCK_CAPACITY];
  // Damaged numbers may be of any size.
  term->dead = (int64_t)((uint64_t)term->dead + (uint64_t)entry->dead);
  if (entry->flags & OBX_ENTRY_EMPTY) return OBX_GATHER_DONE;
  if (!unpack_entry(entry, gather->is_weighted, ordinals, frequencies, starts, ends))
    return OBX_GATHER_DAMAGED;
  for (uint32_t index = 0; index < entry->count; index++) {
    if (ordinals[index] >= document_count || (!has_positions && frequencies[index] > UNPLACED_MAXIMUM))
      return OBX_GATHER_DAMAGED;
    uint32_t ordinal = new_ordinals[ordinals[index]];
    if (ordinal == UINT32_MAX) {
      term->dead--;
    } else if (ordinal < term->base) {
      return OBX_GATHER_DAMAGED;
    } else if (!append(gather, term, ordinal, frequencies[index],
                       has_positions ? entry->bytes + starts[index] : NULL,
                       has_positions ? ends[index] - starts[index] : 0)) {
      return OBX_GATHER_WITHOUT_MEMORY;
    }
  }
  return OBX_GATHER_DONE;
}

obx_gather_status obx_gather_absorb(obx_gather *gather, const uint8_t *bytes, size_t size,
                                    const uint32_t *ordinals, uint32_t count, uint32_t *last) {
  uint8_t name[OBX_TERM_MAXIMUM];
  obx_dictionary_cursor cursor = {.place = bytes, .end = bytes + size, .term = name};
  while (cursor.place < cursor.end) {
    if (!obx_dictionary_next(&cursor)) return OBX_GATHER_DAMAGED;
    if (*last != NONE) {
      const term_t *known = &gather->terms[*last];
      if (compare_terms(known->name, known->name_size, name, cursor.term_size) >= 0)
        return OBX_GATHER_DAMAGED;
    }
    uint32_t term = find(gather, name, cursor.term_size);
    if (term == NONE) return OBX_GATHER_WITHOUT_MEMORY;
    *last = term;
    obx_gather_status status =
        absorb(gather, &gather->terms[term], &cursor.entry, ordinals, count);
    if (status) return status;
  }
  return OBX_GATHER_DONE;
}

// MARK: Order of documents

static int compare_postings(const void *a, const void *b) {
  uint32_t left = ((const posting_t *)a)->ordinal, right = ((const posting_t *)b)->ordinal;
  return (left > right) - (left < right);
}

// Gives the only posting of a term another ordinal, if its number keeps its size.
static bool reorder_single(term_t *term, const uint32_t *ordinals) {
  uint32_t gap;
  const uint8_t *end = term->bytes + term->size;
  const uint8_t *rest = read_number32(term->bytes, end, &gap);
  if (term->count != 1 || !rest) return false;
  // The lowest bit stands for the frequency 1; see `obx_inline_pack`.
  uint8_t number[NUMBER_MAXIMUM];
  uint32_t ordinal = ordinals[gap >> 1];
  size_t size = write_number(number, (uint64_t)ordinal << 1 | (gap & 1));
  if (size != (size_t)(rest - term->bytes)) return false;
  memcpy(term->bytes, number, size);
  term->base = ordinal + 1;
  return true;
}

// Gives the postings of a term other ordinals. `postings` and `room` have room for all of them.
static bool reorder(obx_gather *gather, term_t *term, const uint32_t *ordinals,
                    posting_t *postings, uint8_t *room) {
  const uint8_t *place = term->bytes, *end = place + term->size;
  uint32_t base = 0;
  for (uint32_t index = 0; index < term->count; index++) {
    uint32_t ordinal, frequency, start, stop;
    size_t size = obx_inline_unpack(place, (size_t)(end - place), 1, base, true,
                                    gather->is_weighted, &ordinal, &frequency, &start, &stop);
    if (size == 0) return false;
    postings[index] = (posting_t){ordinals[ordinal], frequency, place + start, stop - start};
    base = ordinal + 1;
    place += size;
  }
  qsort(postings, term->count, sizeof *postings, compare_postings);
  uint8_t *out = room;
  base = 0;
  for (uint32_t index = 0; index < term->count; index++) {
    out += obx_inline_pack(out, postings[index].ordinal, base, postings[index].frequency);
    base = postings[index].ordinal + 1;
    memcpy(out, postings[index].positions, postings[index].size);
    out += postings[index].size;
  }
  size_t size = (size_t)(out - room);
  term->size = 0;
  if (!make_room(gather, term, size)) return false;
  memcpy(term->bytes, room, size);
  term->size = (uint32_t)size;
  term->base = base;
  return true;
}

bool obx_gather_reorder(obx_gather *gather, const uint32_t *ordinals) {
  size_t count = 1, size = 1;
  for (uint32_t number = 0; number < gather->term_count; number++) {
    const term_t *term = &gather->terms[number];
    // Gaps may need more bytes.
    size_t greatest = (size_t)term->size + (size_t)term->count * OBX_INLINE_MAXIMUM;
    if (term->count > count) count = term->count;
    if (greatest > size) size = greatest;
  }
  posting_t *postings = malloc(count * sizeof *postings);
  uint8_t *room = malloc(size);
  bool is_done = postings && room;
  for (uint32_t number = 0; is_done && number < gather->term_count; number++) {
    term_t *term = &gather->terms[number];
    if (term->count > 0 && !reorder_single(term, ordinals))
      is_done = reorder(gather, term, ordinals, postings, room);
  }
  free(postings);
  free(room);
  return is_done;
}
