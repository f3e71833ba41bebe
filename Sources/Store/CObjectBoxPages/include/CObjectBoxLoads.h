#ifndef C_OBJECTBOX_LOADS_H
#define C_OBJECTBOX_LOADS_H

#include <stdint.h>
#include <string.h>

// Reads integers from a mapped file, at any address.

static inline uint16_t obx_load16(const uint8_t *_Nonnull place) {
  uint16_t value;
  memcpy(&value, place, sizeof value);
  return value;
}
static inline uint32_t obx_load32(const uint8_t *_Nonnull place) {
  uint32_t value;
  memcpy(&value, place, sizeof value);
  return value;
}
static inline uint64_t obx_load64(const uint8_t *_Nonnull place) {
  uint64_t value;
  memcpy(&value, place, sizeof value);
  return value;
}

#endif
