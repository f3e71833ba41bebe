#include "CObjectBoxCompact.h"

#include <stdlib.h>

#include "Layout.h"

// The compact copy. Each page is copied to its level's buffer, its children are written first, and
// their new numbers replace the old ones.

enum {
  // The main table, a table in it, and the duplicates of a key.
  MAXIMUM_NESTING = 3,
  LEVELS = MAXIMUM_NESTING * OBX_PAGES_MAXIMUM_DEPTH,
};

typedef struct {
  obx_pages pages;
  const obx_compact_writer *writer;
  uint64_t *bad_page;
  // One page per level.
  uint8_t *room;
  // The number of the next page of the copy.
  uint64_t next;
} copier;

static obx_compact_status damaged(copier *copier, uint64_t page) {
  *copier->bad_page = page;
  return OBX_COMPACT_CORRUPT;
}

// Writes pages with the next numbers. A copy larger than its source proves that the pages form no
// tree.
static obx_compact_status emit(copier *copier, const uint8_t *bytes, uint64_t count, uint64_t from) {
  if (count > copier->pages.page_count - copier->next) return damaged(copier, from);
  copier->next += count;
  int is_ended = copier->writer->write(
    copier->writer->context, bytes, (size_t)(count * copier->pages.page_size));
  return is_ended ? OBX_COMPACT_ENDED : OBX_COMPACT_DONE;
}

static obx_compact_status copy_tree(copier *copier, uint8_t *record, unsigned level, uint64_t from);
static obx_compact_status copy_page(
  copier *copier, uint64_t *number, unsigned depth, unsigned level, uint64_t from);

// Copies the overflow pages of a value.
static obx_compact_status copy_overflow(
  copier *copier, uint8_t *place, unsigned level, uint64_t from) {
  uint64_t number = obx_load64(place), new_number = copier->next;
  const uint8_t *page = page_at(&copier->pages, number);
  if (!page || (page_flags(obx_load64(page + 8)) & ~PAGE_TRANSIENT) != PAGE_OVERFLOW) {
    return damaged(copier, from);
  }
  uint64_t count = obx_load32(page + 12);
  if (count == 0 || count > copier->pages.page_count - number) return damaged(copier, number);
  size_t size = copier->pages.page_size;
  uint8_t *first = copier->room + level * size;
  memcpy(first, page, size);
  memcpy(first, &new_number, 8);
  obx_compact_status status = emit(copier, first, 1, number);
  if (!status && count > 1) status = emit(copier, page + size, count - 1, number);
  memcpy(place, &new_number, 8);
  return status;
}

// Copies everything below a node, and updates the node in the copy of its page.
static obx_compact_status copy_node(
  copier *copier, uint8_t *node, size_t room, unsigned depth, unsigned level, uint64_t from) {
  uint64_t header = obx_load64(node);
  size_t key_size = header >> 48;
  if (key_size > room) return damaged(copier, from);
  if (depth > 1) {
    uint64_t child = header & 0xffffffffffff;
    obx_compact_status status = copy_page(copier, &child, depth - 1, level, from);
    header = (header & 0xffff000000000000) | child;
    memcpy(node, &header, 8);
    return status;
  }
  uint16_t flags = (uint16_t)(header >> 32);
  uint8_t *value = node + NODE_HEADER + key_size;
  room -= key_size;
  if (flags & NODE_OVERFLOW) {
    return room < 8 ? damaged(copier, from) : copy_overflow(copier, value, level, from);
  }
  if (!(flags & NODE_TABLE)) return OBX_COMPACT_DONE;
  if (room < TABLE_RECORD || (uint32_t)header != TABLE_RECORD) return damaged(copier, from);
  return copy_tree(copier, value, level, from);
}

static obx_compact_status copy_page(
  copier *copier, uint64_t *number, unsigned depth, unsigned level, uint64_t from) {
  const uint8_t *page = page_at(&copier->pages, *number);
  if (!page || level >= LEVELS) return damaged(copier, from);
  size_t size = copier->pages.page_size;
  uint8_t *copy = copier->room + level * size;
  memcpy(copy, page, size);
  uint64_t header = obx_load64(copy + 8);
  size_t lower = header >> 32 & 0xffff, upper = header >> 48;
  int is_leaf = depth == 1, kind = page_flags(header) & ~(PAGE_TRANSIENT | PAGE_KEYS_ONLY);
  if (kind != (is_leaf ? PAGE_LEAF : PAGE_BRANCH) || lower < PAGE_HEADER || lower & 1 ||
      lower > upper || upper > size) {
    return damaged(copier, *number);
  }
  size_t count = page_flags(header) & PAGE_KEYS_ONLY ? 0 : (lower - PAGE_HEADER) / 2;
  for (size_t index = 0; index < count; index++) {
    size_t offset = obx_load16(copy + PAGE_HEADER + 2 * index);
    if (offset < lower || offset + NODE_HEADER > size) return damaged(copier, *number);
    obx_compact_status status = copy_node(
      copier, copy + offset, size - offset - NODE_HEADER, depth, level + 1, *number);
    if (status) return status;
  }
  uint64_t old = *number;
  *number = copier->next;
  memcpy(copy, number, 8);
  return emit(copier, copy, 1, old);
}

// Copies a tree, and sets the root in the copied record.
static obx_compact_status copy_tree(
  copier *copier, uint8_t *record, unsigned level, uint64_t from) {
  uint64_t root = obx_load64(record + 40);
  uint16_t depth = obx_load16(record + 6);
  if (root == NO_PAGE) return OBX_COMPACT_DONE;
  if (depth == 0 || depth > OBX_PAGES_MAXIMUM_DEPTH) return damaged(copier, from);
  obx_compact_status status = copy_page(copier, &root, depth, level, from);
  memcpy(record + 40, &root, 8);
  return status;
}

obx_compact_status obx_compact(
  const obx_image *image, obx_head *head, const obx_compact_writer *writer, uint64_t *bad_page) {
  *bad_page = head->number;
  copier copier = {.writer = writer, .bad_page = bad_page, .next = FIRST_TREE_PAGE};
  obx_pages_status opened = obx_head_open(image, head, &copier.pages);
  if (opened == OBX_PAGES_UNKNOWN_FORM) return OBX_COMPACT_UNKNOWN_FORM;
  if (opened) return OBX_COMPACT_CORRUPT;
  // One more level than trees have, for overflow pages.
  copier.room = malloc((size_t)(LEVELS + 1) * copier.pages.page_size);
  if (!copier.room) return OBX_COMPACT_NO_MEMORY;
  obx_compact_status status = copy_tree(&copier, head->main_table, 0, head->number);
  free(copier.room);
  if (status) return status;
  // Keeps the first fields of the record: the page size and the flags.
  memset(head->free_table + 6, 0, TABLE_RECORD - 6);
  uint64_t none = NO_PAGE;
  memcpy(head->free_table + 40, &none, 8);
  head->last_page = copier.next - 1;
  return OBX_COMPACT_DONE;
}
