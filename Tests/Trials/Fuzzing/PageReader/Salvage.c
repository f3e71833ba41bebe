#include "PageReaderFuzz.h"

// Salvages whole files: finds every entry of sound files, and never reads outside of damaged files.

#define MAXIMUM_RECORDS 64

typedef struct {
  uint64_t entries, doubtful, gaps, bytes;
  // The records of the visited tables, and their flags.
  const uint8_t *records[MAXIMUM_RECORDS];
  size_t record_count;
} salvaged;

static int count_entry(void *context, const obx_salvage_entry *entry) {
  salvaged *result = context;
  result->entries++;
  result->doubtful += entry->reasons != 0;
  // Every byte that is passed on is readable.
  for (uint32_t place = 0; place < entry->key_size; place++) result->bytes += entry->key[place];
  for (uint32_t place = 0; place < entry->value_size; place++) result->bytes += entry->value[place];
  if (entry->is_table && result->record_count < MAXIMUM_RECORDS) {
    REQUIRE(entry->value_size == 48);
    result->records[result->record_count++] = entry->value;
  }
  // Sometimes ends the walk early.
  return below(200000) == 0;
}

static int count_gap(void *context, const obx_salvage_gap *gap) {
  salvaged *result = context;
  result->gaps++;
  for (uint32_t place = 0; place < gap->low_size; place++) result->bytes += gap->low[place];
  for (uint32_t place = 0; place < gap->high_size; place++) result->bytes += gap->high[place];
  return 0;
}

static int go_on(void *context, uint64_t pages) {
  (void)context;
  return pages == 0;
}

static void salvage_version(const obx_image *image, const obx_head *head, uint32_t page_size, int must_be_sound) {
  obx_salvage *salvage = obx_salvage_begin(image, page_size);
  REQUIRE(salvage || page_size > 32768);
  if (!salvage) return;
  salvaged main_table = {0}, tables = {0}, leaves = {0};
  obx_salvage_observer observer = {&main_table, count_entry, count_gap, go_on};
  int is_ended = 0;
  if (head) {
    int is_whole = obx_salvage_free_list(salvage, head);
    is_ended = obx_salvage_tree(salvage, head->main_table, OBX_SALVAGE_MAIN_TABLE, &observer);
    observer.context = &tables;
    for (size_t at = 0; at < main_table.record_count; at++) {
      const uint8_t *record = main_table.records[at];
      uint16_t flags = obx_load16(record + 4);
      uint64_t before = tables.entries;
      is_ended |= obx_salvage_tree(salvage, record, flags, &observer);
      if (must_be_sound && !is_ended) REQUIRE(tables.entries - before == obx_load64(record + 32));
    }
    if (must_be_sound && !is_ended) {
      REQUIRE(is_whole && main_table.gaps == 0 && tables.gaps == 0);
      REQUIRE(main_table.doubtful == 0 && tables.doubtful == 0);
    }
  }
  observer.context = &leaves;
  is_ended |= obx_salvage_leaves(salvage, 1, 0, &observer);
  if (must_be_sound && !is_ended) REQUIRE(leaves.entries == 0);
  obx_salvage_leaves(salvage, 1, OBX_SALVAGE_FREE_PAGES, &observer);
  obx_salvage_leaves(salvage, 0, OBX_SALVAGE_FREE_PAGES | OBX_SALVAGE_TREE_PAGES, &observer);
  obx_salvage_end(salvage);
}

void salvage_image(const uint8_t *bytes, size_t size, int must_be_sound) {
  obx_image image = {bytes, size};
  obx_head heads[2];
  uint32_t guess = obx_salvage_page_size(&image);
  int has_first = obx_head_read(&image, 0, 0, &heads[0]) == OBX_HEAD_OK;
  int has_second = obx_head_read(&image, 1, has_first ? heads[0].page_size : 0, &heads[1]) == OBX_HEAD_OK;
  int newest = has_second && (!has_first || heads[1].transaction > heads[0].transaction);
  for (int number = 0; number < 2; number++) {
    if (!(number ? has_second : has_first)) continue;
    // Newer versions may have reused the older version's pages.
    salvage_version(&image, &heads[number], heads[number].page_size, must_be_sound && number == newest);
  }
  if (guess) salvage_version(&image, NULL, guess, 0);
  if (must_be_sound) REQUIRE(guess == 0 || guess == heads[newest].page_size);
}
