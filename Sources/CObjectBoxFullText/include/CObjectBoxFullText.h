#ifndef C_OBJECTBOX_FULL_TEXT_H
#define C_OBJECTBOX_FULL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxWords.h"

// The hottest loops of full text indexes.

// Block of postings: `count` ordinals and frequencies, packed.

#define OBX_BLOCK_CAPACITY 128

// The greatest size of a packed block in bytes.
#define OBX_BLOCK_MAXIMUM 1026

// Packs a block; returns its size in bytes.
//
// Ordinals ascend and are at least `base`; frequencies are at least 1. Writes at most
// OBX_BLOCK_MAXIMUM bytes, and up to 8 zero bytes behind them.
size_t obx_block_pack(uint8_t *_Nonnull bytes, const uint32_t *_Nonnull ordinals,
                      const uint32_t *_Nonnull frequencies, uint32_t count, uint32_t base);

// Unpacks a block of `count` postings that ends with the ordinal `last`; returns false for damaged
// bytes.
//
// Reads only the `size` bytes. The arrays have room for OBX_BLOCK_CAPACITY numbers.
bool obx_block_unpack(const uint8_t *_Nonnull bytes, size_t size, uint32_t count, uint32_t base,
                      uint32_t last, uint32_t *_Nonnull ordinals, uint32_t *_Nonnull frequencies);

#endif
