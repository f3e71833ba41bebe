#include "CObjectBoxWords.h"
#include "Unicode.h"

// Scalars of a word before composition. Each gives a byte or more, except marks that compose: a
// word is cut sooner if it has many of them.
enum { CAPACITY = 2 * OBX_WORD_MAXIMUM };

static const struct obx_composition *composition_of(uint32_t scalar) {
  uint32_t low = 0, high = obx_compositions_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (obx_compositions[middle].scalar < scalar)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < obx_compositions_count && obx_compositions[low].scalar == scalar;
  return found ? &obx_compositions[low] : NULL;
}

// Returns the composition of two scalars, or 0.
static uint32_t compose(uint32_t first, uint32_t second) {
  // Hangul: leading consonant with vowel, then with trailing consonant.
  if (first - 0x1100 < 19 && second - 0x1161 < 21)
    return 0xac00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28;
  if (first - 0xac00 < 11172 && (first - 0xac00) % 28 == 0 && second - 0x11a8 < 27)
    return first + (second - 0x11a7);
  uint32_t low = 0, high = obx_compositions_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    const struct obx_composition *item = &obx_compositions[obx_compositions_by_parts[middle]];
    if (item->first < first || (item->first == first && item->second < second))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == obx_compositions_count) return 0;
  const struct obx_composition *item = &obx_compositions[obx_compositions_by_parts[low]];
  return item->first == first && item->second == second ? item->scalar : 0;
}

static uint32_t combining_class(uint32_t scalar) {
  if (!(class_byte(scalar) & WORD_UNSTABLE)) return 0;
  uint32_t low = 0, high = obx_combining_ranges_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (obx_combining_ranges[middle].last < scalar)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < obx_combining_ranges_count && obx_combining_ranges[low].first <= scalar;
  return found ? obx_combining_ranges[low].value : 0;
}

// Returns a scalar's mapping; the scalar itself if it has none.
static size_t fold(uint32_t scalar, uint32_t *single, const uint32_t **result) {
  *result = single;
  *single = scalar;
  uint32_t low = 0, high = obx_fold_runs_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (obx_fold_runs[middle].last < scalar)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < obx_fold_runs_count) {
    const struct obx_fold_run *run = &obx_fold_runs[low];
    if (scalar >= run->first && (scalar - run->first) % run->stride == 0) {
      *single = scalar + (uint32_t)run->delta;
      return run->delta == OBX_FOLD_NONE ? 0 : 1;
    }
  }
  low = 0, high = obx_fold_strings_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (obx_fold_strings[middle].scalar < scalar)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == obx_fold_strings_count || obx_fold_strings[low].scalar != scalar) return 1;
  *result = &obx_fold_pool[obx_fold_strings[low].offset];
  return obx_fold_strings[low].count;
}

// Appends the full canonical decomposition of a scalar; returns the count, cut at the capacity.
static size_t decompose(uint32_t scalar, uint32_t *scalars, size_t count) {
  uint32_t tail[8];
  size_t tails = 0;
  const struct obx_composition *parts;
  while (tails < 8 && (parts = composition_of(scalar))) {
    tail[tails++] = parts->second;
    scalar = parts->first;
  }
  if (count < CAPACITY) scalars[count++] = scalar;
  while (tails > 0 && count < CAPACITY) scalars[count++] = tail[--tails];
  return count;
}

// Normalizes to NFC in place: decomposes, orders marks, composes. Returns the count.
static size_t normalize(uint32_t *scalars, size_t count) {
  uint32_t parts[CAPACITY];
  uint8_t classes[CAPACITY];
  size_t total = 0;
  for (size_t place = 0; place < count; place++) total = decompose(scalars[place], parts, total);
  for (size_t place = 0; place < total; place++) {
    uint32_t scalar = parts[place], value = combining_class(scalar);
    size_t to = place;
    for (; value > 0 && to > 0 && classes[to - 1] > value; to--) {
      parts[to] = parts[to - 1];
      classes[to] = classes[to - 1];
    }
    parts[to] = scalar;
    classes[to] = (uint8_t)value;
  }
  size_t written = 0, starter = SIZE_MAX;
  // The class of the last mark since the starter that did not compose; -1 without one.
  int last = -1;
  for (size_t place = 0; place < total; place++) {
    uint32_t composed = 0;
    if (starter != SIZE_MAX && last < (int)classes[place])
      composed = compose(scalars[starter], parts[place]);
    if (composed) {
      scalars[starter] = composed;
      continue;
    }
    if (classes[place] == 0) {
      starter = written;
      last = -1;
    } else {
      last = classes[place];
    }
    scalars[written++] = parts[place];
  }
  return written;
}

// Replaces a capital I or İ by its small letter in Turkic languages; returns the size of a dot after it.
static size_t fold_turkic(uint32_t *scalar, const uint8_t *rest, size_t size) {
  uint32_t next = 0;
  size_t dot = *scalar == 'I' && size > 0 ? decode(rest, size, &next) : 0;
  if (next != 0x307) dot = 0;
  if (*scalar == 0x130 || dot > 0)
    *scalar = 'i';
  else if (*scalar == 'I')
    *scalar = 0x131;
  return dot;
}

size_t obx_fold_word(const uint8_t *bytes, size_t size, bool is_turkic, uint8_t *result) {
  uint32_t scalars[CAPACITY];
  size_t count = 0;
  bool unstable = false;
  for (size_t at = 0; at < size && count < CAPACITY;) {
    uint32_t scalar, single;
    const uint32_t *mapping = &single;
    at += decode(bytes + at, size - at, &scalar);
    if (is_turkic) at += fold_turkic(&scalar, bytes + at, size - at);
    size_t mapped = 1;
    if (class_byte(scalar) & WORD_MAPPED)
      mapped = fold(scalar, &single, &mapping);
    else
      single = scalar;
    for (size_t place = 0; place < mapped && count < CAPACITY; place++) {
      // Spaces come from a few ligatures of Arabic phrases.
      if (mapping[place] == ' ') continue;
      unstable |= class_byte(mapping[place]) & WORD_UNSTABLE;
      scalars[count++] = mapping[place];
    }
  }
  if (unstable) count = normalize(scalars, count);
  size_t written = 0;
  for (size_t place = 0; place < count; place++) {
    size_t bytes = encode(scalars[place], result + written, OBX_WORD_MAXIMUM - written);
    if (bytes == 0) break;
    written += bytes;
  }
  return written;
}

// True for marks that are only reading aids, and for the tatweel, which fills a line.
static bool is_removed(uint32_t scalar) {
  return scalar - 0x300 < 0x70 || (scalar - 0x591 < 0x37 && class_byte(scalar) & WORD_UNSTABLE) ||
         scalar - 0x610 < 0xb || scalar == 0x640 || scalar - 0x64b < 8 || scalar - 0x656 < 10 ||
         scalar == 0x670 || (scalar - 0x6d6 < 0x18 && class_byte(scalar) & WORD_UNSTABLE) ||
         scalar - 0x1ab0 < 0x50 || scalar - 0x1dc0 < 0x40 || scalar - 0x20d0 < 0x30 ||
         scalar - 0xfe20 < 0x10;
}

// Cyrillic marks make other letters (й, ї, ў), except in ё and è.
static bool keeps_mark(uint32_t base) { return base - 0x400 < 0x130 && base != 0x435; }

size_t obx_remove_marks(const uint8_t *word, size_t size, uint8_t *result) {
  size_t written = 0;
  for (size_t at = 0; at < size;) {
    uint32_t scalar;
    at += decode(word + at, size - at, &scalar);
    if (scalar >= 0x80) {
      if (is_removed(scalar)) continue;
      const struct obx_composition *parts;
      while ((parts = composition_of(scalar)) && is_removed(parts->second) &&
             !keeps_mark(parts->first))
        scalar = parts->first;
      const char *plain = NULL;
      for (uint32_t place = 0; place < obx_plain_letters_count; place++)
        if (obx_plain_letters[place].scalar == scalar) plain = obx_plain_letters[place].plain;
      if (plain) {
        for (; *plain && written < OBX_WORD_MAXIMUM; plain++) result[written++] = (uint8_t)*plain;
        continue;
      }
    }
    size_t bytes = encode(scalar, result + written, OBX_WORD_MAXIMUM - written);
    if (bytes == 0) break;
    written += bytes;
  }
  return written;
}
