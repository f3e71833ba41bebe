#ifndef C_OBJECTBOX_COMPACT_H
#define C_OBJECTBOX_COMPACT_H

#include "CObjectBoxPages.h"

// Copies the pages that a version uses, one after another, with new numbers.

typedef enum {
  OBX_COMPACT_DONE = 0,
  // The writer ended the copy.
  OBX_COMPACT_ENDED = 1,
  // The page `bad_page` cannot be part of the version.
  OBX_COMPACT_CORRUPT = 2,
  OBX_COMPACT_NO_MEMORY = 3,
  OBX_COMPACT_UNKNOWN_FORM = 4,
} obx_compact_status;

typedef struct {
  void *_Nullable context;
  // Gets the next bytes of the copy, from page 2 on; nonzero ends the copy.
  int (*_Nonnull write)(void *_Nullable context, const void *_Nonnull bytes, size_t size);
} obx_compact_writer;

// Writes all used pages of a version except its head pages, children before parents.
//
// Any bytes may be passed: nothing outside of them is read, and every walk ends.
//
// - head: the version's head page; becomes the copy's, which has no free pages.
obx_compact_status obx_compact(
  const obx_image *_Nonnull image, obx_head *_Nonnull head,
  const obx_compact_writer *_Nonnull writer, uint64_t *_Nonnull bad_page);

#endif
