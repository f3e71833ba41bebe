#include "CObjectBoxVectors.h"

#define LANES 16

// Vectors stand in records, which nothing aligns.
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(1), may_alias));
typedef float number __attribute__((aligned(1), may_alias));

// By its place: by value it would be passed in another way on each kind of processor.
static float sum(const lanes *place) {
  lanes values = *place;
  float total = 0;
  for (int lane = 0; lane < LANES; lane += 4) {
    total += (values[lane] + values[lane + 1]) + (values[lane + 2] + values[lane + 3]);
  }
  return total;
}

float objectbox_squared_distance(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0};
  size_t place = 0;
  for (; place + LANES <= count; place += LANES) {
    lanes difference = *(const lanes *)(left + place) - *(const lanes *)(right + place);
    total += difference * difference;
  }
  float result = sum(&total);
  for (; place < count; place++) {
    float difference = left[place] - right[place];
    result += difference * difference;
  }
  return result;
}

float objectbox_dot_product(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0};
  size_t place = 0;
  for (; place + LANES <= count; place += LANES) {
    total += *(const lanes *)(left + place) * *(const lanes *)(right + place);
  }
  float result = sum(&total);
  for (; place < count; place++) result += left[place] * right[place];
  return result;
}

void objectbox_prefetch_vector(const void *vector, size_t count) {
  // Later lines are fetched by the hardware prefetcher, once the first ones are read in order.
  size_t bytes = count * sizeof(float) < 512 ? count * sizeof(float) : 512;
  for (size_t place = 0; place < bytes; place += 64) {
    __builtin_prefetch((const char *)vector + place);
  }
}
