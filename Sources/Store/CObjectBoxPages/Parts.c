#include "Walk.h"

// Cuts a table into parts that several threads read.

// With this many children of the root, the root's keys are enough cuts.
#define MANY_CHILDREN 64

// Adds the keys of a branch, except the first: it stands for everything below the second.
static obx_pages_status add_keys(
  const obx_pages_table *table, const obx_pages_level *branch, size_t begin, size_t end,
  uint64_t *ids, size_t room, size_t *count, uint64_t *bad_page) {
  for (size_t index = begin < 1 ? 1 : begin; index < end && *count < room; index++) {
    obx_node node = node_at(branch, index, page_bytes(table));
    uint64_t id = 0;
    int is_key = node.place && key_size(node) == 8;
    if (is_key) id = obx_load64(key_of(node));
    // Cuts that do not ascend would assign objects to no part, or to several.
    if (UNLIKELY(!is_key || (*count > 0 && id <= ids[*count - 1]))) {
      return corrupt(number_of(&table->pages, branch->page), bad_page);
    }
    ids[(*count)++] = id;
  }
  return OBX_PAGES_OK;
}

obx_pages_status obx_pages_cuts(
  const obx_pages_table *table, uint64_t *ids, size_t room, size_t *count, uint64_t *bad_page) {
  *count = 0;
  if ((table->flags & (TABLE_INTEGER_KEYS | TABLE_DUPLICATES)) != TABLE_INTEGER_KEYS) {
    return OBX_PAGES_UNKNOWN_FORM;
  }
  if (table->depth < 2) return OBX_PAGES_OK;
  obx_pages_level root, branch;
  obx_pages_status status = open_page(table, table->root, 0, &root, bad_page);
  if (status) return status;
  if (table->depth == 2 || root.count >= MANY_CHILDREN) {
    return add_keys(table, &root, 0, root.count, ids, room, count, bad_page);
  }
  for (size_t child = 0; child < root.count; child++) {
    status = add_keys(table, &root, child, child + 1, ids, room, count, bad_page);
    if (status) return status;
    obx_node node = node_at(&root, child, page_bytes(table));
    if (UNLIKELY(!node.place)) return corrupt(table->root, bad_page);
    status = open_page(table, child_of(node), 0, &branch, bad_page);
    if (status) return status;
    status = add_keys(table, &branch, 0, branch.count, ids, room, count, bad_page);
    if (status) return status;
  }
  return OBX_PAGES_OK;
}
