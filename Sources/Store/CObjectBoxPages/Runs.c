#include "Cursor.h"

// Many entries per call.

obx_pages_status obx_pages_run(
  obx_pages_cursor *cursor, obx_pages_entry *entries, size_t room, size_t *count) {
  *count = 0;
  if (has_duplicates(cursor)) return OBX_PAGES_UNKNOWN_FORM;
  obx_pages_status status = OBX_PAGES_OK;
  if (cursor->path.depth == 0) {
    status = obx_path_first(&cursor->table, &cursor->path, &cursor->bad_page);
  } else if (leaf_of(&cursor->path)->index == leaf_of(&cursor->path)->count) {
    status = obx_path_next_leaf(&cursor->table, &cursor->path, &cursor->bad_page);
    if (status == OBX_PAGES_END) return status;
  }
  if (status) return lose(cursor, status);
  obx_pages_level *leaf = leaf_of(&cursor->path);
  size_t begin = leaf->index, end = leaf->count - begin < room ? leaf->count : begin + room;
  const uint8_t *page = leaf->page;
  const size_t size = page_bytes(&cursor->table);
  for (size_t index = begin; index < end; index++) {
    if (read_plain_record(page, size, index, entries + index - begin)) continue;
    status = read_record(&cursor->table, leaf, index, entries + index - begin, &cursor->bad_page);
    if (UNLIKELY(status)) return lose(cursor, status);
  }
  leaf->index = (uint16_t)end;
  cursor->is_in_gap = 1;
  *count = end - begin;
  return OBX_PAGES_OK;
}

obx_pages_status obx_pages_run_back(
  obx_pages_cursor *cursor, obx_pages_entry *entries, size_t room, size_t *count) {
  *count = 0;
  if (has_duplicates(cursor)) return OBX_PAGES_UNKNOWN_FORM;
  obx_pages_path *path = &cursor->path;
  size_t end = path->depth ? (size_t)leaf_of(path)->index + !cursor->is_in_gap : 0;
  if (end == 0) {
    obx_pages_status status = path->depth
      ? obx_path_previous_leaf(&cursor->table, path, &cursor->bad_page)
      : obx_path_last(&cursor->table, path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
    end = leaf_of(path)->count;
  }
  obx_pages_level *leaf = leaf_of(path);
  size_t given = end < room ? end : room;
  const uint8_t *page = leaf->page;
  const size_t size = page_bytes(&cursor->table);
  for (size_t index = 0; index < given; index++) {
    if (read_plain_record(page, size, end - 1 - index, entries + index)) continue;
    obx_pages_status status = read_record(
      &cursor->table, leaf, end - 1 - index, entries + index, &cursor->bad_page);
    if (UNLIKELY(status)) return lose(cursor, status);
  }
  leaf->index = (uint16_t)(end - given);
  cursor->is_in_gap = 1;
  *count = given;
  return OBX_PAGES_OK;
}

// Whether a key is before the end of a range.
static int is_within(const obx_pages_bound *end, obx_node node) {
  const uint8_t *key = key_of(node);
  size_t size = key_size(node);
  switch (end->kind) {
  case OBX_PAGES_ALL_KEYS: return 1;
  case OBX_PAGES_KEYS_UP_TO: return compare_bytes(key, size, end->bytes, end->size) <= 0;
  case OBX_PAGES_KEYS_WITH_PREFIX:
    return size >= end->size && compare_bytes(key, end->size, end->bytes, end->size) == 0;
  }
  return 0;
}

// Finds the first key of the leaf, from the current one on, that is not in the range; the count
// when there is none. Goes to the next leaf first if all keys of this one have been passed. The
// cursor is in the gap before a key.
static obx_pages_status settle(
  obx_pages_cursor *cursor, const obx_pages_bound *end, size_t *stop) {
  if (leaf_of(&cursor->path)->index == leaf_of(&cursor->path)->count) {
    obx_pages_status status =
      obx_path_next_leaf(&cursor->table, &cursor->path, &cursor->bad_page);
    if (status) return status == OBX_PAGES_END ? status : lose(cursor, status);
  }
  obx_pages_level *leaf = leaf_of(&cursor->path);
  size_t low = leaf->index, high = leaf->count;
  // Looks at the first and last key, then bisects: most leaves lie completely in the range.
  for (size_t probe = 0; low < high; probe++) {
    size_t place = probe == 0 ? low : probe == 1 ? high - 1 : low + (high - low) / 2;
    obx_node node = node_at(leaf, place, page_bytes(&cursor->table));
    if (UNLIKELY(!node.place)) return lose_at_leaf(cursor);
    if (is_within(end, node)) {
      low = place + 1;
    } else {
      high = place;
    }
  }
  *stop = low;
  return OBX_PAGES_OK;
}

// Returns the IDs of keys, from the gap before a key up to a key whose IDs do not fit or have their own tree.
// `is_at_end` says whether the range ended.
static obx_pages_status ids_of_leaf(
  obx_pages_cursor *cursor, const obx_pages_bound *end, uint64_t *ids, size_t room, size_t *count,
  int *is_at_end) {
  size_t stop;
  obx_pages_status status = settle(cursor, end, &stop);
  if (status) return status;
  obx_pages_level *leaf = leaf_of(&cursor->path);
  size_t given = *count;
  for (; leaf->index < stop; leaf->index++) {
    obx_node node = node_at(leaf, leaf->index, page_bytes(&cursor->table));
    if (UNLIKELY(!node.place)) return lose_at_leaf(cursor);
    if (node_flags(node) == (NODE_DUPLICATES | NODE_TABLE)) break;
    obx_pages_level level;
    size_t size;
    status = duplicates_level(&cursor->table, node, &level, &size);
    if (UNLIKELY(status)) {
      return status == OBX_PAGES_CORRUPT ? lose_at_leaf(cursor) : lose(cursor, status);
    }
    if (level.count > room - given) break;
    if (UNLIKELY(!pass(cursor, level.count))) return lose_at_leaf(cursor);
    // In bounds: `duplicates_level` checked that the level has `count` keys of 8 bytes.
    memcpy(ids + given, level.page + PAGE_HEADER, level.count * sizeof *ids);
    given += level.count;
  }
  *is_at_end = leaf->index == stop && stop < leaf->count;
  *count = given;
  return OBX_PAGES_OK;
}

obx_pages_status obx_pages_ids(
  obx_pages_cursor *cursor, const obx_pages_bound *end, uint64_t *ids, size_t room,
  size_t *count) {
  *count = 0;
  const uint16_t needed = TABLE_DUPLICATES | TABLE_FIXED_DUPLICATES | TABLE_INTEGER_DUPLICATES;
  if ((cursor->table.flags & needed) != needed) return OBX_PAGES_UNKNOWN_FORM;
  if (cursor->path.depth == 0) return OBX_PAGES_END;
  obx_pages_path *path = &cursor->duplicates_path;
  obx_pages_status status;
  for (;;) {
    if (path->depth == 0) {
      int is_at_end = 0;
      cursor->is_in_gap = 1;
      status = ids_of_leaf(cursor, end, ids, room, count, &is_at_end);
      if (status) return status;
      if (is_at_end) return OBX_PAGES_END;
      if (*count == room) return OBX_PAGES_OK;
      if (leaf_of(&cursor->path)->index == leaf_of(&cursor->path)->count) continue;
      status = obx_enter_key(cursor, 0);
      if (status) return status;
    }
    obx_pages_level *key_leaf = leaf_of(&cursor->path);
    obx_node node = node_at(key_leaf, key_leaf->index, page_bytes(&cursor->table));
    if (UNLIKELY(!node.place)) return lose_at_leaf(cursor);
    if (!is_within(end, node)) return OBX_PAGES_END;
    obx_pages_level *leaf = leaf_of(path);
    size_t left = (size_t)leaf->count - leaf->index, free = room - *count;
    size_t given = left < free ? left : free;
    // In bounds: leaves of integer duplicates hold only keys of 8 bytes.
    memcpy(ids + *count, leaf->page + PAGE_HEADER + leaf->index * sizeof *ids, given * sizeof *ids);
    leaf->index += (uint16_t)given;
    cursor->is_in_gap = 1;
    *count += given;
    if (given < left) return OBX_PAGES_OK;
    status = obx_path_next_leaf(&cursor->duplicates, path, &cursor->bad_page);
    if (status == OBX_PAGES_OK) continue;
    if (status != OBX_PAGES_END) return lose(cursor, status);
    if (UNLIKELY(!pass(cursor, (int64_t)cursor->duplicates.entries))) return lose_at_leaf(cursor);
    key_leaf->index++;
    path->depth = 0;
  }
}

// Number of entries of the key at a leaf's node; 0 after a failure, with its status.
static uint64_t count_of(
  obx_pages_cursor *cursor, obx_node node, obx_pages_status *status) {
  *status = OBX_PAGES_OK;
  if (node_flags(node) == (NODE_DUPLICATES | NODE_TABLE)) {
    obx_pages_table duplicates;
    *status = obx_duplicates_table(&cursor->table, node, &duplicates, &cursor->bad_page);
    return *status ? 0 : duplicates.entries;
  }
  obx_pages_level level;
  size_t size;
  *status = duplicates_level(&cursor->table, node, &level, &size);
  if (*status) cursor->bad_page = number_of(&cursor->table.pages, node.place);
  return *status ? 0 : level.count;
}

obx_pages_status obx_pages_count(
  obx_pages_cursor *cursor, const obx_pages_bound *end, uint64_t maximum_keys, uint64_t *count) {
  *count = 0;
  if (cursor->path.depth == 0) return OBX_PAGES_END;
  cursor->duplicates_path.depth = 0;
  cursor->is_in_gap = 1;
  for (uint64_t keys = 0; keys < maximum_keys;) {
    size_t stop;
    obx_pages_status status = settle(cursor, end, &stop);
    if (status) return status;
    obx_pages_level *leaf = leaf_of(&cursor->path);
    uint64_t wanted = stop - leaf->index, counted = 0;
    if (wanted > maximum_keys - keys) wanted = maximum_keys - keys;
    for (; has_duplicates(cursor) && counted < wanted; counted++) {
      obx_node node = node_at(leaf, leaf->index + counted, page_bytes(&cursor->table));
      if (UNLIKELY(!node.place)) return lose_at_leaf(cursor);
      uint64_t entries = count_of(cursor, node, &status);
      if (UNLIKELY(status)) return lose(cursor, status);
      if (UNLIKELY(!pass(cursor, (int64_t)entries))) return lose_at_leaf(cursor);
      *count += entries;
    }
    if (!has_duplicates(cursor)) *count += wanted;
    keys += wanted;
    leaf->index += (uint16_t)wanted;
    if (leaf->index == stop && stop < leaf->count) return OBX_PAGES_END;
  }
  return OBX_PAGES_OK;
}
