#include "CObjectBoxWords.h"
#include "Unicode.h"

#include <string.h>

static bool is_ignored(uint8_t class) {
  return class == WORD_EXTEND || class == WORD_FORMAT || class == WORD_ZWJ;
}

static bool is_letter(uint8_t class) { return class == WORD_LETTER || class == WORD_HEBREW_LETTER; }

// True for the sound marks of kana that stand alone; they fold to combining ones.
static bool is_sound_mark(uint32_t scalar) { return scalar == 0x309b || scalar == 0x309c; }

// A scalar with the ignored ones after it.
typedef struct {
  uint8_t class;
  // True when folding changes the scalar.
  bool is_mapped;
  size_t end;
} unit;

static unit unit_at(const obx_words *words, size_t at) {
  unit result = {WORD_OTHER, false, at};
  if (at == words->size) return result;
  uint32_t scalar;
  result.end += decode(words->bytes + at, words->size - at, &scalar);
  result.class = class_byte(scalar) & WORD_CLASS_MASK;
  result.is_mapped = class_byte(scalar) & WORD_MAPPED;
  while (result.end < words->size) {
    size_t size = decode(words->bytes + result.end, words->size - result.end, &scalar);
    bool is_mark = result.class == WORD_PAIR && is_sound_mark(scalar);
    if (!is_mark && !is_ignored(class_byte(scalar) & WORD_CLASS_MASK)) break;
    result.end += size;
  }
  return result;
}

// Rules WB5 to WB13b of UAX 29: returns the end of the unit that follows without a boundary, or 0.
static size_t joined(const obx_words *words, unit last, uint8_t *class) {
  unit next = unit_at(words, last.end);
  *class = next.class;
  if (next.end == last.end) return 0;
  bool after_letter = is_letter(last.class), after_number = last.class == WORD_NUMERIC;
  if (after_letter || after_number || last.class == WORD_EXTEND_NUM_LET) {
    if (is_letter(next.class) || next.class == WORD_NUMERIC) return next.end;
    if (next.class == WORD_EXTEND_NUM_LET) return next.end;
  }
  bool is_middle = next.class == WORD_MID_NUM_LET || next.class == WORD_SINGLE_QUOTE;
  if ((after_letter && (is_middle || next.class == WORD_MID_LETTER)) ||
      (last.class == WORD_HEBREW_LETTER && next.class == WORD_DOUBLE_QUOTE)) {
    unit third = unit_at(words, next.end);
    bool joins = next.class == WORD_DOUBLE_QUOTE ? third.class == WORD_HEBREW_LETTER
                                                 : is_letter(third.class);
    if (joins) {
      *class = third.class;
      return third.end;
    }
    if (last.class == WORD_HEBREW_LETTER && next.class == WORD_SINGLE_QUOTE) return next.end;
  }
  if (after_number && (is_middle || next.class == WORD_MID_NUM)) {
    unit third = unit_at(words, next.end);
    if (third.class == WORD_NUMERIC) {
      *class = third.class;
      return third.end;
    }
  }
  return 0;
}

// Underscores join words; this removes those at the ends. False if nothing else is left.
static bool trim(obx_words *words) {
  size_t first = 0;
  while (first < words->word_size && words->word[first] == '_') first++;
  while (words->word_size > first && words->word[words->word_size - 1] == '_') words->word_size--;
  words->word_size -= first;
  if (first > 0) memmove(words->word, words->word + first, words->word_size);
  return words->word_size > 0;
}

// Returns the size of the first letter of a folded unit, with the marks around it: the Thai AM
// folds to a mark and a letter.
static size_t letter_size(const uint8_t *folded, size_t size) {
  bool has_letter = false;
  size_t at = 0;
  while (at < size) {
    uint32_t scalar;
    size_t next = at + decode(folded + at, size - at, &scalar);
    if (!is_ignored(class_byte(scalar) & WORD_CLASS_MASK)) {
      if (has_letter) break;
      has_letter = true;
    }
    at = next;
  }
  return at;
}

// Appends the first letter of a unit to the word, as far as it fits.
static void add_letter(obx_words *words, size_t start, unit added) {
  uint8_t folded[OBX_WORD_MAXIMUM];
  size_t size = obx_fold_word(words->bytes + start, added.end - start, false, folded);
  if (added.is_mapped) size = letter_size(folded, size);
  size_t room = OBX_WORD_MAXIMUM - words->word_size;
  if (size > room) {
    size = room;
    while (size > 0 && (folded[size] & 0xc0) == 0x80) size--;
  }
  memcpy(words->word + words->word_size, folded, size);
  words->word_size += size;
}

// Moves to the letter of a run at `start`, with the letter after it. A scalar may fold to several letters, such
// as the sign for the metre in Katakana.
static bool next_of_run(obx_words *words, size_t start) {
  unit first = unit_at(words, start), second = unit_at(words, first.end);
  uint8_t *word = words->word;
  size_t size = obx_fold_word(words->bytes + start, first.end - start, false, word);
  size_t from = 0, to = size;
  if (first.is_mapped) {
    for (size_t letter = 0; letter < words->letter; letter++)
      from += letter_size(word + from, size - from);
    to = from + letter_size(word + from, size - from);
  }
  bool is_last = to == size;
  if (!is_last) to += letter_size(word + to, size - to);
  words->word_size = to - from;
  if (from > 0) memmove(word, word + from, words->word_size);
  words->is_in_run = !is_last || second.class == WORD_PAIR;
  bool has_second = is_last && words->is_in_run;
  if (has_second) add_letter(words, first.end, second);
  words->start = start;
  words->end = has_second ? second.end : first.end;
  words->next = is_last ? first.end : start;
  words->letter = is_last ? 0 : words->letter + 1;
  words->is_of_run = true;
  words->is_ascii = false;
  return words->word_size > 0;
}

// Moves to the word at `start`, or past a unit that is not a word. True if there is a word.
static bool next_segment(obx_words *words, size_t start) {
  unit last = unit_at(words, start);
  if (last.class == WORD_PAIR) return next_of_run(words, start);
  words->next = last.end;
  words->is_of_run = false;
  words->is_ascii = false;
  bool is_word = false;
  switch (last.class) {
    case WORD_NUMBER: is_word = true; break;
    case WORD_LETTER:
    case WORD_HEBREW_LETTER:
    case WORD_NUMERIC:
    case WORD_EXTEND_NUM_LET: {
      is_word = last.class != WORD_EXTEND_NUM_LET;
      size_t end;
      uint8_t class;
      while ((end = joined(words, last, &class)) > 0) {
        last.end = end;
        last.class = class;
        is_word |= class != WORD_EXTEND_NUM_LET;
      }
      break;
    }
    default: break;
  }
  words->next = last.end;
  if (!is_word) return false;
  words->start = start;
  words->end = last.end;
  words->word_size =
      obx_fold_word(words->bytes + start, last.end - start, words->is_turkic, words->word);
  return trim(words);
}

// ASCII letters and digits: lower-cased; the underscore: itself; others 0.
static const uint8_t plain[256] = {
    ['0'] = '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
    ['A'] = 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',
    'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z',
    ['_'] = '_',
    ['a'] = 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm',
    'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z',
};

// True when a byte between two others joins them: both ASCII letters, or both ASCII digits.
static bool joins_ascii(uint8_t before, uint8_t middle, uint8_t after) {
  uint8_t first = class_byte(before), second = class_byte(middle), third = class_byte(after);
  first &= WORD_CLASS_MASK, third &= WORD_CLASS_MASK;
  bool both = second == WORD_MID_NUM_LET || second == WORD_SINGLE_QUOTE;
  if (first == WORD_LETTER && third == WORD_LETTER) return both || second == WORD_MID_LETTER;
  return first == WORD_NUMERIC && third == WORD_NUMERIC && (both || second == WORD_MID_NUM);
}

bool obx_words_next(obx_words *words) {
  const uint8_t *bytes = words->bytes;
  size_t size = words->size;
  if (words->is_in_run && next_of_run(words, words->next)) return true;
  words->is_in_run = false;
  while (words->next < size) {
    size_t start = words->next;
    while (start < size && plain[bytes[start]] == 0 && bytes[start] < 0x80) start++;
    if (start == size) break;
    if (words->is_turkic) goto general;
    size_t end = start, count = 0;
    for (;;) {
      uint8_t letter;
      while (end < size && (letter = plain[bytes[end]]) != 0) {
        if (count < OBX_WORD_MAXIMUM) words->word[count++] = letter;
        end++;
      }
      // The general rules decide where other scripts begin.
      if (end == size) break;
      if (bytes[end] >= 0x80) goto general;
      if (end == start || end + 1 == size) break;
      if (bytes[end + 1] >= 0x80) goto general;
      if (!joins_ascii(bytes[end - 1], bytes[end], bytes[end + 1])) break;
      if (count < OBX_WORD_MAXIMUM) words->word[count++] = bytes[end];
      end++;
    }
    words->next = end;
    words->start = start;
    words->end = end;
    words->word_size = count;
    words->is_of_run = false;
    words->is_ascii = true;
    if ((words->word[0] != '_' && words->word[count - 1] != '_') || trim(words)) return true;
    continue;
  general:
    if (next_segment(words, start)) return true;
    words->is_in_run = false;
  }
  return false;
}

bool obx_is_of_run(const uint8_t *word, size_t size) {
  uint32_t scalar;
  if (size == 0) return false;
  decode(word, size, &scalar);
  return (class_byte(scalar) & WORD_CLASS_MASK) == WORD_PAIR;
}
