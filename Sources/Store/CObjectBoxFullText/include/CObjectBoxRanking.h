#ifndef C_OBJECTBOX_RANKING_H
#define C_OBJECTBOX_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The hottest loops of ranked queries. Ordinals must be within the bounds of their runs.

// MARK: Unions

// Sets the bits of ordinals.
void obx_union_mark(const uint32_t *_Nonnull ordinals, size_t count, uint64_t *_Nonnull bits);

// Clears the bits of dead documents, and sets `ranks` to the number of bits before each word.
// Returns the number of bits.
uint32_t obx_union_rank(uint64_t *_Nonnull bits, uint32_t *_Nonnull ranks,
                        const uint64_t *_Nullable live, size_t word_count);

// Writes the ordinals of all bits, ascending.
void obx_union_ordinals(const uint64_t *_Nonnull bits, size_t word_count,
                        uint32_t *_Nonnull ordinals);

// Adds the frequencies of postings with set bits to the frequencies of the union.
void obx_union_add(const uint32_t *_Nonnull ordinals, const uint32_t *_Nonnull frequencies,
                   size_t count, const uint64_t *_Nonnull bits, const uint32_t *_Nonnull ranks,
                   uint32_t *_Nonnull sums);

// MARK: Conjunctions

// Finds the numbers that two ascending sequences share: writes their indices, and returns their number. The
// arrays have room for the shorter sequence and one more.
uint32_t obx_intersect(const uint32_t *_Nonnull first, uint32_t first_count,
                       const uint32_t *_Nonnull second, uint32_t second_count,
                       uint8_t *_Nonnull first_indices, uint8_t *_Nonnull second_indices);

// Finds the postings of ascending documents, and returns their number. The arrays have room for all postings.
// Without frequencies, it writes the indices of the postings instead.
uint32_t obx_find(const uint32_t *_Nonnull ordinals, const uint32_t *_Nullable frequencies,
                  uint32_t count, const uint32_t *_Nonnull documents, size_t document_count,
                  uint32_t *_Nonnull found_ordinals, uint32_t *_Nonnull found_frequencies);

// A word of a phrase in the current block of its postings.
typedef struct {
  const uint32_t *_Nonnull ordinals;
  const uint32_t *_Nonnull frequencies;
  // The packed positions of all postings; each has as many as its frequency.
  const uint8_t *_Nonnull bytes;
  size_t size;
  // Offsets of the positions of each posting; null if they are contiguous.
  const uint32_t *_Nullable starts;
  // The index of a posting that is not after the first document.
  uint32_t index;
  // Distance from the first word of the phrase, which has 0.
  uint32_t offset;
  // For the function.
  const uint8_t *_Nullable place;
  uint32_t split;
  uint32_t rest;
  uint32_t position;
} obx_phrase_word;

// Counts the positions in each document at which the words occur at their offsets. All documents contain all words.
// Changes the words; returns false for damaged bytes.
bool obx_phrase_counts(obx_phrase_word *_Nonnull words, uint32_t word_count,
                       const uint32_t *_Nonnull documents, uint32_t count,
                       uint32_t *_Nonnull counts);

// MARK: Scores

// The numbers of BM25 for the postings of a term.
typedef struct {
  // Weight · (k1 + 1).
  double gain;
  // k1 · (1 − b), and k1 · b / mean length.
  double flat;
  double slope;
} obx_score_parameters;

// Selects the postings with a part of a score that may be at least `least`, which is positive.
//
// `chunks` are the lengths of documents, 2,040 in each, of two bytes. May select too many, but never too few. Begins at
// `*next`, and stops at a posting without a chunk, or at `count`; sets `*next` to the index of its end. Returns the
// number of selected postings.
uint32_t obx_select(const uint32_t *_Nonnull ordinals, const uint32_t *_Nonnull frequencies,
                    uint32_t *_Nonnull next, uint32_t count,
                    const void *_Nullable const *_Nonnull chunks,
                    obx_score_parameters parameters, double least, uint8_t *_Nonnull selected);

// Adds parts of scores, with a relative error of at most 1e-5, to the sums of a window of documents from
// `start` on, and sets the bits of the documents. `next`, `count` and `chunks` as above.
void obx_accumulate(const uint32_t *_Nonnull ordinals, const uint32_t *_Nonnull frequencies,
                    uint32_t *_Nonnull next, uint32_t count,
                    const void *_Nullable const *_Nonnull chunks,
                    obx_score_parameters parameters, uint32_t start, float *_Nonnull sums,
                    uint64_t *_Nonnull bits);

#endif
