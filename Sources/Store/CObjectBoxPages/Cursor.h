#ifndef OBX_PAGES_CURSOR_H
#define OBX_PAGES_CURSOR_H

#include "Walk.h"

// Cursors of tables with duplicates: while `duplicates_path` is nowhere, the cursor is in the gap
// before the key at the leaf's index, which may be one past the end of its page.

static inline int has_duplicates(const obx_pages_cursor *cursor) {
  return (cursor->table.flags & TABLE_DUPLICATES) != 0;
}

static inline obx_pages_status lose(obx_pages_cursor *cursor, obx_pages_status status) {
  cursor->path.depth = 0;
  cursor->duplicates_path.depth = 0;
  cursor->is_in_gap = 0;
  return status;
}

static inline obx_pages_status lose_at_leaf(obx_pages_cursor *cursor) {
  cursor->bad_page = number_of(&cursor->table.pages, leaf_of(&cursor->path)->page);
  return lose(cursor, OBX_PAGES_CORRUPT);
}

// Reads an entry of a leaf without duplicates, at an index below the count.
static inline obx_pages_status read_record(
  const obx_pages_table *table, const obx_pages_level *leaf, size_t index, obx_pages_entry *entry,
  uint64_t *bad_page) {
  obx_node node = node_at(leaf, index, page_bytes(table));
  if (UNLIKELY(!node.place || (has_integer_keys(table) && key_size(node) != 8))) {
    return corrupt(number_of(&table->pages, leaf->page), bad_page);
  }
  *entry = (obx_pages_entry){key_of(node), NULL, (uint32_t)key_size(node), 0};
  return node_value(table, node, &entry->value, &entry->value_size, bad_page);
}

// Reads an entry like `read_record` if its key is an integer and its value lies in the page; else
// returns false. Nearly all entries of scans have this form, which halves their instructions. Page
// and size are passed by value: entries could alias variables in memory, which would then be
// reloaded for each entry.
static inline int read_plain_record(
  const uint8_t *page, size_t size, size_t index, obx_pages_entry *entry) {
  const size_t integer_node = NODE_HEADER + 8;
  size_t offset = obx_load16(page + PAGE_HEADER + 2 * index);
  // The node begins after the page's header; its header and key lie in the page.
  if (offset < PAGE_HEADER || offset + integer_node > size) return 0;
  const uint8_t *node = page + offset;
  uint64_t header = obx_load64(node);
  uint32_t value_size = (uint32_t)header;
  // No flags, and a key of 8 bytes.
  if (header >> 32 != (uint64_t)8 << 16 || value_size > size - offset - integer_node) return 0;
  *entry = (obx_pages_entry){node + NODE_HEADER, node + integer_node, 8, value_size};
  return 1;
}

// Counts the duplicates of a key that the cursor leaves forward. A negative count is for a key that
// it enters backwards. False when there are more than the table has.
static inline int pass(obx_pages_cursor *cursor, int64_t count) {
  cursor->passed += count;
  int64_t entries = (int64_t)cursor->table.entries;
  return cursor->passed <= entries && cursor->passed >= -entries;
}

// The duplicates that a leaf's node holds in its own page: a single one, or a sub-page.
static inline obx_pages_status duplicates_level(
  const obx_pages_table *table, obx_node node, obx_pages_level *level, size_t *size) {
  uint32_t value_size = (uint32_t)node.header;
  const uint8_t *value = key_of(node) + key_size(node);
  size_t room = node.room - key_size(node);
  uint16_t flags = node_flags(node);
  if (UNLIKELY(value_size > room)) return OBX_PAGES_CORRUPT;
  *size = PAGE_HEADER + value_size;
  if (flags == 0) {
    if (table->flags & TABLE_INTEGER_DUPLICATES && value_size != 8) return OBX_PAGES_CORRUPT;
    // Treats the value as a page of one key, whose header is not read. Its address lies in the
    // node's page, which has a header of the same size.
    *level = (obx_pages_level){value - PAGE_HEADER, 0, 1, (uint16_t)value_size, 1};
    return OBX_PAGES_OK;
  }
  if (UNLIKELY(flags != NODE_DUPLICATES || value_size < PAGE_HEADER)) return OBX_PAGES_CORRUPT;
  // The sub-page lies where its node does, so its own number is meaningless.
  uint64_t header = obx_load64(value + 8);
  int fixed = table->flags & TABLE_FIXED_DUPLICATES;
  uint16_t fixed_size = fixed ? (uint16_t)header : 0;
  if (UNLIKELY((page_flags(header) & ~PAGE_TRANSIENT) !=
        (PAGE_LEAF | PAGE_SUB_PAGE | (fixed ? PAGE_KEYS_ONLY : 0)) ||
      (fixed && fixed_size == 0) ||
      (table->flags & TABLE_INTEGER_DUPLICATES && fixed_size != 8))) {
    return OBX_PAGES_CORRUPT;
  }
  obx_pages_table keys = {.fixed_size = fixed_size};
  *size = value_size;
  return open_level(&keys, value, header, value_size, 1, level);
}

// Opens the table of a key with a tree of duplicates.
obx_pages_status obx_duplicates_table(
  const obx_pages_table *table, obx_node node, obx_pages_table *duplicates, uint64_t *bad_page);
// Opens the duplicates of the key at the path, and goes to the first or last one. After a failure
// the cursor is nowhere.
obx_pages_status obx_enter_key(obx_pages_cursor *cursor, int at_last);
// Opens the duplicates without moving to one of them.
obx_pages_status obx_open_duplicates(obx_pages_cursor *cursor);
// Goes to the first or last duplicate; the duplicates of the key must be open.
obx_pages_status obx_place_duplicates(obx_pages_cursor *cursor, int at_last);
// Reads the entry at the cursor. After a failure the cursor is nowhere.
obx_pages_status obx_read_entry(obx_pages_cursor *cursor, obx_pages_entry *entry);
// Goes to the first duplicate not below a value; OBX_PAGES_END without one. After a failure the
// cursor is nowhere. The duplicates must be open.
obx_pages_status obx_search_duplicates(
  obx_pages_cursor *cursor, const uint8_t *value, size_t size, int *is_found);

#endif
