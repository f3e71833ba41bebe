#include "Cursor.h"

// The duplicates of the current key: a single value, a sub-page, or their own tree.

obx_pages_status obx_duplicates_table(
  const obx_pages_table *table, obx_node node, obx_pages_table *duplicates, uint64_t *bad_page) {
  const uint8_t *record = key_of(node) + key_size(node);
  uint32_t size = (uint32_t)node.header;
  uint64_t own = number_of(&table->pages, node.place);
  if (size != TABLE_RECORD || size > node.room - key_size(node)) return corrupt(own, bad_page);
  obx_pages_status status =
    obx_open_record(duplicates, &table->pages, record, bad_page);
  if (status) return status;
  int is_fixed = (table->flags & TABLE_FIXED_DUPLICATES) != 0;
  int is_integer = (table->flags & TABLE_INTEGER_DUPLICATES) != 0;
  uint32_t fixed_size = obx_load32(record);
  const uint16_t flags =
    (is_fixed ? TABLE_FIXED_DUPLICATES : 0) | (is_integer ? TABLE_INTEGER_KEYS : 0);
  if (duplicates->flags != flags || duplicates->depth == 0 ||
      duplicates->entries > table->entries ||
      (is_fixed ? fixed_size == 0 || fixed_size > page_bytes(table) : fixed_size != 0) ||
      (is_integer && fixed_size != 8)) {
    return corrupt(own, bad_page);
  }
  duplicates->flags = is_integer ? TABLE_INTEGER_KEYS : 0;
  duplicates->fixed_size = (uint16_t)fixed_size;
  return OBX_PAGES_OK;
}

obx_pages_status obx_open_duplicates(obx_pages_cursor *cursor) {
  obx_pages_level *leaf = leaf_of(&cursor->path);
  obx_node node = node_at(leaf, leaf->index, page_bytes(&cursor->table));
  if (UNLIKELY(!node.place)) return lose_at_leaf(cursor);
  cursor->duplicates_path.depth = 0;
  if (node_flags(node) == (NODE_DUPLICATES | NODE_TABLE)) {
    obx_pages_status status =
      obx_duplicates_table(&cursor->table, node, &cursor->duplicates, &cursor->bad_page);
    return status ? lose(cursor, status) : OBX_PAGES_OK;
  }
  obx_pages_level *level = &cursor->duplicates_path.levels[0];
  size_t size;
  obx_pages_status status = duplicates_level(&cursor->table, node, level, &size);
  if (status == OBX_PAGES_CORRUPT) return lose_at_leaf(cursor);
  if (status) return lose(cursor, status);
  cursor->duplicates = (obx_pages_table){
    .pages = cursor->table.pages, .root = NO_PAGE, .entries = level->count, .depth = 1,
    .flags = cursor->table.flags & TABLE_INTEGER_DUPLICATES ? TABLE_INTEGER_KEYS : 0,
    .fixed_size = level->fixed_size,
  };
  // Limits the nodes to the sub-page.
  cursor->duplicates.pages.page_size = (uint32_t)size;
  return OBX_PAGES_OK;
}

static int have_tree(const obx_pages_cursor *cursor) { return cursor->duplicates.root != NO_PAGE; }

obx_pages_status obx_place_duplicates(obx_pages_cursor *cursor, int at_last) {
  obx_pages_path *path = &cursor->duplicates_path;
  if (!have_tree(cursor)) {
    path->depth = 1;
    path->passed = 0;
    path->levels[0].index = at_last ? path->levels[0].count - 1 : 0;
    return OBX_PAGES_OK;
  }
  obx_pages_status status = at_last
    ? obx_path_last(&cursor->duplicates, path, &cursor->bad_page)
    : obx_path_first(&cursor->duplicates, path, &cursor->bad_page);
  return status ? lose(cursor, status) : OBX_PAGES_OK;
}

obx_pages_status obx_enter_key(obx_pages_cursor *cursor, int at_last) {
  obx_pages_status status = obx_open_duplicates(cursor);
  return status ? status : obx_place_duplicates(cursor, at_last);
}

obx_pages_status obx_search_duplicates(
  obx_pages_cursor *cursor, const uint8_t *value, size_t size, int *is_found) {
  obx_pages_table *table = &cursor->duplicates;
  obx_pages_path *path = &cursor->duplicates_path;
  if (have_tree(cursor)) {
    obx_pages_status status =
      obx_path_seek(table, path, value, size, is_found, &cursor->bad_page);
    return status ? lose(cursor, status) : OBX_PAGES_OK;
  }
  if (has_integer_keys(table) && size != 8) return lose(cursor, OBX_PAGES_UNKNOWN_FORM);
  size_t place;
  const uint8_t *found;
  uint32_t found_size;
  path->depth = 1;
  path->passed = 0;
  if (UNLIKELY(obx_search_page(table, leaf_of(path), 0, value, size, 0, &place))) {
    return lose_at_leaf(cursor);
  }
  if (place == leaf_of(path)->count) return lose(cursor, OBX_PAGES_END);
  leaf_of(path)->index = (uint16_t)place;
  if (UNLIKELY(!leaf_key(table, leaf_of(path), place, &found, &found_size))) {
    return lose_at_leaf(cursor);
  }
  *is_found = compare_bytes(found, found_size, value, size) == 0;
  return OBX_PAGES_OK;
}

// Whether the cursor is at a key or inside one.
static int has_key(const obx_pages_cursor *cursor) {
  return cursor->path.depth > 0 && cursor->duplicates_path.depth > 0;
}

obx_pages_status obx_pages_first_duplicate(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (!has_key(cursor)) return OBX_PAGES_END;
  cursor->is_in_gap = 0;
  obx_pages_status status = obx_place_duplicates(cursor, 0);
  return status ? status : obx_read_entry(cursor, entry);
}

obx_pages_status obx_pages_last_duplicate(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (!has_key(cursor)) return OBX_PAGES_END;
  cursor->is_in_gap = 0;
  obx_pages_status status = obx_place_duplicates(cursor, 1);
  return status ? status : obx_read_entry(cursor, entry);
}

obx_pages_status obx_pages_next_duplicate(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (!has_key(cursor)) return OBX_PAGES_END;
  obx_pages_level *leaf = leaf_of(&cursor->duplicates_path);
  size_t next = (size_t)leaf->index + !cursor->is_in_gap;
  if (next < leaf->count) {
    leaf->index = (uint16_t)next;
  } else {
    obx_pages_status status = obx_path_next_leaf(
      &cursor->duplicates, &cursor->duplicates_path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
  }
  cursor->is_in_gap = 0;
  return obx_read_entry(cursor, entry);
}

obx_pages_status obx_pages_previous_duplicate(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (!has_key(cursor)) return OBX_PAGES_END;
  obx_pages_level *leaf = leaf_of(&cursor->duplicates_path);
  if (leaf->index > 0) {
    leaf->index--;
  } else {
    obx_pages_status status = obx_path_previous_leaf(
      &cursor->duplicates, &cursor->duplicates_path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
  }
  cursor->is_in_gap = 0;
  return obx_read_entry(cursor, entry);
}

obx_pages_status obx_pages_seek_duplicate(
  obx_pages_cursor *cursor, const void *value, size_t value_size, obx_pages_entry *entry) {
  if (!has_key(cursor)) return OBX_PAGES_END;
  int is_found;
  cursor->is_in_gap = 0;
  obx_pages_status status = obx_search_duplicates(cursor, value, value_size, &is_found);
  return status ? status : obx_read_entry(cursor, entry);
}

uint64_t obx_pages_duplicate_count(const obx_pages_cursor *cursor) {
  if (cursor->path.depth == 0) return 0;
  if (!has_duplicates(cursor)) return 1;
  return cursor->duplicates_path.depth > 0 ? cursor->duplicates.entries : 0;
}
