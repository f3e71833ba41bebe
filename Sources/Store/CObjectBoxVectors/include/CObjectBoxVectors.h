#ifndef C_OBJECTBOX_VECTORS_H
#define C_OBJECTBOX_VECTORS_H

#include <stddef.h>

// Distances of vectors of `count` floats at any address, several lanes at a time.
//
// In C: its vector types use the processor's lanes in debug builds too, where Swift's SIMD types
// cost several hundred times as much.

// The sum of the squares of the differences.
float objectbox_squared_distance(const void *_Nonnull a, const void *_Nonnull b, size_t count);

// The sum of the products.
float objectbox_dot_product(const void *_Nonnull a, const void *_Nonnull b, size_t count);

// The same for one vector and each of several; prefetches them.
void objectbox_squared_distances(const void *_Nonnull a, const void *_Nonnull const *_Nonnull others,
                                 size_t otherCount, size_t count, float *_Nonnull results);
void objectbox_dot_products(const void *_Nonnull a, const void *_Nonnull const *_Nonnull others,
                            size_t otherCount, size_t count, float *_Nonnull results);

// Asks the processor to fetch a vector that will be needed soon.
void objectbox_prefetch_vector(const void *_Nonnull vector, size_t count);

#endif
