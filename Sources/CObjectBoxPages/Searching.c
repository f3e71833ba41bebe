#include "Walk.h"

// Searching for keys, on a page and down a tree.

// The integer at an index below the count; false when it is no integer of 8 bytes in the page.
static inline int integer_at(
  const obx_pages_table *table, const obx_pages_level *level, size_t index, uint64_t *integer) {
  if (level->is_fixed) {
    // In bounds: `open_level` checked count times size; tables of integers have a size of 8.
    *integer = load64(level->page + PAGE_HEADER + index * 8);
    return 1;
  }
  obx_node node = node_at(level, index, page_bytes(table));
  if (UNLIKELY(!node.place || key_size(node) != 8)) return 0;
  *integer = load64(key_of(node));
  return 1;
}

// As `obx_search_page` for integers, which are often dense: guesses by interpolation and goes a few steps
// from there before it halves.
static obx_pages_status search_integers(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, uint64_t key,
  int counts_equal, size_t *place) {
  // Entries below `low` count, entries from `high` on do not.
  size_t low = begin, high = level->count;
  if (low == high) {
    *place = 0;
    return OBX_PAGES_OK;
  }
  uint64_t first, last, found;
  if (!integer_at(table, level, low, &first)) return OBX_PAGES_CORRUPT;
  if (first > key || (first == key && !counts_equal)) {
    *place = 0;
    return OBX_PAGES_OK;
  }
  low++;
  if (!counts_equal && key - first < high - begin) {
    // Keys grow by 1 at least, so the key is no further on than this; in dense tables it is here.
    size_t limit = begin + (size_t)(key - first);
    if (!integer_at(table, level, limit, &found)) return OBX_PAGES_CORRUPT;
    if (found == key) {
      *place = limit - begin;
      return OBX_PAGES_OK;
    }
    if (found > key) high = limit;
  }
  last = first;
  if (low < high) {
    if (!integer_at(table, level, high - 1, &last)) return OBX_PAGES_CORRUPT;
    if (last < key || (last == key && counts_equal)) {
      low = high;
    } else {
      high--;
    }
  }
  if (low < high && last > first) {
    // Between 0 and the number of entries, also when the order is damaged, since first <= key <= last.
    size_t guess =
      begin + (size_t)((double)(key - first) * (double)(high - begin) / (double)(last - first));
    if (guess < low) guess = low;
    if (guess >= high) guess = high - 1;
    // At most four steps from the guess; halving follows where they end in no answer.
    for (int step = 0; step < 4 && low < high; step++) {
      if (!integer_at(table, level, guess, &found)) return OBX_PAGES_CORRUPT;
      if (found < key || (found == key && counts_equal)) {
        low = guess + 1;
        if (low < high) guess = low;
      } else {
        high = guess;
        if (low < high) guess = high - 1;
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

obx_pages_status obx_search_page(
  const obx_pages_table *table, const obx_pages_level *level, size_t begin, const uint8_t *key,
  size_t size, int counts_equal, size_t *place) {
  if (has_integer_keys(table)) {
    return search_integers(table, level, begin, load64(key), counts_equal, place);
  }
  size_t low = begin, high = level->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const uint8_t *found;
    uint32_t found_size;
    if (UNLIKELY(!leaf_key(table, level, middle, &found, &found_size))) return OBX_PAGES_CORRUPT;
    if (compare_bytes(found, found_size, key, size) < counts_equal) {
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
  if (has_integer_keys(table) && size != 8) return OBX_PAGES_FALLBACK;
  uint64_t number = table->root;
  // In bounds: depth <= OBX_PAGES_MAXIMUM_DEPTH, as `obx_pages_table_open` checked.
  for (uint32_t depth = 0; depth < table->depth; depth++) {
    obx_pages_level *level = &path->levels[depth];
    int is_leaf = depth + 1u == table->depth;
    obx_pages_status status = open_page(table, number, is_leaf, level, bad_page);
    if (UNLIKELY(status)) return status;
    // The first key of a branch stands for all below the second one, and may be empty.
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
    return OBX_PAGES_FALLBACK;
  }
  uint64_t number = table->root;
  for (uint32_t depth = 1; depth <= table->depth; depth++) {
    obx_pages_level level;
    int is_leaf = depth == table->depth;
    obx_pages_status status = open_page(table, number, is_leaf, &level, bad_page);
    if (UNLIKELY(status)) return status;
    size_t place;
    if (UNLIKELY(search_integers(table, &level, !is_leaf, id, !is_leaf, &place))) {
      return corrupt(number, bad_page);
    }
    if (is_leaf && place == level.count) return OBX_PAGES_END;
    obx_node node = node_at(&level, place, page_bytes(table));
    if (UNLIKELY(!node.place)) return corrupt(number, bad_page);
    if (!is_leaf) {
      number = child_of(node);
      continue;
    }
    if (UNLIKELY(key_size(node) != 8)) return corrupt(number, bad_page);
    if (load64(key_of(node)) != id) return OBX_PAGES_END;
    return node_value(table, node, value, value_size, bad_page);
  }
  return OBX_PAGES_END;
}
