#include "CObjectBoxVectors.h"

#define LANES 16

// Vectors are in records, at any alignment.
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(1), may_alias));
typedef float number __attribute__((aligned(1), may_alias));

// By address, since the calling convention for vectors differs between processors.
static float sum(const lanes *address) {
  lanes values = *address;
  float total = 0;
  for (int lane = 0; lane < LANES; lane += 4) {
    total += (values[lane] + values[lane + 1]) + (values[lane + 2] + values[lane + 3]);
  }
  return total;
}

float objectbox_squared_distance(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0};
  size_t index = 0;
  for (; index + LANES <= count; index += LANES) {
    lanes difference = *(const lanes *)(left + index) - *(const lanes *)(right + index);
    total += difference * difference;
  }
  float result = sum(&total);
  for (; index < count; index++) {
    float difference = left[index] - right[index];
    result += difference * difference;
  }
  return result;
}

float objectbox_dot_product(const void *a, const void *b, size_t count) {
  const number *left = a, *right = b;
  lanes total = {0};
  size_t index = 0;
  for (; index + LANES <= count; index += LANES) {
    total += *(const lanes *)(left + index) * *(const lanes *)(right + index);
  }
  float result = sum(&total);
  for (; index < count; index++) result += left[index] * right[index];
  return result;
}

void objectbox_prefetch_vector(const void *vector, size_t count) {
  // Later lines are fetched by the hardware prefetcher, once the first ones are read in order.
  size_t bytes = count * sizeof(float) < 512 ? count * sizeof(float) : 512;
  for (size_t offset = 0; offset < bytes; offset += 64) {
    __builtin_prefetch((const char *)vector + offset);
  }
}
