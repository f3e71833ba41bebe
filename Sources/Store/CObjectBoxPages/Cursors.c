#include "Cursor.h"

// Moving a cursor through the entries of a table.

void obx_pages_cursor_init(obx_pages_cursor *cursor, const obx_pages_table *table) {
  // Levels are written before they are read, so the rest needs no clearing.
  cursor->table = *table;
  cursor->passed = 0;
  cursor->bad_page = 0;
  cursor->path.passed = 0;
  lose(cursor, OBX_PAGES_OK);
}

obx_pages_status obx_read_entry(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  obx_pages_level *leaf = leaf_of(&cursor->path);
  if (!has_duplicates(cursor)) {
    obx_pages_status status =
      read_record(&cursor->table, leaf, leaf->index, entry, &cursor->bad_page);
    return status ? lose(cursor, status) : OBX_PAGES_OK;
  }
  if (UNLIKELY(!leaf_key(
        &cursor->table, leaf, leaf->index, &entry->key, &entry->key_size) ||
      (has_integer_keys(&cursor->table) && entry->key_size != 8))) {
    return lose_at_leaf(cursor);
  }
  obx_pages_level *duplicate = leaf_of(&cursor->duplicates_path);
  if (UNLIKELY(!leaf_key(
        &cursor->duplicates, duplicate, duplicate->index, &entry->value, &entry->value_size))) {
    lose(cursor, OBX_PAGES_CORRUPT);
    return corrupt(number_of(&cursor->table.pages, duplicate->page), &cursor->bad_page);
  }
  return OBX_PAGES_OK;
}

// Reads the entry at the first or last duplicate of the key at the path.
static obx_pages_status arrive(obx_pages_cursor *cursor, int at_last, obx_pages_entry *entry) {
  cursor->is_in_gap = 0;
  if (has_duplicates(cursor)) {
    obx_pages_status status = obx_enter_key(cursor, at_last);
    if (status) return status;
  }
  return obx_read_entry(cursor, entry);
}

obx_pages_status obx_pages_first(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  cursor->passed = 0;
  obx_pages_status status = obx_path_first(&cursor->table, &cursor->path, &cursor->bad_page);
  return status ? lose(cursor, status) : arrive(cursor, 0, entry);
}

obx_pages_status obx_pages_last(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  cursor->passed = 0;
  obx_pages_status status = obx_path_last(&cursor->table, &cursor->path, &cursor->bad_page);
  return status ? lose(cursor, status) : arrive(cursor, 1, entry);
}

obx_pages_status obx_pages_seek(
  obx_pages_cursor *cursor, const void *key, size_t key_size, obx_pages_entry *entry) {
  int is_found;
  cursor->passed = 0;
  obx_pages_status status = obx_path_seek(
    &cursor->table, &cursor->path, key, key_size, &is_found, &cursor->bad_page);
  return status ? lose(cursor, status) : arrive(cursor, 0, entry);
}

// Goes to a key; OBX_PAGES_END when it does not exist. After a failure the cursor is nowhere.
static obx_pages_status find_key(obx_pages_cursor *cursor, const void *key, size_t key_size) {
  int is_found;
  cursor->passed = 0;
  obx_pages_status status = obx_path_search(
    &cursor->table, &cursor->path, key, key_size, &is_found, &cursor->bad_page);
  if (!status && !is_found) status = OBX_PAGES_END;
  return status ? lose(cursor, status) : OBX_PAGES_OK;
}

obx_pages_status obx_pages_find(
  obx_pages_cursor *cursor, const void *key, size_t key_size, obx_pages_entry *entry) {
  obx_pages_status status = find_key(cursor, key, key_size);
  return status ? status : arrive(cursor, 0, entry);
}

obx_pages_status obx_pages_next_key(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (cursor->path.depth == 0) return obx_pages_first(cursor, entry);
  obx_pages_level *leaf = leaf_of(&cursor->path);
  int is_before_key =
    has_duplicates(cursor) ? cursor->duplicates_path.depth == 0 : cursor->is_in_gap;
  uint64_t left = has_duplicates(cursor) && !is_before_key ? cursor->duplicates.entries : 0;
  size_t next = (size_t)leaf->index + !is_before_key;
  if (next < leaf->count) {
    leaf->index = (uint16_t)next;
  } else {
    obx_pages_status status =
      obx_path_next_leaf(&cursor->table, &cursor->path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
  }
  if (UNLIKELY(!pass(cursor, (int64_t)left))) return lose_at_leaf(cursor);
  return arrive(cursor, 0, entry);
}

// Goes to the previous key, at its first or last duplicate.
static obx_pages_status key_before(
  obx_pages_cursor *cursor, int at_last, obx_pages_entry *entry) {
  obx_pages_level *leaf = leaf_of(&cursor->path);
  if (leaf->index > 0) {
    leaf->index--;
  } else {
    obx_pages_status status =
      obx_path_previous_leaf(&cursor->table, &cursor->path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
  }
  obx_pages_status status = arrive(cursor, at_last, entry);
  if (status || !has_duplicates(cursor)) return status;
  return pass(cursor, -(int64_t)cursor->duplicates.entries) ? status : lose_at_leaf(cursor);
}

obx_pages_status obx_pages_previous_key(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (cursor->path.depth == 0) {
    obx_pages_status status = obx_pages_last(cursor, entry);
    return status || !has_duplicates(cursor) ? status : obx_pages_first_duplicate(cursor, entry);
  }
  return key_before(cursor, 0, entry);
}

obx_pages_status obx_pages_next(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (cursor->path.depth > 0 && cursor->duplicates_path.depth > 0) {
    obx_pages_status status = obx_pages_next_duplicate(cursor, entry);
    if (status != OBX_PAGES_END) return status;
  }
  return obx_pages_next_key(cursor, entry);
}

obx_pages_status obx_pages_previous(obx_pages_cursor *cursor, obx_pages_entry *entry) {
  if (cursor->path.depth == 0) return obx_pages_last(cursor, entry);
  if (cursor->duplicates_path.depth > 0) {
    obx_pages_status status = obx_pages_previous_duplicate(cursor, entry);
    if (status != OBX_PAGES_END) return status;
  }
  return key_before(cursor, 1, entry);
}

obx_pages_status obx_pages_get(
  const obx_pages_table *table, const void *key, size_t key_size, const uint8_t **value,
  uint32_t *value_size, uint64_t *bad_page) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_cursor_init(&cursor, table);
  obx_pages_status status = obx_pages_find(&cursor, key, key_size, &entry);
  if (status == OBX_PAGES_CORRUPT) *bad_page = cursor.bad_page;
  if (status) return status;
  *value = entry.value;
  *value_size = entry.value_size;
  return OBX_PAGES_OK;
}

obx_pages_status obx_pages_contains(
  const obx_pages_table *table, const void *key, size_t key_size, const void *value,
  size_t value_size, uint64_t *bad_page) {
  obx_pages_cursor cursor;
  int is_found = 0;
  obx_pages_cursor_init(&cursor, table);
  // A table that the version lacks has no flags.
  if (table->depth == 0) return OBX_PAGES_END;
  if (!has_duplicates(&cursor)) return OBX_PAGES_UNKNOWN_FORM;
  obx_pages_status status = find_key(&cursor, key, key_size);
  if (!status) status = obx_open_duplicates(&cursor);
  if (!status) status = obx_search_duplicates(&cursor, value, value_size, &is_found);
  if (status == OBX_PAGES_CORRUPT) *bad_page = cursor.bad_page;
  return status ? status : is_found ? OBX_PAGES_OK : OBX_PAGES_END;
}
