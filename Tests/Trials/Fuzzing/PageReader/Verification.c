#include "PageReaderFuzz.h"

#include <sys/stat.h>
#include <unistd.h>

// Verifies whole files: sound files have no findings, and files without findings are readable.

static int count_finding(void *context, const obx_finding *finding) {
  (void)finding;
  return ++*(uint64_t *)context > 100;
}

static int print_finding(void *context, const obx_finding *finding) {
  fprintf(
    stderr, "finding %d on page %llu: %llu, %llu in '%.*s'\n", (int)finding->kind,
    (unsigned long long)finding->page, (unsigned long long)finding->found,
    (unsigned long long)finding->expected, (int)finding->table_size,
    finding->table ? (const char *)finding->table : "");
  return count_finding(context, finding);
}

int newest_head(const obx_image *image, obx_head *head) {
  obx_head first, second;
  int has_first = obx_head_read(image, 0, 0, &first) == OBX_HEAD_OK;
  int has_second = obx_head_read(image, 1, has_first ? first.page_size : 0, &second) == OBX_HEAD_OK;
  if (!has_first && !has_second) return 0;
  *head = has_second && (!has_first || second.transaction > first.transaction) ? second : first;
  return 1;
}

static void read_whole_table(const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_cursor_init(&cursor, table);
  uint64_t count = 0;
  obx_pages_status status;
  while ((status = obx_pages_next(&cursor, &entry)) == OBX_PAGES_OK) count++;
  REQUIRE(status == OBX_PAGES_UNKNOWN_FORM || (status == OBX_PAGES_END && count == table->entries));
}

// Reads all tables of a version without findings.
static void read_whole(const obx_image *image, const obx_head *head) {
  obx_pages pages;
  obx_pages_table main_table, table;
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  uint64_t bad_page;
  REQUIRE(obx_head_open(image, head, &pages) == OBX_PAGES_OK);
  REQUIRE(obx_head_main_table(&pages, head, &main_table) == OBX_PAGES_OK);
  obx_pages_cursor_init(&cursor, &main_table);
  while (1) {
    obx_pages_status status = obx_pages_next(&cursor, &entry);
    // The page reader has no values of tables, but those that a look-up gives.
    if (status == OBX_PAGES_END || status == OBX_PAGES_UNKNOWN_FORM) break;
    REQUIRE(status == OBX_PAGES_OK);
    if (entry.value_size != 48) continue;
    status = obx_pages_table_open(&table, &pages, entry.value, entry.value_size, &bad_page);
    REQUIRE(status != OBX_PAGES_CORRUPT);
    if (status == OBX_PAGES_OK) read_whole_table(&table);
  }
}

// A compacted copy in memory.
typedef struct {
  uint8_t *bytes;
  size_t size, room;
} compact_copy;

static int add_pages(void *context, const void *bytes, size_t size) {
  compact_copy *copy = context;
  REQUIRE(size <= copy->room - copy->size);
  memcpy(copy->bytes + copy->size, bytes, size);
  copy->size += size;
  return 0;
}

// Copies the pages of a version. A sound version's copy has no findings, and as many pages of each
// kind.
static void compact(const obx_image *image, const obx_head *head, const obx_verify_counts *counts) {
  obx_head made = *head;
  size_t page_size = head->page_size;
  compact_copy copy = {calloc(1, image->size + 2 * page_size), 2 * page_size, image->size + 2 * page_size};
  REQUIRE(copy.bytes);
  obx_compact_writer writer = {&copy, add_pages};
  uint64_t bad_page;
  obx_compact_status status = obx_compact(image, &made, &writer, &bad_page);
  REQUIRE(
    status == OBX_COMPACT_DONE || status == OBX_COMPACT_CORRUPT || status == OBX_COMPACT_UNKNOWN_FORM);
  if (counts && status != OBX_COMPACT_UNKNOWN_FORM) {
    REQUIRE(status == OBX_COMPACT_DONE && copy.size == (made.last_page + 1) * page_size);
    for (uint64_t number = 0; number < 2; number++) {
      memcpy(copy.bytes + number * page_size, image->base + head->number * page_size, page_size);
      memcpy(copy.bytes + number * page_size, &number, 8);
      obx_head_write(&made, copy.bytes + number * page_size);
    }
    obx_image whole = {copy.bytes, copy.size};
    uint64_t found = 0;
    obx_verify_observer observer = {&found, print_finding, NULL};
    obx_verify_counts copied;
    REQUIRE(obx_verify(&whole, &made, OBX_VERIFY_ALL, &observer, &copied) == 0 && found == 0);
    REQUIRE(copied.free_pages == 0 && copied.tables == counts->tables);
    REQUIRE(copied.branch_pages <= counts->branch_pages && copied.leaf_pages <= counts->leaf_pages);
    REQUIRE(copied.overflow_pages <= counts->overflow_pages);
    read_whole(&whole, &made);
  }
  free(copy.bytes);
}

void verify_image(const uint8_t *bytes, size_t size, int must_be_sound) {
  obx_image image = {bytes, size};
  obx_head head;
  if (!newest_head(&image, &head)) {
    REQUIRE(!must_be_sound);
    return;
  }
  uint64_t found = 0, found_quickly = 0;
  obx_verify_observer observer = {&found, must_be_sound ? print_finding : count_finding, NULL};
  obx_verify_counts counts;
  REQUIRE(obx_verify(&image, &head, OBX_VERIFY_ALL, &observer, &counts) == 0);
  compact(&image, &head, found == 0 ? &counts : NULL);
  observer.context = &found_quickly;
  REQUIRE(obx_verify(&image, &head, OBX_VERIFY_QUICK, &observer, &counts) == 0);
  if (must_be_sound) REQUIRE(found == 0 && found_quickly == 0);
  // The quick check is a part of the full check.
  REQUIRE(found > 0 || found_quickly == 0);
  if (found > 0) return;
  read_whole(&image, &head);
}

void verify_store(random_store *store) {
  mdb_filehandle_t handle;
  size_t size = file_size(store);
  uint8_t *file = malloc(size);
  REQUIRE(file && mdb_env_get_fd(store->environment, &handle) == 0);
  REQUIRE(pread(handle, file, size, 0) == (ssize_t)size);
  verify_image(file, size, 1);
  salvage_image(file, size, 1);
  free(file);
}
