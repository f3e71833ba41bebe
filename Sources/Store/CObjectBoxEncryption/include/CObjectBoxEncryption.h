#ifndef COBJECTBOX_ENCRYPTION_H
#define COBJECTBOX_ENCRYPTION_H

#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxPages.h"

// MARK: Changed pages

// Numbers of pages in ascending order; free them with `obx_page_list_free`.
typedef struct {
  uint64_t *_Nullable numbers;
  size_t count;
} obx_page_list;

void obx_page_list_free(obx_page_list *_Nonnull list);

typedef enum {
  OBX_CHANGED_OK = 0,
  // A page does not match its tree.
  OBX_CHANGED_CORRUPT = 1,
  OBX_CHANGED_NO_MEMORY = 2,
} obx_changed_status;

// Finds the pages that one of two consecutive versions has and the other lacks, without the head
// pages. The cost grows with these pages, not with the file.
//
// A page with the same number in both versions is the same page: LMDB does not use a page again in
// the commit that frees it.
//
// - older, older_head: the earlier version; NULL when there is none.
// - added: the pages of `newer` only.
// - removed: the pages of `older` only.
// - bad_page: the page, for OBX_CHANGED_CORRUPT.
obx_changed_status obx_changed_pages(
  const obx_pages *_Nullable older, const obx_head *_Nullable older_head,
  const obx_pages *_Nonnull newer, const obx_head *_Nonnull newer_head,
  obx_page_list *_Nonnull added, obx_page_list *_Nonnull removed, uint64_t *_Nonnull bad_page);

// MARK: Memory

// Makes a file in memory without a name; -1 with `errno` after an error, and on systems without such files.
int obx_memory_file(const char *_Nonnull name);

// Reserves room on the disk for a part of a file, without changing its bytes and its size; 0, or an
// error number.
int obx_reserve(int file, int64_t offset, int64_t size);

// Keeps pages of the process's memory out of core dumps; 0, or an error number.
int obx_exclude_from_dumps(uint64_t address, uint64_t size);

#endif
