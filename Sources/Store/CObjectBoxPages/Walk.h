#ifndef OBX_PAGES_WALK_H
#define OBX_PAGES_WALK_H

#include "Layout.h"

// Moves through one tree: the keys of a table, or the duplicates of a key.
//
// At the end, functions that move return OBX_PAGES_END and leave the path where it is. After any
// other failure the path is nowhere.

// Goes to the leaf that a key belongs to, at the first entry not below the key, which may be one
// past the end. `is_found` says whether the entry has exactly the key.
obx_pages_status obx_path_search(
  const obx_pages_table *table, obx_pages_path *path, const uint8_t *key, size_t size,
  int *is_found, uint64_t *bad_page);
// Like `obx_path_search`, but goes to the next leaf when needed. Nowhere after OBX_PAGES_END.
obx_pages_status obx_path_seek(
  const obx_pages_table *table, obx_pages_path *path, const uint8_t *key, size_t size,
  int *is_found, uint64_t *bad_page);
obx_pages_status obx_path_first(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page);
obx_pages_status obx_path_last(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page);
// Goes to the first entry of the next leaf.
obx_pages_status obx_path_next_leaf(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page);
// Goes to the last entry of the previous leaf.
obx_pages_status obx_path_previous_leaf(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page);
// Finds the position of a key in a page: the number of entries of `[begin, count)` below the key,
// or not above it with `counts_equal`.
obx_pages_status obx_search_page(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, const uint8_t *key,
  size_t size, int counts_equal, size_t *place);

static inline obx_pages_level *leaf_of(obx_pages_path *path) {
  return &path->levels[path->depth - 1];
}

// Limit of what lies in a page of the table: the page's size, or its sub-page's.
static inline size_t page_bytes(const obx_pages_table *table) { return table->pages.page_size; }

// Reads the key at an index below the count; false when it is damaged.
static inline int leaf_key(
  const obx_pages_table *table, const obx_pages_level *leaf, size_t index, const uint8_t **key,
  uint32_t *size) {
  if (leaf->is_fixed) {
    // In bounds: `open_level` checked count times size.
    *key = leaf->page + PAGE_HEADER + index * leaf->fixed_size;
    *size = leaf->fixed_size;
    return 1;
  }
  obx_node node = node_at(leaf, index, page_bytes(table));
  if (UNLIKELY(!node.place)) return 0;
  *key = key_of(node);
  *size = (uint32_t)key_size(node);
  return 1;
}

// Reads the value of a leaf's node without duplicates.
static inline obx_pages_status node_value(
  const obx_pages_table *table, obx_node node, const uint8_t **value, uint32_t *value_size,
  uint64_t *bad_page) {
  uint16_t flags = node_flags(node);
  uint32_t size = (uint32_t)node.header;
  const uint8_t *place = key_of(node) + key_size(node);
  size_t room = node.room - key_size(node);
  *value_size = size;
  if (flags == 0 && size <= room) {
    *value = place;
    return OBX_PAGES_OK;
  }
  uint64_t own = number_of(&table->pages, node.place);
  if (flags == NODE_TABLE && table->flags & TABLE_OF_TABLES && size == TABLE_RECORD && size <= room) {
    *value = place;
    return OBX_PAGES_OK;
  }
  if (flags != NODE_OVERFLOW || room < 8) return corrupt(own, bad_page);
  uint64_t number = obx_load64(place);
  const uint8_t *page = page_at(&table->pages, number);
  if (!page) return corrupt(number, bad_page);
  uint64_t needed = ((uint64_t)PAGE_HEADER + size + page_bytes(table) - 1) / page_bytes(table);
  // No overflow: needed < 2^32, and number < page_count <= the map's size / page size.
  if ((obx_load16(page + 10) & ~PAGE_TRANSIENT) != PAGE_OVERFLOW || obx_load32(page + 12) < needed ||
      needed > table->pages.page_count - number) {
    return corrupt(number, bad_page);
  }
  *value = page + PAGE_HEADER;
  return OBX_PAGES_OK;
}

#endif
