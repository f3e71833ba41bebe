#include "Layout.h"

#include <sys/stat.h>

// Opens a map's versions, and their tables.

int64_t obx_pages_file_size(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? (int64_t)status.st_size : -1;
}

obx_pages_status obx_pages_open(
  obx_pages *pages, const obx_pages_map *map, uint64_t transaction, uint64_t last_page,
  uint64_t file_size) {
  uint64_t count = file_size / map->page_size;
  if (map->page_count < count) count = map->page_count;
  // The file may end before the version's last page, which need not be in use.
  if (last_page < count) count = last_page + 1;
  if (count < FIRST_TREE_PAGE) return OBX_PAGES_CORRUPT;
  *pages = (obx_pages){map->base, count, transaction, map->page_size};
  return OBX_PAGES_OK;
}

obx_pages_status obx_open_record(
  obx_pages_table *table, const obx_pages *pages, const uint8_t *record, uint64_t *bad_page) {
  uint64_t own = number_of(pages, record);
  *table = (obx_pages_table){
    .pages = *pages, .root = obx_load64(record + 40), .entries = obx_load64(record + 32),
    .depth = obx_load16(record + 6), .flags = obx_load16(record + 4),
  };
  if (table->root == NO_PAGE) {
    return table->depth == 0 && table->entries == 0 ? OBX_PAGES_OK : corrupt(own, bad_page);
  }
  // Branch, leaf and overflow pages are all pages of the version.
  for (size_t place = 8; place < 32; place += 8) {
    if (obx_load64(record + place) >= pages->page_count) return corrupt(own, bad_page);
  }
  // Each entry takes at least one byte, so this limits every walk.
  if (table->entries == 0 || table->entries > pages->page_count * pages->page_size ||
      table->depth == 0 || table->depth > OBX_PAGES_MAXIMUM_DEPTH ||
      table->root < FIRST_TREE_PAGE || table->root >= pages->page_count) {
    return corrupt(own, bad_page);
  }
  return OBX_PAGES_OK;
}

obx_pages_status obx_pages_table_open(
  obx_pages_table *table, const obx_pages *pages, const void *record, size_t record_size,
  uint64_t *bad_page) {
  if (record_size != TABLE_RECORD) return corrupt(number_of(pages, record), bad_page);
  obx_pages_status status = obx_open_record(table, pages, record, bad_page);
  if (status) return status;
  const uint16_t of_duplicates = TABLE_FIXED_DUPLICATES | TABLE_INTEGER_DUPLICATES;
  int is_known = !(table->flags & ~TABLE_KNOWN) &&
    (table->flags & TABLE_DUPLICATES || !(table->flags & of_duplicates)) &&
    // Integers that do not fit a page of keys are in no table of ours.
    (table->flags & TABLE_FIXED_DUPLICATES || !(table->flags & TABLE_INTEGER_DUPLICATES));
  return is_known ? OBX_PAGES_OK : OBX_PAGES_UNKNOWN_FORM;
}
