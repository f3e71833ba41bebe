#ifndef C_OBJECTBOX_FULL_TEXT_H
#define C_OBJECTBOX_FULL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxRanking.h"
#include "CObjectBoxWords.h"

// The hottest loops of full text indexes. Documentation/Design/FullText.md describes the bytes.
//
// All functions that read bytes of an index check their bounds.

// MARK: Blocks

// The greatest number of postings of a block.
#define OBX_BLOCK_CAPACITY 128

// The greatest size of a packed block in bytes.
#define OBX_BLOCK_MAXIMUM 1026

// Packs a block; returns its size in bytes.
//
// Ordinals ascend and are at least `base`; frequencies are at least 1. Writes up to 8 zero bytes
// behind the block.
size_t obx_block_pack(uint8_t *_Nonnull bytes, const uint32_t *_Nonnull ordinals,
                      const uint32_t *_Nonnull frequencies, uint32_t count, uint32_t base);

// Unpacks a block of `count` postings that ends with the ordinal `last`; returns false for damaged
// bytes.
//
// Reads only the `size` bytes. The arrays have room for OBX_BLOCK_CAPACITY numbers.
bool obx_block_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                      uint32_t last, uint32_t *_Nonnull ordinals, uint32_t *_Nonnull frequencies);

// Finds the postings of ascending documents in a packed block, and returns how many there are;
// UINT32_MAX for damaged bytes. The arrays have room for `count` numbers.
//
// Costs less than unpacking the block and searching in it.
uint32_t obx_block_find(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                        uint32_t last, const uint32_t *_Nonnull documents, size_t document_count,
                        uint32_t *_Nonnull found_ordinals, uint32_t *_Nonnull found_frequencies);

// The size of a block's entry in the directory of its segment.
#define OBX_DIRECTORY_ENTRY 16

// A segment of postings in blocks, in which documents are looked for.
typedef struct {
  const uint8_t *_Nonnull directory;
  // At least 1.
  uint32_t block_count;
  // The least ordinal that the segment may have, and the last one.
  uint32_t first, last;
  // The current block.
  uint32_t block;
  // Some bytes of the segment's blocks, and their offset; may be none.
  const uint8_t *_Nullable bytes;
  size_t bytes_size;
  uint32_t bytes_start;
  // The size of the block that is at the offset `bytes_start`, if the function needs its bytes.
  uint32_t wanted_size;
  // Number of blocks that were searched.
  uint32_t read_blocks;
} obx_segment;

typedef enum {
  // The segment has none of the documents that are left.
  OBX_SEGMENT_ENDED,
  // There are as many postings as wanted.
  OBX_SEGMENT_FULL,
  // The bytes must have the block at the offset `bytes_start`.
  OBX_SEGMENT_LACKS_BYTES,
  OBX_SEGMENT_DAMAGED,
} obx_segment_state;

// Finds the postings of ascending documents in the blocks of a segment, from the current block on.
//
// Begins at the document `*place`, which is not before the current block, and sets `*place` to the
// first document that is left. Passes over blocks with bounds below `least_bound`. Adds postings to
// the arrays, which have `*found` of them, until there are `wanted_count` or more: the arrays need
// room for OBX_BLOCK_CAPACITY - 1 more.
obx_segment_state obx_segment_find(obx_segment *_Nonnull segment,
                                   const uint32_t *_Nonnull documents, size_t count,
                                   size_t *_Nonnull place, uint32_t least_bound,
                                   uint32_t *_Nonnull ordinals, uint32_t *_Nonnull frequencies,
                                   uint32_t *_Nonnull found, uint32_t wanted_count);

// MARK: Postings in a dictionary

// Unpacks up to OBX_BLOCK_CAPACITY postings; returns their size, or 0 for damaged bytes.
//
// Ordinals are at least `base`. `starts` and `ends` get the offsets of each posting's positions.
size_t obx_inline_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                         bool has_positions, bool is_weighted, uint32_t *_Nonnull ordinals,
                         uint32_t *_Nonnull frequencies, uint32_t *_Nonnull starts,
                         uint32_t *_Nonnull ends);

// The greatest size of a packed posting without its positions.
#define OBX_INLINE_MAXIMUM 10

// Packs a posting without its positions; returns its size.
size_t obx_inline_pack(uint8_t *_Nonnull bytes, uint32_t ordinal, uint32_t base,
                       uint32_t frequency);

// Packs postings, whose positions follow one another; returns their size, or 0 if they would take
// more than `limit` bytes.
size_t obx_inline_join(uint8_t *_Nonnull bytes, size_t limit, const uint32_t *_Nonnull ordinals,
                       const uint32_t *_Nonnull frequencies, uint32_t count,
                       const uint8_t *_Nonnull positions, size_t size, bool has_positions,
                       bool is_weighted);

// MARK: Positions

// Finds where the positions of each posting begin and end; returns false unless the last ones end
// with the bytes.
bool obx_positions_split(const uint8_t *_Nonnull bytes, size_t size, uint32_t count,
                         const uint32_t *_Nonnull frequencies, bool is_weighted,
                         uint32_t *_Nonnull starts, uint32_t *_Nonnull ends);

// Returns the number of positions of a posting, and the size of that number.
uint32_t obx_positions_count(const uint8_t *_Nonnull bytes, size_t size, uint32_t frequency,
                             bool is_weighted, size_t *_Nonnull header);

// Unpacks `count` positions; returns false for damaged bytes.
bool obx_positions_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count,
                          uint32_t *_Nonnull positions);

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

// Appends the body of an entry (all but the term) to `bytes`, which has room for
// OBX_ENTRY_MAXIMUM and the inline bytes; returns its size.
#define OBX_ENTRY_MAXIMUM 96
size_t obx_entry_write(uint8_t *_Nonnull bytes, const obx_entry *_Nonnull entry);

// Finds the first entry of a block that is not less than a term.
//
// Returns the entry's offset; the block's size if all entries are less; SIZE_MAX for damaged bytes.
// `shared` gets the number of bytes that the term shares with the entry before.
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

// Finds the entry of a term in the block that has the first entry not less than the term, or ends
// before it.
obx_term_place obx_dictionary_find(const uint8_t *_Nonnull bytes, size_t size,
                                   const uint8_t *_Nonnull term, size_t term_size,
                                   obx_entry *_Nonnull entry);

// MARK: Gathering

// Postings of documents that are in no run yet.
typedef struct obx_gather obx_gather;

// A term with its postings, in the form of inline postings.
typedef struct {
  const uint8_t *_Nonnull term;
  uint32_t term_size;
  uint32_t count;
  int64_t dead;
  const uint8_t *_Nullable bytes;
  size_t size;
} obx_gathered;

// Returns an object that `obx_gather_free` frees; null without memory.
//
// `weights` has a number for each column; its frequencies are multiplied by that.
obx_gather *_Nullable obx_gather_create(const uint8_t *_Nonnull weights, size_t columns);
void obx_gather_free(obx_gather *_Nonnull gather);

// Adds the words of a document, whose number is above those of the documents before.
//
// Word `i` has the bytes from `ends[i - 1]` to `ends[i]`, at most 256, and a position; positions
// ascend. Returns false without memory, or if `ordinal` is not below 2^32 - 1.
bool obx_gather_add(obx_gather *_Nonnull gather, uint32_t ordinal, const uint8_t *_Nonnull bytes,
                    const uint32_t *_Nonnull ends, const uint32_t *_Nonnull positions,
                    size_t count);

// Adds 1 to the dead counts of the terms of a document.
bool obx_gather_remove(obx_gather *_Nonnull gather, const uint8_t *_Nonnull bytes,
                       const uint32_t *_Nonnull ends, size_t count);

typedef enum {
  OBX_GATHER_DONE,
  OBX_GATHER_DAMAGED,
  OBX_GATHER_WITHOUT_MEMORY,
} obx_gather_status;

// Adds the entries of a block of a run's dictionary, which all have their postings in place. Only
// blocks before it may have been added.
//
// `ordinals` has the new ordinal of each of the run's `count` documents; they ascend. UINT32_MAX
// stands for a document whose postings are left out, which takes 1 from the dead count of each of
// its terms.
obx_gather_status obx_gather_absorb(obx_gather *_Nonnull gather, const uint8_t *_Nonnull bytes,
                                    size_t size, const uint32_t *_Nonnull ordinals,
                                    uint32_t count);

// Number of bytes in memory, about.
size_t obx_gather_memory(const obx_gather *_Nonnull gather);

// Gives the documents other ordinals; returns false without memory.
bool obx_gather_reorder(obx_gather *_Nonnull gather, const uint32_t *_Nonnull ordinals);

// Sorts the terms by their bytes, for `obx_gather_term`; returns their number.
//
// Nothing may be added afterwards.
size_t obx_gather_sort(obx_gather *_Nonnull gather);
obx_gathered obx_gather_term(const obx_gather *_Nonnull gather, size_t index);

// MARK: Bounds

// Returns the greatest part that postings can have in a score, in 255ths of its limit, rounded up.
//
// `flat` is k1 · (1 − b), and `slope` is k1 · b / mean length.
uint8_t obx_bound(const uint32_t *_Nonnull frequencies, const uint32_t *_Nonnull lengths,
                  uint32_t count, double flat, double slope);

#endif
