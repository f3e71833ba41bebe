#ifndef C_OBJECTBOX_COMPACT_H
#define C_OBJECTBOX_COMPACT_H

// Included at the end of CObjectBoxPages.h, as the one header of the module.
#include "CObjectBoxPages.h"

// Copies the pages that a version uses, one behind the other, with new numbers.

typedef enum {
  OBX_COMPACT_DONE = 0,
  // The writer ended it.
  OBX_COMPACT_ENDED = 1,
  // The page `bad_page` cannot be part of the version.
  OBX_COMPACT_CORRUPT = 2,
  OBX_COMPACT_NO_MEMORY = 3,
  OBX_COMPACT_FALLBACK = 4,
} obx_compact_status;

typedef struct {
  void *_Nullable context;
  // Is given the next bytes of the copy, from page 2 on; nonzero ends it.
  int (*_Nonnull write)(void *_Nullable context, const void *_Nonnull bytes, size_t size);
} obx_compact_writer;

// Writes all pages of a version but its head pages: children before their parents, without those that are free.
//
// Any bytes may be passed: nothing outside of them is read, and every walk ends.
//
// - head: the head page of the version; set to that of the copy, which has no free pages.
obx_compact_status obx_compact(
  const obx_image *_Nonnull image, obx_head *_Nonnull head,
  const obx_compact_writer *_Nonnull writer, uint64_t *_Nonnull bad_page);

#endif
