#ifndef UNICODE_H
#define UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "UnicodeTables.h"

// Word-break classes in the order of Scripts/unicode-tables.py: the classes of UAX 29, and two more.
enum {
  WORD_OTHER,
  WORD_CR,
  WORD_LF,
  WORD_NEWLINE,
  WORD_EXTEND,
  WORD_ZWJ,
  WORD_FORMAT,
  // In no scalar: letters of Katakana are pairs.
  WORD_KATAKANA,
  WORD_HEBREW_LETTER,
  WORD_LETTER,
  WORD_SINGLE_QUOTE,
  WORD_DOUBLE_QUOTE,
  WORD_MID_NUM_LET,
  WORD_MID_LETTER,
  WORD_MID_NUM,
  WORD_NUMERIC,
  WORD_EXTEND_NUM_LET,
  WORD_REGIONAL_INDICATOR,
  WORD_SPACE,
  WORD_PICTOGRAPHIC,
  // Numbers without a class in UAX 29, such as ½: each is a word.
  WORD_NUMBER,
  // Letters of scripts without spaces: Katakana, and scripts for which UAX 29 needs dictionaries.
  WORD_PAIR,

  WORD_CLASS_MASK = 0x1f,
  // Folding changes the scalar.
  WORD_MAPPED = 0x20,
  // Text with the scalar may need normalization.
  WORD_UNSTABLE = 0x40,
};

static inline uint8_t class_byte(uint32_t scalar) {
  uint32_t block = scalar >> 7;
  if (block >= obx_unicode_index_count) return 0;
  return obx_unicode_blocks[(uint32_t)obx_unicode_index[block] << 7 | (scalar & 127)];
}

// Reads the scalar at the start; returns its size, at least 1. Bytes that are not UTF-8 are read one by one as U+FFFD.
static inline size_t decode(const uint8_t *bytes, size_t size, uint32_t *scalar) {
  uint32_t lead = bytes[0];
  *scalar = lead;
  if (lead < 0x80) return 1;
  *scalar = 0xfffd;
  size_t count = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || size < count) return 1;
  uint32_t value = lead & (0x7f >> count);
  for (size_t place = 1; place < count; place++) {
    if ((bytes[place] & 0xc0) != 0x80) return 1;
    value = value << 6 | (bytes[place] & 0x3f);
  }
  if ((count == 3 && (value < 0x800 || (value >= 0xd800 && value < 0xe000))) ||
      (count == 4 && (value < 0x10000 || value > 0x10ffff)))
    return 1;
  *scalar = value;
  return count;
}

// Writes a scalar; returns its size, or 0 if it does not fit into the room.
static inline size_t encode(uint32_t scalar, uint8_t *bytes, size_t room) {
  size_t count = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  if (count > room) return 0;
  if (count == 1) {
    bytes[0] = (uint8_t)scalar;
    return 1;
  }
  for (size_t place = count - 1; place > 0; place--, scalar >>= 6)
    bytes[place] = (uint8_t)(0x80 | (scalar & 0x3f));
  bytes[0] = (uint8_t)((0xf00 >> count & 0xf0) | scalar);
  return count;
}

// Folds a word and normalizes it; returns the size of the result, at most OBX_WORD_MAXIMUM. In
// Turkic languages, I has no dot, and the small letter of İ is i.
size_t obx_fold_word(const uint8_t *bytes, size_t size, bool is_turkic, uint8_t *result);

#endif
