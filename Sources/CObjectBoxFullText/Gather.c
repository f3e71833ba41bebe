#include <stdlib.h>

#include "SmallPostings.h"

#define NONE UINT32_MAX
// Size of the pieces that bytes of terms are allocated in.
#define PIECE_SIZE 65536

typedef struct {
  const uint8_t *name;
  uint32_t name_size, hash;
  uint8_t *bytes;
  uint32_t size, capacity;
  uint32_t count;
  // The first ordinal that the next posting may have.
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
  uint32_t term;
  const term_t *place;
} order_t;

struct obx_gather {
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

obx_gather *obx_gather_create(const uint8_t *weights, size_t columns) {
  obx_gather *gather = calloc(1, sizeof *gather);
  if (!gather) return NULL;
  gather->columns = columns < 256 ? columns : 256;
  memcpy(gather->weights, weights, gather->columns);
  for (size_t column = 0; column < gather->columns; column++)
    if (weights[column] != 1) gather->is_weighted = true;
  gather->slot_mask = 255;
  gather->slots = malloc(256 * sizeof *gather->slots);
  if (!gather->slots) {
    free(gather);
    return NULL;
  }
  memset(gather->slots, 0xff, 256 * sizeof *gather->slots);
  gather->piece_size = 2048;
  return gather;
}

void obx_gather_free(obx_gather *gather) {
  for (uint32_t term = 0; term < gather->term_count; term++) free(gather->terms[term].bytes);
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

static uint32_t hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = size * 0x9E3779B97F4A7C15ull;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    hash = (hash ^ word) * 0x9FB21C651E98DF25ull;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  hash = (hash ^ word) * 0x9FB21C651E98DF25ull;
  return (uint32_t)(hash ^ hash >> 32);
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

static uint8_t *keep(obx_gather *gather, const uint8_t *bytes, size_t size) {
  if (size > gather->piece_rest) {
    piece_t *piece = malloc(sizeof *piece + gather->piece_size);
    if (!piece) return NULL;
    piece->next = gather->pieces;
    gather->pieces = piece;
    gather->piece_place = piece->bytes;
    gather->piece_rest = gather->piece_size;
    gather->memory += gather->piece_size;
    if (gather->piece_size < PIECE_SIZE) gather->piece_size *= 2;
  }
  uint8_t *place = gather->piece_place;
  if (size > 0) memcpy(place, bytes, size);
  gather->piece_place += size;
  gather->piece_rest -= size;
  return place;
}

// Returns the number of a term; NONE without memory.
static uint32_t find(obx_gather *gather, const uint8_t *bytes, size_t size) {
  uint32_t hash = hash_of(bytes, size);
  uint32_t slot = hash & gather->slot_mask;
  for (uint32_t term; (term = gather->slots[slot]) != NONE; slot = (slot + 1) & gather->slot_mask) {
    const term_t *known = &gather->terms[term];
    if (known->hash == hash && known->name_size == size && memcmp(known->name, bytes, size) == 0)
      return term;
  }
  if (gather->term_count == gather->term_capacity) {
    uint32_t capacity = gather->term_capacity ? gather->term_capacity * 2 : 64;
    term_t *terms = realloc(gather->terms, capacity * sizeof *terms);
    if (!terms) return NONE;
    gather->memory += (capacity - gather->term_capacity) * sizeof *terms;
    gather->terms = terms;
    gather->term_capacity = capacity;
  }
  uint8_t *name = keep(gather, bytes, size);
  if (!name) return NONE;
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
  if (capacity < 16) capacity = 16;
  if (capacity > UINT32_MAX) return false;
  uint8_t *bytes = realloc(term->bytes, capacity);
  if (!bytes) return false;
  // A block of the allocator has some 8 bytes more.
  gather->memory += capacity - term->capacity + (term->capacity ? 0 : 8);
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

// Chains the words of each term in the order of the document; returns the number of terms, or
// SIZE_MAX without memory.
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

// More occurrences of a term whose positions are unknown would not be in place.
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
  uint32_t ordinals[OBX_BLOCK_CAPACITY], frequencies[OBX_BLOCK_CAPACITY];
  uint32_t starts[OBX_BLOCK_CAPACITY], ends[OBX_BLOCK_CAPACITY];
  bool has_positions = !(entry->flags & OBX_ENTRY_WITHOUT_POSITIONS);
  // Damaged numbers may be of any size.
  term->dead = (int64_t)((uint64_t)term->dead + (uint64_t)entry->dead);
  if (entry->flags & OBX_ENTRY_SINGLE) {
    ordinals[0] = entry->first;
    frequencies[0] = 1;
    starts[0] = 0;
    ends[0] = entry->size;
    if (has_positions && gather->is_weighted) return OBX_GATHER_DAMAGED;
  } else if (entry->flags & OBX_ENTRY_INLINE) {
    if (!obx_inline_unpack(entry->bytes, entry->size, entry->count, 0, has_positions,
                           gather->is_weighted, ordinals, frequencies, starts, ends))
      return OBX_GATHER_DAMAGED;
  } else {
    return entry->flags & OBX_ENTRY_EMPTY ? OBX_GATHER_DONE : OBX_GATHER_DAMAGED;
  }
  for (uint32_t index = 0; index < entry->count; index++) {
    if (ordinals[index] >= document_count || (!has_positions && frequencies[index] > UNPLACED_MAXIMUM))
      return OBX_GATHER_DAMAGED;
    uint32_t ordinal = new_ordinals[ordinals[index]];
    if (ordinal == UINT32_MAX) {
      term->dead--;
    } else if (!append(gather, term, ordinal, frequencies[index],
                       has_positions ? entry->bytes + starts[index] : NULL,
                       has_positions ? ends[index] - starts[index] : 0)) {
      return OBX_GATHER_WITHOUT_MEMORY;
    }
  }
  return OBX_GATHER_DONE;
}

obx_gather_status obx_gather_absorb(obx_gather *gather, const uint8_t *bytes, size_t size,
                                    const uint32_t *ordinals, uint32_t count) {
  const uint8_t *place = bytes, *end = bytes + size;
  uint8_t name[256];
  size_t name_size = 0;
  while (place < end) {
    obx_entry entry;
    place = obx_entry_read(place, end, &entry);
    if (!place || entry.shared > name_size || entry.suffix_size > sizeof name - entry.shared)
      return OBX_GATHER_DAMAGED;
    memcpy(name + entry.shared, entry.suffix, entry.suffix_size);
    name_size = entry.shared + entry.suffix_size;
    uint32_t term = find(gather, name, name_size);
    if (term == NONE) return OBX_GATHER_WITHOUT_MEMORY;
    // A second entry would have postings of earlier ordinals.
    if (gather->terms[term].count > 0) return OBX_GATHER_DAMAGED;
    obx_gather_status status = absorb(gather, &gather->terms[term], &entry, ordinals, count);
    if (status) return status;
  }
  return OBX_GATHER_DONE;
}

// MARK: Order

static int compare_postings(const void *a, const void *b) {
  uint32_t left = ((const posting_t *)a)->ordinal, right = ((const posting_t *)b)->ordinal;
  return (left > right) - (left < right);
}

static bool reorder(term_t *term, bool is_weighted, const uint32_t *ordinals,
                    posting_t *postings) {
  const uint8_t *place = term->bytes, *end = place + term->size;
  uint32_t base = 0;
  for (uint32_t index = 0; index < term->count; index++) {
    uint32_t ordinal, frequency, start, stop;
    size_t size = obx_inline_unpack(place, (size_t)(end - place), 1, base, true, is_weighted,
                                    &ordinal, &frequency, &start, &stop);
    if (size == 0) return false;
    postings[index] = (posting_t){ordinals[ordinal], frequency, place + start, stop - start};
    base = ordinal + 1;
    place += size;
  }
  qsort(postings, term->count, sizeof *postings, compare_postings);
  // Gaps may need up to 4 bytes more.
  uint8_t *bytes = malloc((size_t)term->size + (size_t)term->count * OBX_INLINE_MAXIMUM);
  if (!bytes) return false;
  uint8_t *out = bytes;
  base = 0;
  for (uint32_t index = 0; index < term->count; index++) {
    out += obx_inline_pack(out, postings[index].ordinal, base, postings[index].frequency);
    base = postings[index].ordinal + 1;
    memcpy(out, postings[index].positions, postings[index].size);
    out += postings[index].size;
  }
  free(term->bytes);
  term->bytes = bytes;
  term->size = (uint32_t)(out - bytes);
  term->base = base;
  return true;
}

bool obx_gather_reorder(obx_gather *gather, const uint32_t *ordinals) {
  uint32_t greatest = 1;
  for (uint32_t term = 0; term < gather->term_count; term++)
    if (gather->terms[term].count > greatest) greatest = gather->terms[term].count;
  posting_t *postings = malloc(greatest * sizeof *postings);
  bool is_done = postings != NULL;
  for (uint32_t term = 0; is_done && term < gather->term_count; term++)
    if (gather->terms[term].count > 0)
      is_done = reorder(&gather->terms[term], gather->is_weighted, ordinals, postings);
  free(postings);
  return is_done;
}

static int compare_terms(const void *a, const void *b) {
  const order_t *left = a, *right = b;
  if (left->prefix != right->prefix) return left->prefix < right->prefix ? -1 : 1;
  const term_t *first = left->place, *second = right->place;
  uint32_t size = first->name_size < second->name_size ? first->name_size : second->name_size;
  int order = memcmp(first->name, second->name, size);
  if (order != 0) return order;
  return (first->name_size > second->name_size) - (first->name_size < second->name_size);
}

size_t obx_gather_sort(obx_gather *gather) {
  free(gather->order);
  gather->order = malloc((gather->term_count + 1) * sizeof *gather->order);
  if (!gather->order) return SIZE_MAX;
  for (uint32_t number = 0; number < gather->term_count; number++) {
    const term_t *term = &gather->terms[number];
    uint64_t prefix = 0;
    for (uint32_t index = 0; index < 8; index++)
      prefix = prefix << 8 | (index < term->name_size ? term->name[index] : 0);
    gather->order[number] = (order_t){prefix, number, term};
  }
  qsort(gather->order, gather->term_count, sizeof *gather->order, compare_terms);
  return gather->term_count;
}

obx_gathered obx_gather_term(const obx_gather *gather, size_t index) {
  const term_t *term = gather->order[index].place;
  return (obx_gathered){term->name, term->name_size, term->count, term->dead,
                        term->bytes, term->size};
}

// MARK: Entries

// Returns whether the postings of a term may fit in an entry.
INLINE bool is_small(const term_t *term) {
  return term->count < OBX_BLOCK_CAPACITY && term->size + OBX_INLINE_MAXIMUM <= OBX_INLINE_LIMIT;
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
    } else {
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
    uint32_t shared = 0;
    uint32_t limit = !last ? 0 : last->name_size < term->name_size ? last->name_size : term->name_size;
    while (shared < limit && last->name[shared] == term->name[shared]) shared++;
    last = term;
    // Two sizes, flags, dead count, bound, count and size of the postings.
    size += term->name_size - shared + (term->dead == 0 ? 7 : 9) + term->size;
    if (size > capacity) return false;
  }
  return true;
}
