#ifndef C_OBJECTBOX_CHANGES_H
#define C_OBJECTBOX_CHANGES_H

// Included at the end of CObjectBoxPages.h, as the one header of the module.
#include "CObjectBoxPages.h"

// Tells two versions of a table of objects apart. A page that both versions have is passed over with all below it,
// so the cost is that of the pages that were written in between.

// One of the two versions, and the page or the entry that is next in it.
typedef struct {
  obx_pages_table table;
  // The way to the next one: an entry of the last level when that is a leaf, else the page that it leads to.
  obx_pages_level levels[OBX_PAGES_MAXIMUM_DEPTH];
  uint32_t depth;
  uint8_t has_ended;
  // Pages opened. More than the version has prove that they form no tree, which bounds the walk.
  uint64_t opened;
} obx_pages_side;

// Initialise it with `obx_pages_changes_init`.
typedef struct {
  obx_pages_side older, newer;
  // Whether pages of equal numbers are the same page.
  uint8_t shares_pages;
  // The page that OBX_PAGES_CORRUPT was found on.
  uint64_t bad_page;
} obx_pages_changes;

// Begins before the first object. Both versions are pinned as long as the value is used, and the older one was when the
// newer was written: a page that it has is not written to then.
//
// OBX_PAGES_FALLBACK: these are no tables of objects (MDB_INTEGERKEY without duplicates).
obx_pages_status obx_pages_changes_init(
  obx_pages_changes *_Nonnull changes, const obx_pages_table *_Nonnull older,
  const obx_pages_table *_Nonnull newer);

// Gives the next object that the versions do not have alike, in the order of IDs; OBX_PAGES_END without one.
//
// - before, after: its entries, without a key where a version has no such object.
obx_pages_status obx_pages_next_change(
  obx_pages_changes *_Nonnull changes, obx_pages_entry *_Nonnull before,
  obx_pages_entry *_Nonnull after);

#endif
