#ifndef OBX_PAGES_LAYOUT_H
#define OBX_PAGES_LAYOUT_H

#include <string.h>

#include "CObjectBoxPages.h"

// The layout of pages and nodes in data version 1, with the checks that each step needs.
//
// Offsets in a page of 64-bit little-endian processors, the only ones that `ObjectBoxStorage` is
// built for: 0 page number (8 bytes), 8 key size of a page of keys (2),
// 10 flags (2), 12 end of the node offsets (2), 14 begin of the nodes (2), 16 node offsets (2
// each). An overflow page has its number of pages at 12 (4 bytes). A node: 0 size of the value (4),
// 4 flags (2), 6 size of the key (2), 8 key, then the value. In branches the first 6 bytes are the
// child's number.

enum {
  PAGE_HEADER = 16,
  NODE_HEADER = 8,
  TABLE_RECORD = 48,
  SMALLEST_PAGE = 256,
  LARGEST_PAGE = 32768,

  PAGE_BRANCH = 0x01,
  PAGE_LEAF = 0x02,
  PAGE_OVERFLOW = 0x04,
  PAGE_META = 0x08,
  PAGE_KEYS_ONLY = 0x20,
  PAGE_SUB_PAGE = 0x40,
  PAGE_DIRTY = 0x10,
  // Flags of LMDB's memory, which it may leave set in the file.
  PAGE_TRANSIENT = PAGE_DIRTY | 0x4000 | 0x8000,

  NODE_OVERFLOW = 0x01,
  NODE_TABLE = 0x02,
  NODE_DUPLICATES = 0x04,

  TABLE_DUPLICATES = 0x04,
  TABLE_INTEGER_KEYS = 0x08,
  TABLE_FIXED_DUPLICATES = 0x10,
  TABLE_INTEGER_DUPLICATES = 0x20,
  TABLE_KNOWN = 0x3c,
  // Not in the file: marks the main table, whose values are records of tables.
  TABLE_OF_TABLES = 0x8000,

  // Offsets in a head page. The record of the free list begins with the page size.
  HEAD_MAGIC = 16,
  HEAD_DATA_VERSION = 20,
  HEAD_MAP_SIZE = 32,
  HEAD_FREE_TABLE = 40,
  HEAD_MAIN_TABLE = 88,
  HEAD_LAST_PAGE = 136,
  HEAD_VERSION = 144,
};

// Pages 0 and 1 are the head pages, which belong to no tree.
#define FIRST_TREE_PAGE 2
#define NO_PAGE UINT64_MAX

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static inline obx_pages_status corrupt(uint64_t page, uint64_t *bad_page) {
  *bad_page = page;
  return OBX_PAGES_CORRUPT;
}

// The number of a checked page, or of the page that contains a sub-page.
static inline uint64_t number_of(const obx_pages *pages, const uint8_t *place) {
  return (uint64_t)(place - pages->base) / pages->page_size;
}

// Returns the page with a number; NULL when it must not be accessed or states another number.
static inline const uint8_t *page_at(const obx_pages *pages, uint64_t number) {
  if (UNLIKELY(number < FIRST_TREE_PAGE || number >= pages->page_count)) return NULL;
  // In bounds: number < page_count, and all pages below page_count are in the map and the file.
  const uint8_t *page = pages->base + number * pages->page_size;
  return obx_load64(page) == number ? page : NULL;
}

// Bytes 8 to 15 of a page.
static inline uint16_t page_flags(uint64_t header) { return (uint16_t)(header >> 16); }

// Checks the counts of a page of `size` bytes, and starts a level at its first entry.
static inline obx_pages_status open_level(
  const obx_pages_table *table, const uint8_t *page, uint64_t header, size_t size, int is_leaf,
  obx_pages_level *level) {
  size_t lower = header >> 32 & 0xffff, upper = header >> 48;
  if (UNLIKELY(lower <= PAGE_HEADER || lower & 1 || lower > upper || upper > size)) {
    return OBX_PAGES_CORRUPT;
  }
  // All offsets lie in the page, since lower <= size.
  uint16_t count = (uint16_t)((lower - PAGE_HEADER) / 2);
  uint16_t fixed_size = is_leaf ? table->fixed_size : 0;
  if (UNLIKELY(((page_flags(header) & PAGE_KEYS_ONLY) != 0) != (fixed_size != 0))) {
    return OBX_PAGES_CORRUPT;
  }
  // All keys of a page of keys lie in it.
  if (fixed_size && ((uint16_t)header != fixed_size ||
      PAGE_HEADER + (size_t)count * fixed_size > size)) {
    return OBX_PAGES_CORRUPT;
  }
  *level = (obx_pages_level){page, 0, count, fixed_size, fixed_size != 0};
  return OBX_PAGES_OK;
}

// Opens a branch or leaf of a table; the depth decides which it must be.
static inline obx_pages_status open_page(
  const obx_pages_table *table, uint64_t number, int is_leaf, obx_pages_level *level,
  uint64_t *bad_page) {
  const uint8_t *page = page_at(&table->pages, number);
  if (UNLIKELY(!page)) return corrupt(number, bad_page);
  uint64_t header = obx_load64(page + 8);
  // Data version 1 has no other kinds: LMDB could end the process on them.
  int kind = page_flags(header) & ~(PAGE_TRANSIENT | PAGE_KEYS_ONLY);
  if (UNLIKELY(kind != (is_leaf ? PAGE_LEAF : PAGE_BRANCH) ||
      open_level(table, page, header, table->pages.page_size, is_leaf, level))) {
    return corrupt(number, bad_page);
  }
  return OBX_PAGES_OK;
}

// A node in a page; `place` is NULL when the node does not lie in the page.
typedef struct {
  const uint8_t *place;
  // The node's first 8 bytes.
  uint64_t header;
  // Bytes of the page after the node's header.
  size_t room;
} obx_node;

static inline size_t key_size(obx_node node) { return node.header >> 48; }
static inline uint16_t node_flags(obx_node node) { return (uint16_t)(node.header >> 32); }
static inline uint64_t child_of(obx_node node) { return node.header & 0xffffffffffff; }
static inline const uint8_t *key_of(obx_node node) { return node.place + NODE_HEADER; }

// Returns the node at an index below the level's count; `size` is the page's.
static inline obx_node node_at(const obx_pages_level *level, size_t index, size_t size) {
  size_t offset = obx_load16(level->page + PAGE_HEADER + 2 * index);
  obx_node node = {NULL, 0, 0};
  // The node begins after the page's header, and its own header lies in the page.
  if (UNLIKELY(offset < PAGE_HEADER || offset + NODE_HEADER > size)) return node;
  node.header = obx_load64(level->page + offset);
  node.room = size - offset - NODE_HEADER;
  // The whole key lies in the page.
  if (UNLIKELY(key_size(node) > node.room)) return node;
  node.place = level->page + offset;
  return node;
}

static inline int has_integer_keys(const obx_pages_table *table) {
  return (table->flags & TABLE_INTEGER_KEYS) != 0;
}

// Opens a table by LMDB's record of it, with any flags.
obx_pages_status obx_open_record(
  obx_pages_table *table, const obx_pages *pages, const uint8_t *record, uint64_t *bad_page);

// The order of byte keys, as LMDB's `mdb_cmp_memn`.
static inline int compare_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size) {
  size_t common = a_size < b_size ? a_size : b_size;
  int order = common ? memcmp(a, b, common) : 0;
  return order ? order : (a_size > b_size) - (a_size < b_size);
}

#endif
