#ifndef C_OBJECTBOX_VERIFY_H
#define C_OBJECTBOX_VERIFY_H

// Included at the end of CObjectBoxPages.h, the module's only header.
#include "CObjectBoxPages.h"

// Checks the structure of an LMDB file (data version 1) from its bytes alone, without LMDB.
//
// Any bytes may be passed: nothing outside of them is read, and every walk ends. Checks the
// structure of trees node by node, the free list and the counts, but not the meaning of keys and
// values.

// The bytes of a file, in memory that stays readable. In a file in use, a read transaction must pin
// the version that is checked, so that its pages do not change.
typedef struct {
  const uint8_t *_Nullable base;
  uint64_t size;
} obx_image;

// MARK: Heads

typedef enum {
  OBX_HEAD_OK = 0,
  // The file ends before the page.
  OBX_HEAD_MISSING = 1,
  // Not a head page: all bytes are zero.
  OBX_HEAD_EMPTY = 2,
  // The bytes are not a head page.
  OBX_HEAD_FOREIGN = 3,
  // A head page of another data version than 1.
  OBX_HEAD_OTHER_VERSION = 4,
  // A head page with impossible values.
  OBX_HEAD_DAMAGED = 5,
} obx_head_status;

// A head page (LMDB: meta page): a version, and the roots of LMDB's own two tables. A copy of the
// file's values.
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
// - page_size: the page size that the other head page states, which this one must match; 0 for any.
//   If the first head page is damaged, the second is searched for at each size.
obx_head_status obx_head_read(
  const obx_image *_Nonnull image, uint64_t number, uint32_t page_size, obx_head *_Nonnull head);

// Writes a head page's values, except its number, into the bytes of a head page.
void obx_head_write(const obx_head *_Nonnull head, void *_Nonnull page);

// Opens the version of a head page. Pages that the file lacks do not belong to it.
obx_pages_status obx_head_open(
  const obx_image *_Nonnull image, const obx_head *_Nonnull head, obx_pages *_Nonnull pages);

// Opens the list of free pages. `bad_page` gets the number of a damaged page.
obx_pages_status obx_head_free_table(
  const obx_pages *_Nonnull pages, const obx_head *_Nonnull head, obx_pages_table *_Nonnull table,
  uint64_t *_Nonnull bad_page);

// Opens the table of all named tables.
obx_pages_status obx_head_main_table(
  const obx_pages *_Nonnull pages, const obx_head *_Nonnull head, obx_pages_table *_Nonnull table);

// MARK: Walking

typedef enum {
  // The version has no page with the number `found`.
  OBX_FINDING_PAGE_OUTSIDE,
  // The file ends before the page.
  OBX_FINDING_PAGE_MISSING,
  // The page belongs to two trees, or to a tree and the free list.
  OBX_FINDING_PAGE_USED_TWICE,
  // The page states another number, `found`.
  OBX_FINDING_PAGE_NUMBER,
  // The page has the flags `found` instead of `expected`.
  OBX_FINDING_PAGE_KIND,
  // Offsets in the page's header are outside of the page.
  OBX_FINDING_PAGE_HEADER,
  // The page has only `found` entries, too few for its kind.
  OBX_FINDING_PAGE_EMPTY,
  // The node `found` is outside of its page, overlaps another node, or is malformed.
  OBX_FINDING_NODE,
  // The nodes of the page take `found` bytes instead of `expected`.
  OBX_FINDING_PAGE_ROOM,
  // The key `found` of the page is not above the previous key.
  OBX_FINDING_KEY_ORDER,
  // The key `found` of the page is outside of the range that the branches above state.
  OBX_FINDING_KEY_RANGE,
  // From this page on there are `found` overflow pages, too few for `expected` bytes, or none.
  OBX_FINDING_OVERFLOW,
  // The duplicates of the key `found` are malformed.
  OBX_FINDING_DUPLICATES,
  // The record of a table, in the main table or a head page, has impossible values.
  OBX_FINDING_TABLE_RECORD,
  // The table has `found` branch pages, leaf pages, overflow pages or entries; its record states
  // `expected`.
  OBX_FINDING_BRANCH_COUNT,
  OBX_FINDING_LEAF_COUNT,
  OBX_FINDING_OVERFLOW_COUNT,
  OBX_FINDING_ENTRY_COUNT,
  // The list of pages freed by the version `found` is malformed.
  OBX_FINDING_FREE_LIST,
  // The newest list of freed pages is of version `found`; the head page's version is `expected`.
  OBX_FINDING_FREE_VERSION,
  // `found` pages are neither in a tree nor free.
  OBX_FINDING_LOST_PAGES,
} obx_finding_kind;

typedef struct {
  obx_finding_kind kind;
  uint64_t page;
  uint64_t found;
  uint64_t expected;
  // The name of the table, valid during the call; NULL for the main table, the free list and the
  // file.
  const uint8_t *_Nullable table;
  uint32_t table_size;
} obx_finding;

typedef struct {
  uint64_t branch_pages, leaf_pages, overflow_pages, free_pages;
  uint64_t tables;
} obx_verify_counts;

typedef enum {
  // The main table, the whole free list, and each table's root page.
  OBX_VERIFY_QUICK,
  // All pages.
  OBX_VERIFY_ALL,
} obx_verify_scope;

typedef struct {
  void *_Nullable context;
  // Gets each finding; true ends the check.
  int (*_Nonnull report)(void *_Nullable context, const obx_finding *_Nonnull finding);
  // Gets the number of pages read, every few thousand; true ends the check. May be NULL.
  int (*_Nullable progress)(void *_Nullable context, uint64_t pages);
} obx_verify_observer;

// Checks the version of a head page.
//
// Takes one bit of memory per page of the file. Reads about 1 GB per second.
//
// Returns 0, or -1 when memory is short.
int obx_verify(
  const obx_image *_Nonnull image, const obx_head *_Nonnull head, obx_verify_scope scope,
  const obx_verify_observer *_Nonnull observer, obx_verify_counts *_Nonnull counts);

#endif
