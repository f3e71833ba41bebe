#ifndef C_OBJECTBOX_CHANGES_H
#define C_OBJECTBOX_CHANGES_H

// Included at the end of CObjectBoxPages.h, the module's only header.
#include "CObjectBoxPages.h"

// Compares two versions of a table of objects. A page of both versions is skipped with everything
// below it, so the cost grows with the pages that were written in between.

// One of the two versions, and its next page or entry.
typedef struct {
  obx_pages_table table;
  // The path to the next item: an entry of the last level if that is a leaf, else the page that it
  // leads to.
  obx_pages_level levels[OBX_PAGES_MAXIMUM_DEPTH];
  uint32_t depth;
  uint8_t has_ended;
  // Number of opened pages. More than the version has prove that they form no tree, which limits
  // the walk.
  uint64_t opened;
} obx_pages_side;

// Initialise it with `obx_pages_changes_init`.
typedef struct {
  obx_pages_side older, newer;
  // Whether equal page numbers mean the same page.
  uint8_t shares_pages;
  // The page that OBX_PAGES_CORRUPT was found on.
  uint64_t bad_page;
} obx_pages_changes;

// Begins before the first object. Both versions stay pinned while the value is used. The older one
// must have been pinned when the newer was written, so that its pages were not overwritten.
//
// OBX_PAGES_UNKNOWN_FORM: not tables of objects (MDB_INTEGERKEY without duplicates).
obx_pages_status obx_pages_changes_init(
  obx_pages_changes *_Nonnull changes, const obx_pages_table *_Nonnull older,
  const obx_pages_table *_Nonnull newer);

// Returns the next object that differs between the versions, by ascending ID; OBX_PAGES_END at the end.
//
// - before, after: its entries; without a key where it does not exist.
obx_pages_status obx_pages_next_change(
  obx_pages_changes *_Nonnull changes, obx_pages_entry *_Nonnull before,
  obx_pages_entry *_Nonnull after);

#endif
