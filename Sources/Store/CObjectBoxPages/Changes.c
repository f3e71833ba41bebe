#include "CObjectBoxChanges.h"
#include "Cursor.h"

// Compares two versions of a table. Each side is an ordered walk. Its next item is an entry, or a
// page that stands for all entries below it. Two items that are the same page are skipped together;
// otherwise the higher page is opened.

static void begin(obx_pages_side *side, const obx_pages_table *table) {
  side->table = *table;
  side->depth = 0;
  side->opened = 0;
  side->has_ended = table->depth == 0;
}

obx_pages_status obx_pages_changes_init(
  obx_pages_changes *changes, const obx_pages_table *older, const obx_pages_table *newer) {
  const uint16_t kind = TABLE_INTEGER_KEYS | TABLE_DUPLICATES;
  // A table that a version lacks is empty, and has no flags.
  if ((older->depth && (older->flags & kind) != TABLE_INTEGER_KEYS) ||
      (newer->depth && (newer->flags & kind) != TABLE_INTEGER_KEYS)) {
    return OBX_PAGES_UNKNOWN_FORM;
  }
  begin(&changes->older, older);
  begin(&changes->newer, newer);
  // After a compaction or a move of the map, the pages are elsewhere.
  changes->shares_pages = older->pages.base == newer->pages.base;
  changes->bad_page = 0;
  return OBX_PAGES_OK;
}

// Number of levels below the next item; 0 for an entry.
static uint32_t height(const obx_pages_side *side) { return side->table.depth - side->depth; }

// Skips the next item.
static void skip(obx_pages_side *side) {
  while (side->depth > 0) {
    obx_pages_level *level = &side->levels[side->depth - 1];
    if (++level->index < level->count) return;
    side->depth--;
  }
  side->has_ended = 1;
}

// Reads the number of the next page.
static obx_pages_status next_page(obx_pages_side *side, uint64_t *number, uint64_t *bad_page) {
  *number = side->table.root;
  if (side->depth == 0) return OBX_PAGES_OK;
  obx_pages_level *branch = &side->levels[side->depth - 1];
  obx_node node = node_at(branch, branch->index, page_bytes(&side->table));
  if (UNLIKELY(!node.place)) {
    return corrupt(number_of(&side->table.pages, branch->page), bad_page);
  }
  *number = child_of(node);
  return OBX_PAGES_OK;
}

// Opens the next page, and goes to its first item.
static obx_pages_status open_next(obx_pages_side *side, uint64_t *bad_page) {
  uint64_t number;
  obx_pages_status status = next_page(side, &number, bad_page);
  if (status) return status;
  if (UNLIKELY(++side->opened > side->table.pages.page_count)) return corrupt(number, bad_page);
  // In bounds: depth < table.depth <= OBX_PAGES_MAXIMUM_DEPTH.
  status = open_page(&side->table, number, height(side) == 1, &side->levels[side->depth], bad_page);
  if (!status) side->depth++;
  return status;
}

// Reads the next entry.
static obx_pages_status next_entry(
  const obx_pages_side *side, obx_pages_entry *entry, uint64_t *bad_page) {
  const obx_pages_level *leaf = &side->levels[side->depth - 1];
  return read_record(&side->table, leaf, leaf->index, entry, bad_page);
}

static int has_same_value(const obx_pages_entry *a, const obx_pages_entry *b) {
  return a->value_size == b->value_size &&
    (a->value == b->value || memcmp(a->value, b->value, a->value_size) == 0);
}

// Moves each side to an entry or the end; skips pages that both have.
static obx_pages_status open_entries(obx_pages_changes *changes) {
  obx_pages_side *older = &changes->older, *newer = &changes->newer;
  for (;;) {
    uint32_t above_older = older->has_ended ? 0 : height(older);
    uint32_t above_newer = newer->has_ended ? 0 : height(newer);
    if (above_older == 0 && above_newer == 0) return OBX_PAGES_OK;
    obx_pages_status status;
    if (above_older == above_newer && changes->shares_pages) {
      uint64_t a, b;
      status = next_page(older, &a, &changes->bad_page);
      if (!status) status = next_page(newer, &b, &changes->bad_page);
      if (status) return status;
      if (a == b) {
        skip(older);
        skip(newer);
        continue;
      }
    }
    status = open_next(above_older > above_newer ? older : newer, &changes->bad_page);
    if (status) return status;
  }
}

obx_pages_status obx_pages_next_change(
  obx_pages_changes *changes, obx_pages_entry *before, obx_pages_entry *after) {
  obx_pages_side *older = &changes->older, *newer = &changes->newer;
  const obx_pages_entry none = {NULL, NULL, 0, 0};
  for (;;) {
    *before = none;
    *after = none;
    obx_pages_status status = open_entries(changes);
    if (status) return status;
    if (older->has_ended && newer->has_ended) return OBX_PAGES_END;
    if (!older->has_ended) status = next_entry(older, before, &changes->bad_page);
    if (!status && !newer->has_ended) status = next_entry(newer, after, &changes->bad_page);
    if (status) return status;
    uint64_t old_id = before->key ? obx_load64(before->key) : UINT64_MAX;
    uint64_t new_id = after->key ? obx_load64(after->key) : UINT64_MAX;
    if (before->key && (!after->key || old_id < new_id)) {
      *after = none;
      skip(older);
      return OBX_PAGES_OK;
    }
    skip(newer);
    if (!before->key || new_id < old_id) {
      *before = none;
      return OBX_PAGES_OK;
    }
    skip(older);
    if (!has_same_value(before, after)) return OBX_PAGES_OK;
  }
}
