#include "Walk.h"

// Moves through one tree. The depth limits the way down, `passed` the way along the leaves.

static obx_pages_status lose(obx_pages_path *path, obx_pages_status status) {
  path->depth = 0;
  return status;
}

// Goes down from the path's last level to a leaf, at the first or last entry of each page.
static obx_pages_status descend(
  const obx_pages_table *table, obx_pages_path *path, int to_last, uint64_t *bad_page) {
  // In bounds: depth <= OBX_PAGES_MAXIMUM_DEPTH, as `obx_pages_table_open` checked.
  while (path->depth < table->depth) {
    uint64_t number = table->root;
    if (path->depth > 0) {
      obx_pages_level *parent = leaf_of(path);
      obx_node node = node_at(parent, parent->index, page_bytes(table));
      if (UNLIKELY(!node.place)) {
        return lose(path, corrupt(number_of(&table->pages, parent->page), bad_page));
      }
      number = child_of(node);
    }
    obx_pages_level *level = &path->levels[path->depth];
    obx_pages_status status =
      open_page(table, number, path->depth + 1u == table->depth, level, bad_page);
    if (UNLIKELY(status)) return lose(path, status);
    if (to_last) level->index = level->count - 1;
    path->depth++;
  }
  return OBX_PAGES_OK;
}

static obx_pages_status begin(
  const obx_pages_table *table, obx_pages_path *path, int at_last, uint64_t *bad_page) {
  path->depth = 0;
  path->passed = 0;
  if (table->depth == 0) return OBX_PAGES_END;
  return descend(table, path, at_last, bad_page);
}

obx_pages_status obx_path_first(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page) {
  return begin(table, path, 0, bad_page);
}

obx_pages_status obx_path_last(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page) {
  return begin(table, path, 1, bad_page);
}

obx_pages_status obx_path_next_leaf(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page) {
  for (uint32_t depth = path->depth - 1; depth > 0; depth--) {
    obx_pages_level *branch = &path->levels[depth - 1];
    if (branch->index + 1 >= branch->count) continue;
    path->passed += leaf_of(path)->count;
    if (path->passed > (int64_t)table->entries) {
      return lose(path, corrupt(number_of(&table->pages, branch->page), bad_page));
    }
    branch->index++;
    path->depth = depth;
    return descend(table, path, 0, bad_page);
  }
  return OBX_PAGES_END;
}

obx_pages_status obx_path_previous_leaf(
  const obx_pages_table *table, obx_pages_path *path, uint64_t *bad_page) {
  for (uint32_t depth = path->depth - 1; depth > 0; depth--) {
    obx_pages_level *branch = &path->levels[depth - 1];
    if (branch->index == 0) continue;
    branch->index--;
    path->depth = depth;
    obx_pages_status status = descend(table, path, 1, bad_page);
    if (status) return status;
    path->passed -= leaf_of(path)->count;
    if (path->passed < -(int64_t)table->entries) {
      return lose(path, corrupt(number_of(&table->pages, leaf_of(path)->page), bad_page));
    }
    return OBX_PAGES_OK;
  }
  return OBX_PAGES_END;
}
