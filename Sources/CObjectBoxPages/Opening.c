#include "Layout.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// Opening: from an environment to its map, its versions, and their tables.

static const uint32_t magic = 0xbeefc0de;
static const uint32_t data_version = 1;

// Whether a page in memory is the page of the file with a number.
static int is_page(const uint8_t *page, uint64_t number, int file, uint32_t page_size) {
  uint8_t bytes[4096];
  for (uint32_t place = 0; place < page_size;) {
    size_t wanted = page_size - place < sizeof bytes ? page_size - place : sizeof bytes;
    ssize_t count = pread(file, bytes, wanted, (off_t)(number * page_size + place));
    if (count <= 0 || memcmp(page + place, bytes, (size_t)count) != 0) return 0;
    place += (uint32_t)count;
  }
  return 1;
}

// The kernel looks, so that a wrong address is no crash. The bytes are taken for a path, and what is there does not
// matter.
int obx_is_readable(const uint8_t *place) {
  int before = errno;
  int result = !(access((const char *)place, F_OK) != 0 && errno == EFAULT);
  errno = before;
  return result;
}

// Whether `page` is the leaf that holds the record of a table under its name.
static int holds(
  const uint8_t *page, uint32_t page_size, const uint8_t *record, const void *name,
  size_t name_size) {
  obx_pages_level level;
  obx_pages_table plain = {.flags = 0};
  uint64_t header = obx_load64(page + 8);
  if ((page_flags(header) & ~PAGE_TRANSIENT) != PAGE_LEAF ||
      open_level(&plain, page, header, page_size, 1, &level)) {
    return 0;
  }
  for (size_t index = 0; index < level.count; index++) {
    obx_node node = node_at(&level, index, page_size);
    if (!node.place || key_of(node) + key_size(node) != record) continue;
    return node_flags(node) == NODE_TABLE && (uint32_t)node.header == TABLE_RECORD &&
      key_size(node) == name_size && memcmp(key_of(node), name, name_size) == 0;
  }
  return 0;
}

// Checks one of the two head pages; only what no commit changes, since commits may write there now.
static obx_pages_status check_head(const uint8_t *page, uint64_t number, uint32_t page_size) {
  if (!obx_is_readable(page) || obx_load64(page) != number ||
      (obx_load16(page + 10) & ~PAGE_TRANSIENT) != PAGE_META || obx_load32(page + 16) != magic) {
    return OBX_PAGES_CORRUPT;
  }
  if (obx_load32(page + 20) != data_version) return OBX_PAGES_FALLBACK;
  return obx_load32(page + 40) == page_size ? OBX_PAGES_OK : OBX_PAGES_CORRUPT;
}

obx_pages_status obx_pages_map_open(
  obx_pages_map *map, const void *record, const void *name, size_t name_size, int file,
  uint32_t page_size, uint64_t map_size, uint64_t *bad_page) {
  *bad_page = 0;
  if (!OBX_LAYOUT_IS_KNOWN || page_size < SMALLEST_PAGE || page_size > LARGEST_PAGE ||
      page_size & (page_size - 1)) {
    return OBX_PAGES_FALLBACK;
  }
  long unit = sysconf(_SC_PAGESIZE);
  if (unit <= 0) return OBX_PAGES_FALLBACK;
  // The map begins at a unit of the system, so pages lie at multiples of the smaller of both sizes.
  uintptr_t step = (uintptr_t)unit < page_size ? (uintptr_t)unit : page_size;
  const uint8_t *page = (const uint8_t *)((uintptr_t)record & ~(step - 1));
  // In bounds: the record lies on a page behind the two head pages, so a page's size below it still
  // belongs to the map.
  for (uint32_t distance = 0; distance < page_size; distance += step, page -= step) {
    if (!holds(page, page_size, record, name, name_size)) continue;
    uint64_t number = obx_load64(page);
    *bad_page = number;
    if (number < FIRST_TREE_PAGE || number >= map_size / page_size ||
        !is_page(page, number, file, page_size)) {
      return OBX_PAGES_CORRUPT;
    }
    // The number may still be wrong, when a write went astray and the file has the page twice. Nothing is
    // read at the base before the kernel agrees, and nothing is used before the head pages are found.
    const uint8_t *base = (const uint8_t *)((uintptr_t)page - number * page_size);
    *bad_page = 0;
    obx_pages_status status = check_head(base, 0, page_size);
    if (!status) {
      *bad_page = 1;
      status = check_head(base + page_size, 1, page_size);
    }
    if (status) return status;
    *map = (obx_pages_map){base, map_size / page_size, page_size};
    return OBX_PAGES_OK;
  }
  return OBX_PAGES_FALLBACK;
}

int64_t obx_pages_file_size(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? (int64_t)status.st_size : -1;
}

obx_pages_status obx_pages_open(
  obx_pages *pages, const obx_pages_map *map, uint64_t transaction, uint64_t last_page,
  uint64_t file_size) {
  uint64_t count = file_size / map->page_size;
  if (map->page_count < count) count = map->page_count;
  // The file may end before the last page of the version, which need not be in use.
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
  // Branch, leaf and overflow pages: each is a page of the version.
  for (size_t place = 8; place < 32; place += 8) {
    if (obx_load64(record + place) >= pages->page_count) return corrupt(own, bad_page);
  }
  // Each entry takes at least a byte, so this bounds every walk.
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
    // Integers of another form than a page of keys are none of ours.
    (table->flags & TABLE_FIXED_DUPLICATES || !(table->flags & TABLE_INTEGER_DUPLICATES));
  return is_known ? OBX_PAGES_OK : OBX_PAGES_FALLBACK;
}
