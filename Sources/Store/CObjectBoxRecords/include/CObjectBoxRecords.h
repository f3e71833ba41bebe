#ifndef C_OBJECTBOX_RECORDS_H
#define C_OBJECTBOX_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxPages.h"

// Tests and reads many records per call: a condition as a flat program, or the fields of some
// properties, one program or list for each layout of the records.
//
// A filter in Swift takes over a hundred instructions per record, most of them to pass readers and
// results between functions; here a loop's tests stay in registers. Reads stay within a record's
// size, whatever its bytes are. A record that is too short for its layout, or names an unknown
// layout, is damaged.

typedef enum {
  OBX_TEST_NEVER,
  OBX_TEST_ALWAYS,
  // Tests the bit that says whether there is a value.
  OBX_TEST_NULL,
  OBX_TEST_PRESENT,
  // Integers compare as unsigned `(value ^ flip) & mask`, whatever their size. Null fails, as in
  // all tests below. `low` and `span` are a range, `numbers` an ascending list.
  OBX_TEST_INTEGER_INSIDE,
  OBX_TEST_INTEGER_OUTSIDE,
  OBX_TEST_INTEGER_LISTED,
  OBX_TEST_INTEGER_UNLISTED,
  // NaN fails, as null does. From `double_low` to `double_high`, or below or above them; `numbers` is
  // an ascending list of the bits of numbers, without -0.
  OBX_TEST_DOUBLE_INSIDE,
  OBX_TEST_DOUBLE_OUTSIDE,
  OBX_TEST_DOUBLE_LISTED,
  OBX_TEST_DOUBLE_UNLISTED,
  // Compare texts and bytes with `bytes`; LISTED and UNLISTED with all `texts`, which are sorted.
  OBX_TEST_EQUAL,
  OBX_TEST_UNEQUAL,
  OBX_TEST_LESS,
  OBX_TEST_LESS_OR_EQUAL,
  OBX_TEST_GREATER,
  OBX_TEST_GREATER_OR_EQUAL,
  OBX_TEST_PREFIX,
  OBX_TEST_SUFFIX,
  OBX_TEST_CONTAINS,
  OBX_TEST_LISTED,
  OBX_TEST_UNLISTED,
  // From the first to the second of `texts`, with the second or without it.
  OBX_TEST_BETWEEN,
  OBX_TEST_IN_RANGE,
} obx_test_kind;

typedef enum {
  OBX_VALUE_ID,
  OBX_VALUE_INTEGER8,
  OBX_VALUE_INTEGER16,
  OBX_VALUE_INTEGER32,
  OBX_VALUE_INTEGER64,
  OBX_VALUE_FLOAT,
  OBX_VALUE_DOUBLE,
  // Bytes that begin at the end of the fixed part, or at the end of the previous value.
  OBX_VALUE_FIRST_BYTES,
  OBX_VALUE_BYTES,
  // The layout lacks the property, which is null.
  OBX_VALUE_ABSENT,
} obx_value_kind;

// The place of a property's value in the records of one layout.
typedef struct {
  obx_value_kind kind;
  // Offset of the value in the record; for bytes, offset of the number that states their end.
  uint32_t offset;
  // Offset of the byte with the bit that is 1 when there is a value.
  uint32_t presence_offset;
  uint8_t presence_mask;
} obx_field;

typedef struct {
  const uint8_t *_Nullable start;
  size_t size;
} obx_bytes;

// One test of a program.
typedef struct {
  obx_test_kind kind;
  obx_field field;
  // The next test, or OBX_PROGRAM_ACCEPT or OBX_PROGRAM_REJECT.
  int32_t on_true;
  int32_t on_false;
  uint64_t flip;
  uint64_t mask;
  uint64_t low;
  uint64_t span;
  double double_low;
  double double_high;
  const uint64_t *_Nullable numbers;
  size_t number_count;
  obx_bytes bytes;
  const obx_bytes *_Nullable texts;
  size_t text_count;
} obx_test;

#define OBX_PROGRAM_ACCEPT -1
#define OBX_PROGRAM_REJECT -2

// The tests for records of one layout, in order. Each leads to a later one or to an end.
typedef struct {
  const obx_test *_Nonnull tests;
  size_t test_count;
  // Size of the part before the bytes of variable values; every record has this part.
  size_t fixed_size;
} obx_program;

// A table's programs, by layout number. Immutable; any number of threads may use it.
typedef struct {
  const obx_program *_Nonnull layouts;
  size_t layout_count;
} obx_filter;

// Returns the number of records that pass.
//
// `tested` is the number of tested records; less than `count` if the next one is damaged.
size_t obx_filter_count(
  const obx_filter *_Nonnull filter, const obx_pages_entry *_Nonnull entries, size_t count,
  size_t *_Nonnull tested);

// Moves the records that pass to the front, in order, and returns their number. A damaged record
// and everything after it stay in place.
size_t obx_filter_keep(
  const obx_filter *_Nonnull filter, obx_pages_entry *_Nonnull entries, size_t count,
  size_t *_Nonnull tested);

// MARK: Columns

// The fields of the columns in records of one layout, in the order of the columns.
typedef struct {
  const obx_field *_Nonnull fields;
  // Size of the part before the bytes of variable values; every record has this part.
  size_t fixed_size;
} obx_column_fields;

// The fields of some properties of a table, by layout number. Immutable; any number of threads may
// use it.
typedef struct {
  const obx_column_fields *_Nonnull layouts;
  size_t layout_count;
  size_t column_count;
} obx_columns;

// Destination of a property's values.
typedef struct {
  // Integers, sign-extended, or the bits of floating point numbers as doubles; 0 for null. NULL for
  // a column of bytes, whose fields are absent or of the kinds of bytes; other columns have none of
  // these.
  int64_t *_Nullable numbers;
  // Bytes in the records themselves; NULL and 0 for null, and when they do not lie in the record.
  obx_bytes *_Nullable bytes;
  // 1 where there is a value, else 0.
  uint8_t *_Nonnull presence;
  // Number of nulls; the reader adds to it.
  size_t null_count;
} obx_column;

// Reads the columns of records, one column after the other, to `place` and the following places.
//
// Returns the number of records; less than `count` if the next one is damaged.
size_t obx_columns_read(
  const obx_columns *_Nonnull columns, const obx_pages_entry *_Nonnull entries, size_t count,
  obx_column *_Nonnull destination, size_t place);

// MARK: Checksums

// Returns the CRC-32C of a record: of the data that `seed` stands for, the ID as 8 bytes, and the
// bytes. Uses the processor's instruction if there is one.
uint32_t obx_record_checksum(
  uint32_t seed, uint64_t id, const void *_Nonnull bytes, size_t size);

// Returns the state of a CRC-32C after some bytes, on any processor. The state begins as
// 0xffffffff; the CRC is the complement of the last state.
uint32_t obx_crc32c_by_table(uint32_t crc, const void *_Nullable bytes, size_t size);

#endif
