#ifndef C_OBJECTBOX_SALVAGE_H
#define C_OBJECTBOX_SALVAGE_H

#include "CObjectBoxPages.h"

// Reads everything readable of an LMDB file (data version 1) that may be damaged in any way,
// without LMDB.
//
// Nothing outside of the file's bytes is read, every walk ends, and walks over trees read no page
// twice. Only unreadable parts are left out, and they are reported: the other entries of a page and
// the other subtrees of a branch are read. The greatest depth of trees limits the recursion.

// A salvage in progress: a file, the pages of trees, and the pages of the free list.
typedef struct obx_salvage obx_salvage;

enum {
  // The key is not in the order or range that the pages above require.
  OBX_SALVAGE_MISPLACED = 1,
  // The page is free, or below a free page.
  OBX_SALVAGE_FREE = 2,
  // The page is in no readable tree.
  OBX_SALVAGE_ORPHAN = 4,
};

// An entry of a table; each duplicate of a key is one entry. The bytes lie in the file.
typedef struct {
  const uint8_t *_Nonnull key;
  const uint8_t *_Nonnull value;
  uint32_t key_size;
  uint32_t value_size;
  uint64_t page;
  // Reasons to doubt that the entry belongs to the version: a combination of OBX_SALVAGE_MISPLACED
  // and others; 0 for none.
  uint32_t reasons;
  // Whether the value is the record of a table; only in the main table.
  uint32_t is_table;
} obx_salvage_entry;

// A part of a table that cannot be read.
typedef struct {
  // The unreadable page, or the page of the unreadable entry.
  uint64_t page;
  // Bounds of the part's keys: at least `low` and below `high`; NULL without a bound. For lost
  // duplicates, `low` is their key.
  const uint8_t *_Nullable low;
  const uint8_t *_Nullable high;
  uint32_t low_size;
  uint32_t high_size;
  // Whether the page and everything below it is lost; else single entries are.
  uint32_t is_subtree;
  // Whether duplicates of one key are lost.
  uint32_t is_duplicates;
} obx_salvage_gap;

typedef struct {
  void *_Nullable context;
  // Gets each entry; true ends the walk.
  int (*_Nonnull entry)(void *_Nullable context, const obx_salvage_entry *_Nonnull entry);
  // Gets each unreadable part; true ends the walk.
  int (*_Nonnull gap)(void *_Nullable context, const obx_salvage_gap *_Nonnull gap);
  // Gets the number of pages read so far, every few thousand; true ends the walk.
  int (*_Nonnull progress)(void *_Nullable context, uint64_t pages);
} obx_salvage_observer;

// Returns the page size that most pages of a file indicate; 0 for none.
uint32_t obx_salvage_page_size(const obx_image *_Nonnull image);

// Begins a salvage; end it with `obx_salvage_end`. Takes two bits of memory per page of the file.
//
// - page_size: a power of two from 256 to 32768.
//
// Returns NULL when memory is short.
obx_salvage *_Nullable obx_salvage_begin(const obx_image *_Nonnull image, uint32_t page_size);
void obx_salvage_end(obx_salvage *_Nullable salvage);

// Notes the free pages of a version; call it before walking trees. Returns whether the whole list
// is readable.
int obx_salvage_free_list(obx_salvage *_Nonnull salvage, const obx_head *_Nonnull head);

// Walks the tree of a table.
//
// - record: LMDB's record of the table, 48 bytes; its flags are ignored.
// - flags: the required flags of the table; OBX_SALVAGE_MAIN_TABLE for the table of all named
//   tables.
//
// Returns true when the observer ended the walk.
#define OBX_SALVAGE_MAIN_TABLE 0x8000
int obx_salvage_tree(
  obx_salvage *_Nonnull salvage, const uint8_t *_Nonnull record, uint16_t flags,
  const obx_salvage_observer *_Nonnull observer);

enum {
  // Includes pages of the free list.
  OBX_SALVAGE_FREE_PAGES = 1,
  // Includes pages of trees.
  OBX_SALVAGE_TREE_PAGES = 2,
};

// Passes on the entries of pages that look like leaves of a table without duplicates and belong to
// no tree, in page order; call it after walking all trees.
//
// - has_integer_keys: whether the keys are object IDs, as in tables of records.
// - scope: OBX_SALVAGE_FREE_PAGES and OBX_SALVAGE_TREE_PAGES, or 0.
//
// Returns true when the observer ended the walk.
int obx_salvage_leaves(
  obx_salvage *_Nonnull salvage, int has_integer_keys, uint32_t scope,
  const obx_salvage_observer *_Nonnull observer);

#endif
