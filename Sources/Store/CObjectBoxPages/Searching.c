#include "Walk.h"

// Searches for keys, in a page and down a tree.

// Reads the integer at an index below the count; false unless it is an integer of 8 bytes in the
// page.
static inline int integer_at(
  const obx_pages_table *table, const obx_pages_level *level, size_t index, uint64_t *integer) {
  if (level->is_fixed) {
    // In bounds: `open_level` checked count times size; tables of integers have a size of 8.
    *integer = obx_load64(level->page + PAGE_HEADER + index * 8);
    return 1;
  }
  const uint8_t *node = level->page + obx_load16(level->page + PAGE_HEADER + 2 * index);
  // The header and 8 bytes of key lie in the page: pages with nodes of integers have full size.
  if (UNLIKELY((size_t)(node - level->page) - PAGE_HEADER >
        page_bytes(table) - PAGE_HEADER - NODE_HEADER - 8)) {
    return 0;
  }
  if (UNLIKELY(obx_load16(node + 6) != 8)) return 0;
  *integer = obx_load64(node + NODE_HEADER);
  return 1;
}

// Like `obx_search_page`, for integers, which are often dense: interpolates, tries a few steps from
// there, then bisects.
static inline __attribute__((always_inline)) obx_pages_status search_integers(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, uint64_t key,
  int counts_equal, size_t *place) {
  // Entries below `low` count, entries from `high` on do not.
  size_t low = begin, high = level->count;
  uint64_t first, last, found;
  *place = 0;
  if (low == high) return OBX_PAGES_OK;
  if (!integer_at(table, level, low, &first)) return OBX_PAGES_CORRUPT;
  if (first > key || (first == key && !counts_equal)) return OBX_PAGES_OK;
  uint64_t distance = key - first;
  low++;
  if (!counts_equal && distance < high - begin) {
    // Keys grow by at least 1, so the key is not after this index; in dense tables it is here.
    size_t limit = begin + (size_t)distance;
    if (!integer_at(table, level, limit, &found)) return OBX_PAGES_CORRUPT;
    if (found == key) {
      *place = limit - begin;
      return OBX_PAGES_OK;
    }
    if (found > key) high = limit;
  }
  if (low < high) {
    if (!integer_at(table, level, high - 1, &last)) return OBX_PAGES_CORRUPT;
    if (last < key || (last == key && counts_equal)) {
      low = high;
    } else if (--high > low && last - first <= INT64_MAX) {
      // Signed conversions are cheaper. In bounds for any quotient: 0 < distance <= last - first.
      double part = (double)(int64_t)distance / (double)(int64_t)(last - first);
      size_t guess = begin + (size_t)(part * (double)(int64_t)(high - begin));
      if (guess < low) guess = low;
      if (guess >= high) guess = high - 1;
      for (int step = 0; step < 4 && low < high; step++) {
        if (!integer_at(table, level, guess, &found)) return OBX_PAGES_CORRUPT;
        if (found < key || (found == key && counts_equal)) {
          low = ++guess;
        } else {
          high = guess--;
        }
      }
    }
  }
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (!integer_at(table, level, middle, &found)) return OBX_PAGES_CORRUPT;
    if (found < key || (found == key && counts_equal)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  *place = low - begin;
  return OBX_PAGES_OK;
}

// The first 8 bytes of a key as a number. Keys with different heads are ordered like their heads.
static inline uint64_t head_of(const uint8_t *key, size_t size) {
  if (size >= 8) return __builtin_bswap64(obx_load64(key));
  uint64_t head = 0;
  for (size_t place = 0; place < size; place++) head = head << 8 | key[place];
  return size ? head << (64 - 8 * size) : 0;
}

// Like `obx_search_page`, for nodes with byte keys.
static obx_pages_status search_nodes(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, const uint8_t *key,
  size_t size, int counts_equal, size_t *place) {
  const uint64_t head = head_of(key, size);
  const size_t bytes = page_bytes(table);
  size_t low = begin, high = level->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2, offset = obx_load16(level->page + PAGE_HEADER + 2 * middle);
    int counts;
    uint64_t found = head;
    // Most keys differ in their heads. A head can be read when 8 bytes after the node's header lie
    // in the page.
    if (offset >= PAGE_HEADER && offset + NODE_HEADER + 8 <= bytes) {
      size_t found_size = obx_load16(level->page + offset + 6);
      found = __builtin_bswap64(obx_load64(level->page + offset + NODE_HEADER));
      // Clears the bytes after a short key.
      if (found_size < 8) found &= ~(UINT64_MAX >> (8 * found_size));
    }
    if (found != head) {
      counts = found < head;
    } else {
      obx_node node = node_at(level, middle, bytes);
      if (UNLIKELY(!node.place)) return OBX_PAGES_CORRUPT;
      counts = compare_bytes(key_of(node), key_size(node), key, size) < counts_equal;
    }
    if (counts) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  *place = low - begin;
  return OBX_PAGES_OK;
}

obx_pages_status obx_search_page(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, const uint8_t *key,
  size_t size, int counts_equal, size_t *place) {
  if (has_integer_keys(table)) {
    return search_integers(table, level, begin, obx_load64(key), counts_equal, place);
  }
  if (!level->is_fixed) return search_nodes(table, level, begin, key, size, counts_equal, place);
  size_t low = begin, high = level->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    // In bounds: `open_level` checked count times size.
    const uint8_t *found = level->page + PAGE_HEADER + middle * level->fixed_size;
    if (compare_bytes(found, level->fixed_size, key, size) < counts_equal) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  *place = low - begin;
  return OBX_PAGES_OK;
}

obx_pages_status obx_path_search(
  const obx_pages_table *table, obx_pages_path *path, const uint8_t *key, size_t size,
  int *is_found, uint64_t *bad_page) {
  path->depth = 0;
  path->passed = 0;
  *is_found = 0;
  if (table->depth == 0) return OBX_PAGES_END;
  if (has_integer_keys(table) && size != 8) return OBX_PAGES_UNKNOWN_FORM;
  uint64_t number = table->root;
  // In bounds: depth <= OBX_PAGES_MAXIMUM_DEPTH, as `obx_pages_table_open` checked.
  for (uint32_t depth = 0; depth < table->depth; depth++) {
    obx_pages_level *level = &path->levels[depth];
    int is_leaf = depth + 1u == table->depth;
    obx_pages_status status = open_page(table, number, is_leaf, level, bad_page);
    if (UNLIKELY(status)) return status;
    // The first key of a branch stands for everything below the second, and may be empty.
    size_t place;
    if (UNLIKELY(obx_search_page(table, level, !is_leaf, key, size, !is_leaf, &place))) {
      return corrupt(number, bad_page);
    }
    level->index = (uint16_t)place;
    if (is_leaf) break;
    obx_node node = node_at(level, place, page_bytes(table));
    if (UNLIKELY(!node.place)) return corrupt(number, bad_page);
    number = child_of(node);
  }
  path->depth = table->depth;
  obx_pages_level *leaf = leaf_of(path);
  if (leaf->index == leaf->count) return OBX_PAGES_OK;
  const uint8_t *found;
  uint32_t found_size;
  if (UNLIKELY(!leaf_key(table, leaf, leaf->index, &found, &found_size))) {
    path->depth = 0;
    return corrupt(number, bad_page);
  }
  *is_found = compare_bytes(found, found_size, key, size) == 0;
  return OBX_PAGES_OK;
}

obx_pages_status obx_path_seek(
  const obx_pages_table *table, obx_pages_path *path, const uint8_t *key, size_t size,
  int *is_found, uint64_t *bad_page) {
  obx_pages_status status = obx_path_search(table, path, key, size, is_found, bad_page);
  if (status || leaf_of(path)->index < leaf_of(path)->count) return status;
  status = obx_path_next_leaf(table, path, bad_page);
  if (status) path->depth = 0;
  return status;
}

obx_pages_status obx_pages_get_id(
  const obx_pages_table *table, uint64_t id, const uint8_t **value, uint32_t *value_size,
  uint64_t *bad_page) {
  if (UNLIKELY((table->flags & (TABLE_INTEGER_KEYS | TABLE_DUPLICATES)) != TABLE_INTEGER_KEYS)) {
    // A table that the version lacks has no flags.
    return table->depth == 0 ? OBX_PAGES_END : OBX_PAGES_UNKNOWN_FORM;
  }
  if (table->depth == 0) return OBX_PAGES_END;
  uint64_t number = table->root;
  obx_pages_level level;
  obx_pages_status status;
  size_t place;
  for (uint32_t depth = 1; depth < table->depth; depth++) {
    status = open_page(table, number, 0, &level, bad_page);
    if (UNLIKELY(status)) return status;
    // The first key of a branch stands for everything below the second, and may be empty.
    if (UNLIKELY(search_integers(table, &level, 1, id, 1, &place))) {
      return corrupt(number, bad_page);
    }
    obx_node node = node_at(&level, place, page_bytes(table));
    if (UNLIKELY(!node.place)) return corrupt(number, bad_page);
    number = child_of(node);
  }
  status = open_page(table, number, 1, &level, bad_page);
  if (UNLIKELY(status)) return status;
  if (UNLIKELY(search_integers(table, &level, 0, id, 0, &place))) return corrupt(number, bad_page);
  if (place == level.count) return OBX_PAGES_END;
  obx_node node = node_at(&level, place, page_bytes(table));
  if (UNLIKELY(!node.place || key_size(node) != 8)) return corrupt(number, bad_page);
  if (obx_load64(key_of(node)) != id) return OBX_PAGES_END;
  return node_value(table, node, value, value_size, bad_page);
}
