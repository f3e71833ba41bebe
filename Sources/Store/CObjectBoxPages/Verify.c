#include "Verification.h"

#include <stdlib.h>

// Checks a version: the main table and everything below it, then the free list, then pages that
// neither has.

void obx_found(
  obx_check *check, obx_finding_kind kind, uint64_t page, uint64_t found, uint64_t expected) {
  if (check->is_ended) return;
  obx_finding finding = {kind, page, found, expected, check->table, check->table_size};
  check->is_ended = check->observer->report(check->observer->context, &finding) != 0;
}

// Marks a page; false when it is already marked.
static int mark(obx_check *check, uint64_t number) {
  uint8_t bit = (uint8_t)(1 << (number & 7));
  if (check->seen[number >> 3] & bit) return 0;
  check->seen[number >> 3] |= bit;
  check->seen_count++;
  return 1;
}

int obx_take_page(obx_check *check, uint64_t number, uint64_t from) {
  if (number < FIRST_TREE_PAGE || number > check->head->last_page) {
    obx_found(check, OBX_FINDING_PAGE_OUTSIDE, from, number, check->head->last_page);
    return 0;
  }
  // In bounds: `seen` has a bit for each page below `page_count`.
  if (number >= check->pages.page_count) {
    obx_found(check, OBX_FINDING_PAGE_MISSING, number, check->file_pages, 0);
    return 0;
  }
  if (!mark(check, number)) {
    obx_found(check, OBX_FINDING_PAGE_USED_TWICE, number, 0, 0);
    return 0;
  }
  if (++check->pages_read % 4096 == 0 && check->observer->progress) {
    check->is_ended |= check->observer->progress(check->observer->context, check->pages_read) != 0;
  }
  return 1;
}

// MARK: The free list

void obx_check_free_entry(
  obx_check *check, uint64_t page, uint64_t version, const uint8_t *bytes, uint64_t size) {
  if (version > check->newest_free) check->newest_free = version;
  // The number of pages, then the pages' numbers, descending.
  uint64_t count = size >= 8 ? obx_load64(bytes) : 0;
  if (version == 0 || version > check->head->transaction || size < 8 || size % 8 != 0 ||
      count > size / 8 - 1) {
    obx_found(check, OBX_FINDING_FREE_LIST, page, version, 0);
    return;
  }
  uint64_t before = UINT64_MAX;
  for (uint64_t index = 1; index <= count && !check->is_ended; index++) {
    uint64_t number = obx_load64(bytes + 8 * index);
    if (number >= before || number < FIRST_TREE_PAGE || number > check->head->last_page) {
      obx_found(check, OBX_FINDING_FREE_LIST, page, version, 0);
      return;
    }
    before = number;
    check->counts->free_pages++;
    // Pages that were allocated, freed and never written may lie after the end of the file.
    if (number < check->pages.page_count && !mark(check, number)) {
      obx_found(check, OBX_FINDING_PAGE_USED_TWICE, number, 0, 0);
    }
  }
}

// MARK: The whole

static void check_version(obx_check *check) {
  obx_tree main = {.kind = MAIN_TREE};
  obx_check_tree(check, check->head->main_table, &main, check->head->number);
  check->table = NULL;
  check->table_size = 0;
  obx_tree free_list = {.kind = FREE_TREE, .has_integer_keys = 1};
  // The first field of this record is the page size; in other records it is the size of fixed keys.
  uint8_t record[TABLE_RECORD];
  memcpy(record, check->head->free_table, TABLE_RECORD);
  memset(record, 0, 4);
  obx_check_tree(check, record, &free_list, check->head->number);
  // Each commit after the first frees pages, and lists them under its own version.
  if (check->head->transaction > 1 && free_list.entries > 0 &&
      check->newest_free != check->head->transaction) {
    obx_found(
      check, OBX_FINDING_FREE_VERSION, check->head->number, check->newest_free,
      check->head->transaction);
  }
  if (check->scope == OBX_VERIFY_QUICK || check->is_ended) return;
  // Both head pages belong to no tree.
  uint64_t known = check->seen_count + FIRST_TREE_PAGE;
  if (known >= check->pages.page_count) return;
  uint64_t first = FIRST_TREE_PAGE;
  while (check->seen[first >> 3] & 1 << (first & 7)) first++;
  obx_found(check, OBX_FINDING_LOST_PAGES, first, check->pages.page_count - known, 0);
}

int obx_verify(
  const obx_image *image, const obx_head *head, obx_verify_scope scope,
  const obx_verify_observer *observer, obx_verify_counts *counts) {
  *counts = (obx_verify_counts){0};
  obx_check check = {
    .head = head, .scope = scope, .observer = observer, .counts = counts,
    .file_pages = image->size / head->page_size,
  };
  if (obx_head_open(image, head, &check.pages)) {
    obx_found(&check, OBX_FINDING_PAGE_MISSING, FIRST_TREE_PAGE, check.file_pages, 0);
    return 0;
  }
  check.seen = calloc(check.pages.page_count / 8 + 1, 1);
  if (!check.seen) return -1;
  check_version(&check);
  free(check.seen);
  return 0;
}
