#ifndef OBX_PAGES_VERIFICATION_H
#define OBX_PAGES_VERIFICATION_H

#include "PageView.h"

// A check in progress, and steps that its parts share.

typedef struct {
  obx_pages pages;
  const obx_head *head;
  // Number of whole pages in the file; further pages of the version must be free.
  uint64_t file_pages;
  // One bit per page: a tree uses it, or it is free.
  uint8_t *seen;
  uint64_t seen_count;
  obx_verify_scope scope;
  const obx_verify_observer *observer;
  obx_verify_counts *counts;
  // The table of the walk, for findings.
  const uint8_t *table;
  uint32_t table_size;
  uint64_t pages_read;
  // The newest version in the free list.
  uint64_t newest_free;
  int is_ended;
} obx_check;

void obx_found(obx_check *check, obx_finding_kind kind, uint64_t page, uint64_t found, uint64_t expected);

// Marks a page as used by a tree or the free list; false when it must not be accessed or is already
// marked. `from` is the page that leads to it.
int obx_take_page(obx_check *check, uint64_t number, uint64_t from);

// Checks an entry of the free list: the version that freed the pages, and the pages' numbers.
void obx_check_free_entry(
  obx_check *check, uint64_t page, uint64_t version, const uint8_t *bytes, uint64_t size);

// Checks a tree by LMDB's record of it, and everything below it.
void obx_check_tree(obx_check *check, const uint8_t *record, obx_tree *tree, uint64_t from);

#endif
