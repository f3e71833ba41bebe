#ifndef OBX_PAGES_VIEW_H
#define OBX_PAGES_VIEW_H

#include "Layout.h"

#include "CObjectBoxVerify.h"

// One page of a tree, with checks of its own bytes, for walks over files that may be damaged.

// A key, or no bound.
typedef struct {
  const uint8_t *bytes;
  size_t size;
} bound;

// The page of a walk: a page of the file, or a sub-page with the duplicates of a key.
typedef struct {
  const uint8_t *bytes;
  // Size of the page or sub-page in bytes.
  size_t size;
  // The page's number; for a sub-page, the number of the page that contains it.
  uint64_t number;
  size_t lower, upper, count;
  // Bounds of the page's keys: none is below `low`, all are below `high`.
  bound low, high;
} page_view;

// The tree of a walk: its form, and counts.
typedef struct {
  enum { FREE_TREE, MAIN_TREE, NAMED_TREE, DUPLICATES_TREE } kind;
  int has_integer_keys;
  // The flags of the table, for its duplicates.
  uint16_t flags;
  // Size of the keys on leaf pages that hold keys only; 0 without such pages.
  uint16_t fixed_size;
  uint64_t branch, leaf, overflow, entries;
} obx_tree;

enum {
  // LMDB's limit.
  MAXIMUM_KEY_SIZE = 511,
};

static inline int compare_keys(const obx_tree *tree, bound a, bound b) {
  if (tree->has_integer_keys && a.size == 8 && b.size == 8) {
    uint64_t x = obx_load64(a.bytes), y = obx_load64(b.bytes);
    return (x > y) - (x < y);
  }
  return compare_bytes(a.bytes, a.size, b.bytes, b.size);
}

// Opens a page of `pages->page_size` bytes whose number is in range; false, with the fault, when
// its header does not fit this tree.
static inline int view_page(
  const obx_pages *pages, const obx_tree *tree, uint64_t number, int is_leaf, page_view *page,
  obx_finding *fault) {
  const uint8_t *bytes = pages->base + number * pages->page_size;
  *fault = (obx_finding){.kind = OBX_FINDING_PAGE_NUMBER, .page = number};
  if (obx_load64(bytes) != number) {
    fault->found = obx_load64(bytes);
    fault->expected = number;
    return 0;
  }
  int is_fixed = is_leaf && tree->fixed_size;
  uint64_t header = obx_load64(bytes + 8);
  uint16_t expected = is_leaf ? PAGE_LEAF | (is_fixed ? PAGE_KEYS_ONLY : 0) : PAGE_BRANCH;
  if ((page_flags(header) & ~PAGE_TRANSIENT) != expected) {
    fault->kind = OBX_FINDING_PAGE_KIND;
    fault->found = page_flags(header);
    fault->expected = expected;
    return 0;
  }
  *page = (page_view){
    .bytes = bytes, .size = pages->page_size, .number = number, .lower = header >> 32 & 0xffff,
    .upper = header >> 48,
  };
  // Nodes begin at even offsets; a page of keys has no nodes.
  if (page->lower < PAGE_HEADER || page->lower & 1 || page->lower > page->upper ||
      page->upper > page->size || (!is_fixed && page->upper & 1) ||
      (is_fixed && (uint16_t)header != tree->fixed_size)) {
    fault->kind = OBX_FINDING_PAGE_HEADER;
    fault->found = page->lower;
    fault->expected = page->upper;
    return 0;
  }
  page->count = (page->lower - PAGE_HEADER) / 2;
  return 1;
}

// Opens the sub-page of a node that has the duplicates of a key, in a table with these flags; false
// for none.
static inline int view_sub_page(
  const uint8_t *bytes, size_t size, uint64_t number, uint16_t table_flags, page_view *page) {
  int is_fixed = (table_flags & TABLE_FIXED_DUPLICATES) != 0;
  uint64_t header = size >= PAGE_HEADER ? obx_load64(bytes + 8) : 0;
  *page = (page_view){
    .bytes = bytes, .size = size, .number = number, .lower = header >> 32 & 0xffff,
    .upper = header >> 48,
  };
  uint16_t expected = PAGE_LEAF | PAGE_SUB_PAGE | (is_fixed ? PAGE_KEYS_ONLY : 0);
  if (size < PAGE_HEADER || (page_flags(header) & ~PAGE_TRANSIENT) != expected ||
      page->lower <= PAGE_HEADER || page->lower & 1 || page->lower > page->upper ||
      page->upper > size) {
    return 0;
  }
  page->count = (page->lower - PAGE_HEADER) / 2;
  return 1;
}

// The form of the duplicates of a table's keys.
static inline obx_tree duplicates_of(const obx_tree *tree) {
  return (obx_tree){
    .kind = DUPLICATES_TREE,
    .has_integer_keys = (tree->flags & TABLE_INTEGER_DUPLICATES) != 0,
  };
}

// Whether the record of a tree of duplicates fits its table.
static inline int is_duplicates_record(const obx_tree *tree, const uint8_t *record) {
  uint16_t flags = (uint16_t)((tree->flags & TABLE_FIXED_DUPLICATES ? TABLE_FIXED_DUPLICATES : 0) |
    (tree->flags & TABLE_INTEGER_DUPLICATES ? TABLE_INTEGER_KEYS : 0));
  // The duplicates' flag for reverse order, 0x40, becomes the flag for reverse keys, 2.
  return (obx_load16(record + 4) & ~2) == flags && obx_load64(record + 40) != NO_PAGE;
}

// Size of a node with its header in bytes; 0 when the node does not lie in the page.
static inline size_t node_size(const page_view *page, size_t offset, int is_leaf) {
  if (offset & 1 || offset < page->upper || offset + NODE_HEADER > page->size) return 0;
  uint64_t header = obx_load64(page->bytes + offset);
  uint64_t size = NODE_HEADER + (header >> 48);
  if (is_leaf) size += header >> 32 & NODE_OVERFLOW ? 8 : (uint32_t)header;
  size = (size + 1) & ~(uint64_t)1;
  return size <= page->size - offset ? (size_t)size : 0;
}

// The offset of a node in the page.
static inline size_t node_offset(const page_view *page, size_t index) {
  return obx_load16(page->bytes + PAGE_HEADER + 2 * index);
}

// One bit for each two bytes of a page.
typedef struct {
  uint8_t bits[LARGEST_PAGE / 16];
} page_room;

// Marks the bytes of a node as used; false when another node uses them.
static inline int take_room(page_room *room, size_t offset, size_t size) {
  for (size_t unit = offset / 2; unit < (offset + size) / 2; unit++) {
    uint8_t bit = (uint8_t)(1 << (unit & 7));
    if (room->bits[unit >> 3] & bit) return 0;
    room->bits[unit >> 3] |= bit;
  }
  return 1;
}

// The key of a node; the node's size must be known.
static inline bound key_at(const page_view *page, size_t index) {
  const uint8_t *node = page->bytes + node_offset(page, index);
  return (bound){node + NODE_HEADER, obx_load16(node + 6)};
}

// Whether a key's size is valid in a tree.
static inline int is_key(const obx_tree *tree, bound key) {
  return key.size > 0 && key.size <= MAXIMUM_KEY_SIZE && !(tree->has_integer_keys && key.size != 8);
}

// The number of overflow pages from a page on, which is in range; 0 when they cannot hold a value
// of that size.
static inline uint64_t overflow_count(const obx_pages *pages, uint64_t number, uint64_t size) {
  const uint8_t *page = pages->base + number * pages->page_size;
  // A value that was replaced by a shorter one keeps its pages.
  uint64_t needed = (PAGE_HEADER + size + pages->page_size - 1) / pages->page_size;
  uint64_t count = obx_load32(page + 12);
  int is_right = obx_load64(page) == number &&
    (obx_load16(page + 10) & ~PAGE_TRANSIENT) == PAGE_OVERFLOW && count >= needed &&
    count <= pages->page_count - number;
  return is_right ? count : 0;
}

#endif
