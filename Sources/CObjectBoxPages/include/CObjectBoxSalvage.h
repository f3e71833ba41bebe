#ifndef C_OBJECTBOX_SALVAGE_H
#define C_OBJECTBOX_SALVAGE_H

// Included at the end of CObjectBoxPages.h, as the one header of the module.
#include "CObjectBoxVerify.h"

// Reads all that can be read of an LMDB file (data version 1) that may be damaged in any way, without LMDB.
//
// Nothing outside of the file's bytes is read, every walk ends, and no page is read twice by the walks over trees.
// A part that cannot be read is told, and left out alone: the other entries of a page and the other subtrees of a branch
// are read. Recursion is bounded by the greatest depth of trees.

// A salvage in progress: a file, the pages that trees have, and those that the free list has.
typedef struct obx_salvage obx_salvage;

enum {
  // The key is not in the order or the range that the pages above say.
  OBX_SALVAGE_MISPLACED = 1,
  // The page is free, or below one that is.
  OBX_SALVAGE_FREE = 2,
  // The page is in no tree that can be read.
  OBX_SALVAGE_ORPHAN = 4,
};

// An entry of a table; each duplicate of a key is one. The bytes lie in the file.
typedef struct {
  const uint8_t *_Nonnull key;
  const uint8_t *_Nonnull value;
  uint32_t key_size;
  uint32_t value_size;
  uint64_t page;
  // Why the entry may be no part of the version: OBX_SALVAGE_MISPLACED and others; 0 for no reason.
  uint32_t reasons;
  // Whether the value is the record of a table; in the main table only.
  uint32_t is_table;
} obx_salvage_entry;

// A part of a table that cannot be read.
typedef struct {
  // The page that cannot be read, or whose entry cannot be.
  uint64_t page;
  // Keys of the part: at least `low` and below `high`; NULL without a bound. Of duplicates, `low` is their key.
  const uint8_t *_Nullable low;
  const uint8_t *_Nullable high;
  uint32_t low_size;
  uint32_t high_size;
  // Whether the page with all below it is lost, not single entries of it.
  uint32_t is_subtree;
  // Whether duplicates of one key are lost.
  uint32_t is_duplicates;
} obx_salvage_gap;

typedef struct {
  void *_Nullable context;
  // Is passed each entry; true ends the walk.
  int (*_Nonnull entry)(void *_Nullable context, const obx_salvage_entry *_Nonnull entry);
  // Is passed each part that cannot be read; true ends the walk.
  int (*_Nonnull gap)(void *_Nullable context, const obx_salvage_gap *_Nonnull gap);
  // Is told the number of pages that were read so far, every few thousand; true ends the walk.
  int (*_Nonnull progress)(void *_Nullable context, uint64_t pages);
} obx_salvage_observer;

// Returns the page size that most pages of a file speak for; 0 for none.
uint32_t obx_salvage_page_size(const obx_image *_Nonnull image);

// Begins a salvage; end it with `obx_salvage_end`. Takes two bits for each page of the file in memory.
//
// - page_size: a power of two from 256 to 32768.
//
// Returns NULL when there is no memory, or on a machine whose files have another layout.
obx_salvage *_Nullable obx_salvage_begin(const obx_image *_Nonnull image, uint32_t page_size);
void obx_salvage_end(obx_salvage *_Nullable salvage);

// Notes the free pages of a version; call it before trees are walked. Returns whether the whole list can be read.
int obx_salvage_free_list(obx_salvage *_Nonnull salvage, const obx_head *_Nonnull head);

// Walks the tree of a table.
//
// - record: LMDB's record of the table, 48 bytes; its flags are not looked at.
// - flags: the flags that the table must have; OBX_SALVAGE_MAIN_TABLE for the table of all named tables.
//
// Returns true when the observer ended the walk.
#define OBX_SALVAGE_MAIN_TABLE 0x8000
int obx_salvage_tree(
  obx_salvage *_Nonnull salvage, const uint8_t *_Nonnull record, uint16_t flags,
  const obx_salvage_observer *_Nonnull observer);

enum {
  // Also pages that the free list has.
  OBX_SALVAGE_FREE_PAGES = 1,
  // Also pages that trees have.
  OBX_SALVAGE_TREE_PAGES = 2,
};

// Passes on the entries of pages that look like leaves of a table without duplicates and that no tree has, in the
// order of the pages; call it when all trees are walked.
//
// - has_integer_keys: whether the keys are object IDs, as in the tables of records.
// - scope: OBX_SALVAGE_FREE_PAGES and OBX_SALVAGE_TREE_PAGES, or 0.
//
// Returns true when the observer ended the walk.
int obx_salvage_leaves(
  obx_salvage *_Nonnull salvage, int has_integer_keys, uint32_t scope,
  const obx_salvage_observer *_Nonnull observer);

#endif
