#ifndef C_OBJECTBOX_DICTIONARY_H
#define C_OBJECTBOX_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Dictionaries of runs: their entries, cursors on them, and how they are written and merged.

// MARK: Dictionaries

enum {
  // The postings are in the entry.
  OBX_ENTRY_INLINE = 1,
  // The entry has a dead count.
  OBX_ENTRY_DEAD = 2,
  // The postings have no positions.
  OBX_ENTRY_WITHOUT_POSITIONS = 4,
  // One posting with the frequency 1, and at most one position.
  OBX_ENTRY_SINGLE = 8,
  // No posting, only a dead count.
  OBX_ENTRY_EMPTY = 16,
};

// The greatest number of bits of a stored dead count, and of a number of objects or words. Greater numbers are
// damaged, so that no sum of valid ones overflows.
#define OBX_COUNT_BITS 48

// An entry of a dictionary: a segment of a term's postings.
typedef struct {
  // The beginning that the term shares with the term of the previous entry.
  uint32_t shared;
  uint32_t suffix_size;
  const uint8_t *_Nullable suffix;
  uint8_t flags;
  // Upper bound of the postings' parts of a score.
  uint8_t bound;
  // Number of postings.
  uint32_t count;
  // Postings that no longer count, in this and in other runs.
  int64_t dead;
  // Zero in entries with several inline postings.
  uint32_t first;
  // Zero in entries with inline postings.
  uint32_t last;
  uint64_t postings;
  uint64_t positions;
  uint64_t positions_size;
  uint64_t directory;
  const uint8_t *_Nullable bytes;
  uint32_t size;
} obx_entry;

// Reads the entry at `bytes`; returns its end, or null for damaged bytes.
const uint8_t *_Nullable obx_entry_read(const uint8_t *_Nonnull bytes, const uint8_t *_Nonnull end,
                                        obx_entry *_Nonnull entry);

// Unpacks the inline postings of an entry into arrays with room for `entry->count` numbers, at most OBX_BLOCK_CAPACITY.
// `starts` and `ends` get the offsets of each posting's positions. Returns false for damaged bytes, and for ordinals
// that are not below `document_count`.
bool obx_entry_unpack(const obx_entry *_Nonnull entry, bool is_weighted, uint32_t document_count,
                      uint32_t *_Nonnull ordinals, uint32_t *_Nonnull frequencies,
                      uint32_t *_Nonnull starts, uint32_t *_Nonnull ends);

// Appends the body of an entry (all but the term) to `bytes`, which has room for
// OBX_ENTRY_MAXIMUM and the inline bytes; returns its size.
#define OBX_ENTRY_MAXIMUM 96
size_t obx_entry_write(uint8_t *_Nonnull bytes, const obx_entry *_Nonnull entry);

// Finds the first entry of a block that is not less than a term.
//
// Returns the entry's offset; the block's size if all entries are less; SIZE_MAX for damaged bytes.
// `shared` gets the number of bytes that the term shares with the previous entry.
size_t obx_dictionary_seek(const uint8_t *_Nonnull bytes, size_t size,
                           const uint8_t *_Nonnull term, size_t term_size,
                           size_t *_Nonnull shared);

typedef enum {
  // The block has the only entry of the term.
  OBX_TERM_FOUND,
  // The run lacks the term.
  OBX_TERM_ABSENT,
  // The term has several entries, or the next block may have some.
  OBX_TERM_UNCLEAR,
  OBX_TERM_DAMAGED,
} obx_term_place;

// Finds the entry of a term in the block that contains the first entry not less than the term, or ends before that
// entry.
obx_term_place obx_dictionary_find(const uint8_t *_Nonnull bytes, size_t size,
                                   const uint8_t *_Nonnull term, size_t term_size,
                                   obx_entry *_Nonnull entry);

// The greatest size of a term.
#define OBX_TERM_MAXIMUM 256

// Returns the number of bytes of a term that an index holds: up to OBX_TERM_MAXIMUM, and up to a
// zero byte.
size_t obx_term_cut(const uint8_t *_Nonnull term, size_t size);

// A cursor on the entries of a block.
typedef struct {
  // The bytes after the current entry.
  const uint8_t *_Nullable place;
  const uint8_t *_Nullable end;
  // The current entry, if `is_valid`.
  obx_entry entry;
  // The term of the last entry; has room for OBX_TERM_MAXIMUM bytes.
  uint8_t *_Nonnull term;
  uint32_t term_size;
  bool is_valid;
  // Whether the last entry has the term of the previous one.
  bool is_same_term;
  // Whether there is no other block; kept by the owner.
  bool is_ended;
} obx_dictionary_cursor;

// Goes to the next entry of the block, which must exist; returns false for damaged bytes.
bool obx_dictionary_next(obx_dictionary_cursor *_Nonnull cursor);

// MARK: Bounds

// Returns the greatest part that postings can have in a score, in 255ths of its limit, rounded up.
//
// `flat` is k1 · (1 − b), and `slope` is k1 · b / mean length.
uint8_t obx_bound(const uint32_t *_Nonnull frequencies, const uint32_t *_Nonnull lengths,
                  uint32_t count, double flat, double slope);

// MARK: Writing

// Lists of postings of at most this size are in the dictionary.
#define OBX_INLINE_LIMIT 400

// Room for bytes of a block beyond its limit.
#define OBX_DICTIONARY_ROOM 1024

// A block of a dictionary that is being written.
typedef struct {
  // Has room for `limit` + OBX_DICTIONARY_ROOM bytes.
  uint8_t *_Nonnull bytes;
  size_t size;
  // The greatest size of a block, at least OBX_DICTIONARY_ROOM.
  size_t limit;
  // The term and the segment of the first entry of the block.
  uint8_t *_Nonnull first_term;
  uint32_t first_size;
  uint32_t first_segment;
  // The term of the last entry.
  uint8_t *_Nonnull last_term;
  uint32_t last_size;
  // Bytes of all entries, including earlier blocks.
  uint64_t written;
  // For bounds; see `obx_bound`.
  double flat;
  double slope;
  bool is_weighted;
} obx_dictionary_writer;

// Appends an entry with at most OBX_INLINE_LIMIT bytes of inline postings; returns false if the block is full. A block
// without entries is never full.
bool obx_dictionary_append(obx_dictionary_writer *_Nonnull writer, const uint8_t *_Nonnull term,
                           uint32_t term_size, uint32_t segment, const obx_entry *_Nonnull entry);

// MARK: Merging

// Numbers of a chunk of a table.
#define OBX_CHUNK_NUMBERS 2040

// A chunk of a table from ordinals of an input of a merge to ordinals of its output.
typedef struct {
  uint64_t base;
  // Null if numbers follow the base without gaps.
  const uint8_t *_Nullable offsets;
  // Size of an offset: 0, 2, 4 or 8.
  uint8_t width;
  bool is_known;
} obx_map_chunk;

// A map from ordinals of an input of a merge to ordinals of its output.
typedef struct {
  // Added to ordinals, if there are no chunks.
  uint32_t base;
  // Number of ordinals in the chunks.
  uint32_t count;
  obx_map_chunk *_Nullable chunks;
} obx_ordinal_map;

// Maps ordinals; UINT32_MAX stands for a document that is missing in the output.
//
// Returns the number of mapped ordinals: less than `count` if the next one is in an unknown chunk, or is not in
// the map.
size_t obx_ordinals_map(const obx_ordinal_map *_Nonnull map, const uint32_t *_Nonnull ordinals,
                        size_t count, uint32_t *_Nonnull result);

typedef struct {
  obx_dictionary_cursor *_Nonnull cursor;
  const obx_ordinal_map *_Nonnull map;
  // Number of documents.
  uint32_t count;
  // The first bytes of the cursor's term; for the function.
  uint64_t prefix;
} obx_merge_input;

// The greatest number of inputs of a merge.
#define OBX_MERGE_INPUTS 255

typedef enum {
  // No input has another entry.
  OBX_MERGE_FINISHED,
  OBX_MERGE_BUDGET_IS_SPENT,
  // The postings of the next term are not all in the dictionaries, or would not be.
  OBX_MERGE_TERM_IS_LARGE,
  // The block of the output is full, and must be written out first.
  OBX_MERGE_BLOCK_IS_FULL,
  // Cursor `input` is at the end of its block.
  OBX_MERGE_NEEDS_BLOCK,
  // The chunk of `ordinal` in the map of `input` is not known.
  OBX_MERGE_NEEDS_MAP,
  // The chunk of `ordinal` in the lengths is not known.
  OBX_MERGE_NEEDS_LENGTHS,
  // The entry of `input` is damaged.
  OBX_MERGE_DAMAGED,
} obx_merge_reason;

typedef struct {
  obx_merge_reason reason;
  uint32_t input;
  uint32_t ordinal;
} obx_merge_stop;

// Merges entries of dictionaries until something else must be done; continues when called again.
//
// Writes the terms with postings that are in the dictionaries and fit in the output's dictionary. `lengths` has the
// lengths of the output's `document_count` documents, OBX_CHUNK_NUMBERS in each chunk, of two bytes; an unknown chunk
// is null. Stops after a term when `writer` has written `budget` bytes.
obx_merge_stop obx_merge_terms(obx_merge_input *_Nonnull inputs, uint32_t input_count,
                               const void *_Nullable const *_Nonnull lengths,
                               uint32_t document_count, obx_dictionary_writer *_Nonnull writer,
                               uint64_t budget);

#endif
