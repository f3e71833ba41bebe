#ifndef UNICODE_TABLES_H
#define UNICODE_TABLES_H

#include <stdint.h>

#include "CObjectBoxWords.h"

// The tables that Scripts/unicode-tables.py writes.

// The classes of scalars in blocks of 128: the number of each block, up to the last that is not
// zero, and the distinct blocks.
extern const uint8_t obx_unicode_index[], obx_unicode_blocks[];
extern const uint32_t obx_unicode_index_count;

// The scalars from `first` to `last` in steps of `stride`; each folds to itself + `delta`.
extern const struct obx_fold_run {
  uint32_t first, last, stride;
  int32_t delta;
} obx_fold_runs[];
extern const uint32_t obx_fold_runs_count;

// The delta of scalars that fold to nothing.
#define OBX_FOLD_NONE INT32_MIN

// A scalar that folds to several scalars of the pool.
extern const struct obx_fold_string {
  uint32_t scalar;
  uint16_t offset, count;
} obx_fold_strings[];
extern const uint32_t obx_fold_strings_count;
extern const uint32_t obx_fold_pool[];

// Canonical compositions by scalar, and their places in the order of their parts.
extern const struct obx_composition {
  uint32_t scalar, first, second;
} obx_compositions[];
extern const uint32_t obx_compositions_count;
extern const uint16_t obx_compositions_by_parts[];

// Canonical combining classes other than 0.
extern const struct obx_combining_range {
  uint32_t first, last, value;
} obx_combining_ranges[];
extern const uint32_t obx_combining_ranges_count;

// Letters without a decomposition, and their form without marks.
extern const struct obx_plain_letter {
  uint32_t scalar;
  char plain[4];
} obx_plain_letters[];
extern const uint32_t obx_plain_letters_count;

#endif
