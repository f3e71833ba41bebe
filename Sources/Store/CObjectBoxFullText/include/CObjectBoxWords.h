#ifndef C_OBJECTBOX_WORDS_H
#define C_OBJECTBOX_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The words of texts by Unicode's rules, and their folding.

// The greatest size of a word in bytes; longer ones are cut at a scalar.
#define OBX_WORD_MAXIMUM 256

// A walk through the words of a text.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t size;
  // True to fold the letters I and İ as in Turkish.
  bool is_turkic;
  // The offset at which the search for the next word begins.
  size_t next;
  // True while `next` is inside a run of letters that are indexed in pairs.
  bool is_in_run;
  // The number of letters of the scalar at `next` that have already begun a word.
  size_t letter;

  // The current word: its place in the text, and its folded form.
  size_t start, end;
  size_t word_size;
  // True when the word consists of one or two letters of a run.
  bool is_of_run;
  // True only when all bytes of the word are ASCII.
  bool is_ascii;
  uint8_t word[OBX_WORD_MAXIMUM];
} obx_words;

// The bytes of the current word.
static inline const uint8_t *_Nonnull obx_words_word(const obx_words *_Nonnull words) {
  return words->word;
}

// Moves to the next word; false at the end of the text. Start with zeros, `bytes`, `size`
// and `is_turkic`.
//
// Words are folded by case and compatibility (NFKC_Casefold) and normalized to NFC. Bytes that are not UTF-8
// separate words.
bool obx_words_next(obx_words *_Nonnull words);

// Removes the marks of a folded word: accents of Latin and Greek letters, the dots of the Cyrillic
// letter io, points of Hebrew and Arabic. Returns the size, which is at most OBX_WORD_MAXIMUM.
size_t obx_remove_marks(const uint8_t *_Nonnull word, size_t size, uint8_t *_Nonnull result);

// True when the word begins with a letter of the scripts that are indexed in pairs of letters.
bool obx_is_of_run(const uint8_t *_Nonnull word, size_t size);

// The Unicode version of the functions' tables.
const char *_Nonnull obx_unicode_version(void);

#endif
