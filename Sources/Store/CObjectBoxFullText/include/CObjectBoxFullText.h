#ifndef C_OBJECTBOX_FULL_TEXT_H
#define C_OBJECTBOX_FULL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxDictionary.h"
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
// Ordinals ascend and are at least `base`; frequencies are at least 1. Writes up to 8 zero bytes after the
// block.
size_t obx_block_pack(uint8_t *_Nonnull bytes, const uint32_t *_Nonnull ordinals,
                      const uint32_t *_Nonnull frequencies, uint32_t count, uint32_t base);

// Unpacks a block of `count` postings that ends with the ordinal `last`; returns false for damaged
// bytes.
//
// Reads only the `size` bytes. The arrays have room for OBX_BLOCK_CAPACITY numbers.
bool obx_block_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                      uint32_t last, uint32_t *_Nonnull ordinals, uint32_t *_Nonnull frequencies);

// Finds the postings of ascending documents in a packed block, and returns their number; UINT32_MAX for damaged
// bytes. The arrays have room for `count` numbers.
//
// Costs less than unpacking the block and searching in it.
uint32_t obx_block_find(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                        uint32_t last, const uint32_t *_Nonnull documents, size_t document_count,
                        uint32_t *_Nonnull found_ordinals, uint32_t *_Nonnull found_frequencies);

// The size of a block's entry in the directory of its segment.
#define OBX_DIRECTORY_ENTRY 16

// A segment of postings in blocks, to look up documents.
typedef struct {
  const uint8_t *_Nonnull directory;
  // At least 1.
  uint32_t block_count;
  // The least possible ordinal of the segment, and the last one.
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
  // The wanted number of postings is reached.
  OBX_SEGMENT_FULL,
  // The bytes must have the block at the offset `bytes_start`.
  OBX_SEGMENT_LACKS_BYTES,
  OBX_SEGMENT_DAMAGED,
} obx_segment_state;

// Finds the postings of ascending documents in the blocks of a segment, from the current block on.
//
// Begins at the document `*place`, which is not before the current block, and sets `*place` to the first document that
// is left. Skips blocks with bounds below `least_bound`. Adds postings to the arrays, which have `*found` of them,
// until there are `wanted_count` or more: the arrays need room for OBX_BLOCK_CAPACITY - 1 more.
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

// Packs postings with contiguous positions; returns their size, or 0 if they would take more than `limit` bytes.
size_t obx_inline_join(uint8_t *_Nonnull bytes, size_t limit, const uint32_t *_Nonnull ordinals,
                       const uint32_t *_Nonnull frequencies, uint32_t count,
                       const uint8_t *_Nonnull positions, size_t size, bool has_positions,
                       bool is_weighted);

// MARK: Positions

// Finds the bounds of each posting's positions; returns false unless the last ones end with the bytes.
bool obx_positions_split(const uint8_t *_Nonnull bytes, size_t size, uint32_t count,
                         const uint32_t *_Nonnull frequencies, bool is_weighted,
                         uint32_t *_Nonnull starts, uint32_t *_Nonnull ends);

// Returns the number of positions of a posting, and the size of that number.
uint32_t obx_positions_count(const uint8_t *_Nonnull bytes, size_t size, uint32_t frequency,
                             bool is_weighted, size_t *_Nonnull header);

// Unpacks `count` positions; returns false for damaged bytes.
bool obx_positions_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count,
                          uint32_t *_Nonnull positions);

// MARK: Gathering

// Postings of documents that are not in a run yet.
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

// Returns an object that `obx_gather_free` frees; null if memory runs out.
//
// `weights` has a number for each column; its frequencies are multiplied by that. `seeds` are two random numbers, which
// decide where words are kept in memory.
obx_gather *_Nullable obx_gather_create(
    const uint8_t *_Nonnull weights, size_t columns, const uint64_t *_Nonnull seeds);
void obx_gather_free(obx_gather *_Nonnull gather);

// Adds the words of a document; its number is above all earlier ones.
//
// Word `i` has the bytes from `ends[i - 1]` to `ends[i]`, at most 256, and a position; positions ascend. Returns false
// if memory runs out, or if `ordinal` is not below 2^32 - 1.
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

// Adds the entries of a block of a run's dictionary; all entries have inline postings.
//
// `ordinals` has the new ordinal of each of the run's `count` documents; they ascend, and are above the ordinals of
// earlier documents. UINT32_MAX stands for a document to leave out; this takes 1 from the dead count of each of its
// terms. `last` has the number of the last term; the terms of the block must be above it. It is UINT32_MAX before the
// first block of a run.
obx_gather_status obx_gather_absorb(obx_gather *_Nonnull gather, const uint8_t *_Nonnull bytes,
                                    size_t size, const uint32_t *_Nonnull ordinals,
                                    uint32_t count, uint32_t *_Nonnull last);

// Approximate number of bytes in memory.
size_t obx_gather_memory(const obx_gather *_Nonnull gather);

// Gives the documents other ordinals; returns false if memory runs out.
bool obx_gather_reorder(obx_gather *_Nonnull gather, const uint32_t *_Nonnull ordinals);

// Sorts the terms by their bytes, for `obx_gather_term`; returns their number, or SIZE_MAX if memory runs out.
//
// Valid until something is added.
size_t obx_gather_sort(obx_gather *_Nonnull gather);
obx_gathered obx_gather_term(const obx_gather *_Nonnull gather, size_t index);

typedef enum {
  OBX_WRITE_DONE,
  // The block is full, and must be written out first.
  OBX_WRITE_BLOCK_IS_FULL,
  // The postings of the term do not fit in an entry.
  OBX_WRITE_TERM_IS_LARGE,
} obx_write_stop;

// Appends the terms from number `index` on, after `obx_gather_sort`; sets `index` to the number of the term at
// which it stops.
//
// Terms that begin with the byte `unplaced` get no positions. `lengths` has the length of each
// document.
obx_write_stop obx_gather_write(const obx_gather *_Nonnull gather, size_t *_Nonnull index,
                                obx_dictionary_writer *_Nonnull writer, uint8_t unplaced,
                                const uint16_t *_Nonnull lengths);

// Returns whether the entries of all terms take at most `capacity` bytes, after `obx_gather_sort`: false if a
// term's postings do not fit in an entry.
bool obx_gather_fits(const obx_gather *_Nonnull gather, size_t capacity);

#endif
