#ifndef OBX_TESTS_H
#define OBX_TESTS_H

#include "Bytes.h"

// Values and tests of one record. Kinds that are constants leave a single test after inlining.

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Reads an integer of the kinds of integers, sign-extended. In bounds: the record has the fixed
// part.
ALWAYS_INLINE uint64_t integer_of(
  obx_value_kind kind, const obx_field *field, const obx_pages_entry *entry) {
  const uint8_t *place = entry->value + field->offset;
  switch (kind) {
  case OBX_VALUE_ID: return obx_load64(entry->key);
  case OBX_VALUE_INTEGER8: return (uint64_t)(int8_t)*place;
  case OBX_VALUE_INTEGER16: return (uint64_t)(int16_t)obx_load16(place);
  case OBX_VALUE_INTEGER32: return (uint64_t)(int32_t)obx_load32(place);
  default: return obx_load64(place);
  }
}

ALWAYS_INLINE double double_of(
  obx_value_kind kind, const obx_field *field, const obx_pages_entry *entry) {
  const uint8_t *place = entry->value + field->offset;
  if (kind == OBX_VALUE_FLOAT) {
    float value;
    memcpy(&value, place, sizeof value);
    return value;
  }
  double value;
  memcpy(&value, place, sizeof value);
  return value;
}

// Finds the bytes of a variable value; false when they do not lie in the record.
ALWAYS_INLINE int find_bytes(
  obx_value_kind kind, const obx_field *field, const obx_pages_entry *entry, size_t fixed_size,
  obx_bytes *bytes) {
  const uint8_t *place = entry->value + field->offset;
  size_t start = kind == OBX_VALUE_FIRST_BYTES ? fixed_size : obx_load32(place - 4);
  size_t end = obx_load32(place);
  if (start > end || end > entry->value_size) return 0;
  *bytes = (obx_bytes){entry->value + start, end - start};
  return 1;
}

static inline int is_listed(const obx_test *test, uint64_t value) {
  size_t low = 0, high = test->number_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (test->numbers[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < test->number_count && test->numbers[low] == value;
}

static inline int is_text_listed(const obx_test *test, obx_bytes value) {
  size_t low = 0, high = test->text_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = order_of(value, test->texts[middle]);
    if (order == 0) return 1;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return 0;
}

ALWAYS_INLINE int is_present(const obx_field *field, const obx_pages_entry *entry) {
  return (entry->value[field->presence_offset] & field->presence_mask) != 0;
}

ALWAYS_INLINE int passes_bytes(obx_test_kind kind, const obx_test *test, obx_bytes value) {
  obx_bytes operand = test->bytes;
  switch (kind) {
  case OBX_TEST_EQUAL: return is_equal(value, operand);
  case OBX_TEST_UNEQUAL: return !is_equal(value, operand);
  case OBX_TEST_LESS: return order_of(value, operand) < 0;
  case OBX_TEST_LESS_OR_EQUAL: return order_of(value, operand) <= 0;
  case OBX_TEST_GREATER: return order_of(value, operand) > 0;
  case OBX_TEST_GREATER_OR_EQUAL: return order_of(value, operand) >= 0;
  case OBX_TEST_PREFIX:
    return value.size >= operand.size && same_bytes(value.start, operand.start, operand.size);
  case OBX_TEST_SUFFIX:
    return value.size >= operand.size &&
      same_bytes(value.start + value.size - operand.size, operand.start, operand.size);
  case OBX_TEST_CONTAINS: return has_part(value, operand);
  case OBX_TEST_LISTED: return is_text_listed(test, value);
  case OBX_TEST_UNLISTED: return !is_text_listed(test, value);
  case OBX_TEST_BETWEEN:
  case OBX_TEST_IN_RANGE:
    return test->text_count == 2 && order_of(value, test->texts[0]) >= 0 &&
      order_of(value, test->texts[1]) < (kind == OBX_TEST_BETWEEN);
  default: return 0;
  }
}

ALWAYS_INLINE int passes_test(
  obx_test_kind kind, obx_value_kind value_kind, const obx_test *test,
  const obx_pages_entry *entry, size_t fixed_size) {
  const obx_field *field = &test->field;
  switch (kind) {
  case OBX_TEST_NEVER: return 0;
  case OBX_TEST_ALWAYS: return 1;
  case OBX_TEST_NULL: return !is_present(field, entry);
  case OBX_TEST_PRESENT: return is_present(field, entry);
  case OBX_TEST_INTEGER_INSIDE:
  case OBX_TEST_INTEGER_OUTSIDE:
  case OBX_TEST_INTEGER_LISTED:
  case OBX_TEST_INTEGER_UNLISTED: {
    int has_value = value_kind == OBX_VALUE_ID || is_present(field, entry);
    uint64_t value = (integer_of(value_kind, field, entry) ^ test->flip) & test->mask;
    // Branch-free: which records pass is unpredictable.
    if (kind == OBX_TEST_INTEGER_INSIDE) return has_value & (value - test->low <= test->span);
    if (kind == OBX_TEST_INTEGER_OUTSIDE) return has_value & (value - test->low > test->span);
    return has_value && is_listed(test, value) == (kind == OBX_TEST_INTEGER_LISTED);
  }
  case OBX_TEST_DOUBLE_INSIDE: {
    double value = double_of(value_kind, field, entry);
    return is_present(field, entry) & (value >= test->double_low) & (value <= test->double_high);
  }
  case OBX_TEST_DOUBLE_OUTSIDE: {
    double value = double_of(value_kind, field, entry);
    return is_present(field, entry) & ((value < test->double_low) | (value > test->double_high));
  }
  case OBX_TEST_DOUBLE_LISTED:
  case OBX_TEST_DOUBLE_UNLISTED: {
    // The sum of -0 and 0 is 0.
    double value = double_of(value_kind, field, entry) + 0.0;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return is_present(field, entry) && value == value &&
      is_listed(test, bits) == (kind == OBX_TEST_DOUBLE_LISTED);
  }
  default: {
    obx_bytes bytes;
    return is_present(field, entry) && find_bytes(value_kind, field, entry, fixed_size, &bytes) &&
      passes_bytes(kind, test, bytes);
  }
  }
}

// A loop over records of one layout; ends before a damaged record or another layout.
typedef struct {
  const obx_pages_entry *entries;
  // Destination of entries that pass; NULL to count them.
  obx_pages_entry *kept;
  size_t index;
  size_t count;
  size_t passed;
  uint16_t layout;
} Loop;

#endif
