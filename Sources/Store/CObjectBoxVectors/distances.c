#include "CObjectBoxVectors.h"

#define LANES 16
// The number of vectors to prefetch.
#define FETCHED_AHEAD 2

#define INLINE static inline __attribute__((always_inline))

// Vectors lie in records, at any alignment.
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(1), may_alias));
typedef float quarter __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef float number __attribute__((aligned(1), may_alias));

// MARK: One processor

// By address: the calling convention for vectors differs between processors.
INLINE float sum(const lanes *address) {
  const quarter *parts = (const quarter *)address;
  quarter total = (parts[0] + parts[1]) + (parts[2] + parts[3]);
  return (total[0] + total[1]) + (total[2] + total[3]);
}

// Two totals: an addition takes longer than the next one can wait.
INLINE float squared_distance(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0}, other = {0};
  size_t index = 0;
  for (; index + 2 * LANES <= count; index += 2 * LANES) {
    lanes difference = *(const lanes *)(left + index) - *(const lanes *)(right + index);
    total += difference * difference;
    difference = *(const lanes *)(left + index + LANES) - *(const lanes *)(right + index + LANES);
    other += difference * difference;
  }
  if (index + LANES <= count) {
    lanes difference = *(const lanes *)(left + index) - *(const lanes *)(right + index);
    total += difference * difference;
    index += LANES;
  }
  total += other;
  float result = sum(&total);
  for (; index < count; index++) {
    float difference = left[index] - right[index];
    result += difference * difference;
  }
  return result;
}

INLINE float dot_product(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0}, other = {0};
  size_t index = 0;
  for (; index + 2 * LANES <= count; index += 2 * LANES) {
    total += *(const lanes *)(left + index) * *(const lanes *)(right + index);
    other += *(const lanes *)(left + index + LANES) * *(const lanes *)(right + index + LANES);
  }
  if (index + LANES <= count) {
    total += *(const lanes *)(left + index) * *(const lanes *)(right + index);
    index += LANES;
  }
  total += other;
  float result = sum(&total);
  for (; index < count; index++) result += left[index] * right[index];
  return result;
}

INLINE void prefetch(const void *vector, size_t count) {
  // The hardware prefetcher fetches further lines when the first are read in order.
  size_t bytes = count * sizeof(float) < 512 ? count * sizeof(float) : 512;
  for (size_t offset = 0; offset < bytes; offset += 64) {
    __builtin_prefetch((const char *)vector + offset);
  }
}

// MARK: Several processors

// Defines the measure of one vector and of several; `TARGET` may use instructions that not every
// processor has.
#define DEFINE(NAME, MEASURE, TARGET)                                                          \
  TARGET static float NAME(const void *a, const void *b, size_t count) {                       \
    return MEASURE(a, b, count);                                                               \
  }                                                                                            \
  TARGET static void NAME##s(const void *a, const void *const *others, size_t otherCount,      \
                             size_t count, float *results) {                                   \
    for (size_t index = 0; index < FETCHED_AHEAD && index < otherCount; index++) {             \
      prefetch(others[index], count);                                                          \
    }                                                                                          \
    for (size_t index = 0; index < otherCount; index++) {                                      \
      if (index + FETCHED_AHEAD < otherCount) prefetch(others[index + FETCHED_AHEAD], count);  \
      results[index] = MEASURE(a, others[index], count);                                       \
    }                                                                                          \
  }

DEFINE(squared_distance_base, squared_distance, )
DEFINE(dot_product_base, dot_product, )

#if defined(__x86_64__) && defined(__linux__)
// Halves the instructions; sums may differ in the last bit from other processors'.
#define WIDE __attribute__((target("avx2,fma")))
DEFINE(squared_distance_wide, squared_distance, WIDE)
DEFINE(dot_product_wide, dot_product, WIDE)
// Reads what a constructor of the compiler's library has detected.
#define DISPATCH(CALL, ...)                                                \
  (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")         \
       ? CALL##_wide##__VA_ARGS__                                          \
       : CALL##_base##__VA_ARGS__)
#else
#define DISPATCH(CALL, ...) (CALL##_base##__VA_ARGS__)
#endif

float objectbox_squared_distance(const void *a, const void *b, size_t count) {
  return DISPATCH(squared_distance)(a, b, count);
}

float objectbox_dot_product(const void *a, const void *b, size_t count) {
  return DISPATCH(dot_product)(a, b, count);
}

void objectbox_squared_distances(const void *a, const void *const *others, size_t otherCount,
                                 size_t count, float *results) {
  DISPATCH(squared_distance, s)(a, others, otherCount, count, results);
}

void objectbox_dot_products(const void *a, const void *const *others, size_t otherCount,
                            size_t count, float *results) {
  DISPATCH(dot_product, s)(a, others, otherCount, count, results);
}

void objectbox_prefetch_vector(const void *vector, size_t count) { prefetch(vector, count); }
