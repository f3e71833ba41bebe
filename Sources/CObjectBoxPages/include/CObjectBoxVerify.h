#ifndef C_OBJECTBOX_VERIFY_H
#define C_OBJECTBOX_VERIFY_H

// Included at the end of CObjectBoxPages.h, as the one header of the module.
#include "CObjectBoxPages.h"

// Checks the structure of an LMDB file (data version 1) from its bytes alone, without LMDB.
//
// Any bytes may be passed: nothing outside of them is read, and every walk ends. The structure of trees, node by
// node, the free list and the counts are checked, not the meaning of keys and values.

// The bytes of a file, in memory that stays readable. Of a file in use the pages of the version that is checked
// must not change: a read transaction pins it.
typedef struct {
  const uint8_t *_Nullable base;
  uint64_t size;
} obx_image;

// MARK: Heads

typedef enum {
  OBX_HEAD_OK = 0,
  // The file ends before.
  OBX_HEAD_MISSING = 1,
  // No head page: all bytes are zero.
  OBX_HEAD_EMPTY = 2,
  // Other bytes than those of a head page.
  OBX_HEAD_FOREIGN = 3,
  // A head page of another data version than 1.
  OBX_HEAD_OTHER_VERSION = 4,
  // A head page with values that none has.
  OBX_HEAD_DAMAGED = 5,
} obx_head_status;

// A head page (LMDB: meta page): a version and the roots of its two own tables. A value, copied from the file.
typedef struct {
  uint64_t number;
  uint64_t transaction;
  uint64_t last_page;
  uint64_t map_size;
  uint32_t page_size;
  uint8_t free_table[48];
  uint8_t main_table[48];
} obx_head;

// Reads a head page, 0 or 1.
//
// - page_size: that of the other head page, which this one must have; 0 for any. Where the first head page is
//   damaged, the second is looked for at each size.
obx_head_status obx_head_read(
  const obx_image *_Nonnull image, uint64_t number, uint32_t page_size, obx_head *_Nonnull head);

// Opens the version of a head page. Pages that the file lacks are not part of it.
obx_pages_status obx_head_open(
  const obx_image *_Nonnull image, const obx_head *_Nonnull head, obx_pages *_Nonnull pages);

// Opens the table of all named tables.
obx_pages_status obx_head_main_table(
  const obx_pages *_Nonnull pages, const obx_head *_Nonnull head, obx_pages_table *_Nonnull table);

// MARK: Walking

typedef enum {
  // A page number that the version does not have; `found` is the number.
  OBX_FINDING_PAGE_OUTSIDE,
  // The file ends before the page.
  OBX_FINDING_PAGE_MISSING,
  // The page is part of two trees, or of one and the free list.
  OBX_FINDING_PAGE_USED_TWICE,
  // The page says that it is another one, `found`.
  OBX_FINDING_PAGE_NUMBER,
  // The page has the flags `found` instead of `expected`.
  OBX_FINDING_PAGE_KIND,
  // Offsets in the page's header lie outside of it.
  OBX_FINDING_PAGE_HEADER,
  // The page has `found` entries, fewer than a page of its kind has.
  OBX_FINDING_PAGE_EMPTY,
  // The node `found` lies outside of its page, overlaps another one, or has a form that none has.
  OBX_FINDING_NODE,
  // The nodes of the page take `found` bytes instead of `expected`.
  OBX_FINDING_PAGE_ROOM,
  // The key `found` of the page is not above the one before it.
  OBX_FINDING_KEY_ORDER,
  // The key `found` of the page lies outside of the range that the branches above say.
  OBX_FINDING_KEY_RANGE,
  // The overflow pages from this one on are `found`, too few for `expected` bytes, or none at all.
  OBX_FINDING_OVERFLOW,
  // The set of IDs of the key `found` has a form that none has.
  OBX_FINDING_DUPLICATES,
  // The record of a table in the main table or in a head page says impossible things.
  OBX_FINDING_TABLE_RECORD,
  // The table has `found` branch pages, leaf pages, overflow pages or entries, and its record says `expected`.
  OBX_FINDING_BRANCH_COUNT,
  OBX_FINDING_LEAF_COUNT,
  OBX_FINDING_OVERFLOW_COUNT,
  OBX_FINDING_ENTRY_COUNT,
  // The list of pages that were freed by the version `found` is malformed.
  OBX_FINDING_FREE_LIST,
  // The newest list of freed pages is of the version `found`; the head page's is `expected`.
  OBX_FINDING_FREE_VERSION,
  // `found` pages are in no tree and not free.
  OBX_FINDING_LOST_PAGES,
} obx_finding_kind;

typedef struct {
  obx_finding_kind kind;
  uint64_t page;
  uint64_t found;
  uint64_t expected;
  // The name of the table, valid during the call; NULL for the main table, the free list and the file.
  const uint8_t *_Nullable table;
  uint32_t table_size;
} obx_finding;

typedef struct {
  uint64_t branch_pages, leaf_pages, overflow_pages, free_pages;
  // Free pages behind the end of the file.
  uint64_t free_pages_missing;
  uint64_t tables;
} obx_verify_counts;

typedef enum {
  // The main table, the whole free list, and the root page of each table.
  OBX_VERIFY_QUICK,
  // All pages.
  OBX_VERIFY_ALL,
} obx_verify_scope;

typedef struct {
  void *_Nullable context;
  // Is told each finding; true ends the check.
  int (*_Nonnull report)(void *_Nullable context, const obx_finding *_Nonnull finding);
  // Is told the number of pages that were read, every few thousand; true ends the check. May be NULL.
  int (*_Nullable progress)(void *_Nullable context, uint64_t pages);
} obx_verify_observer;

// Checks the version of a head page.
//
// Takes a bit for each page of the file in memory. Reads about 1 GB a second.
//
// Returns 0, or -1 when there is no memory.
int obx_verify(
  const obx_image *_Nonnull image, const obx_head *_Nonnull head, obx_verify_scope scope,
  const obx_verify_observer *_Nonnull observer, obx_verify_counts *_Nonnull counts);

#endif
