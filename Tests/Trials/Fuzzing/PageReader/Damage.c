#include "PageReaderFuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

// The copies end with the last page that may be read, so that the address sanitizer sees every read
// beyond it.

// An upper bound of a page's entries.
#define LARGEST_LEAF 4096

static volatile uint8_t sink;

static obx_pages_status note(obx_pages_status status) {
  REQUIRE(status <= OBX_PAGES_UNKNOWN_FORM);
  return status;
}

static void read_bytes(const uint8_t *bytes, size_t size) {
  // Reads only some bytes, since values may be long.
  for (size_t place = 0; place < size; place += 61) sink ^= bytes[place];
  if (size > 0) sink ^= bytes[size - 1];
}

// The copy that is being read.
static const uint8_t *copy_begin;
static size_t copy_size, copy_page_size;

// Bytes lie on one page, or are the value in a run of overflow pages.
static void check_place(const uint8_t *bytes, size_t size, int is_value) {
  size_t place = (size_t)(bytes - copy_begin);
  REQUIRE(bytes >= copy_begin && place <= copy_size && size <= copy_size - place);
  int is_overflow = is_value && place % copy_page_size == 16;
  REQUIRE(size == 0 || is_overflow || place / copy_page_size == (place + size - 1) / copy_page_size);
}

static void read_value(const uint8_t *value, size_t size) {
  check_place(value, size, 1);
  read_bytes(value, size);
}

static void read_entry(const obx_pages_entry *entry) {
  check_place(entry->key, entry->key_size, 0);
  read_bytes(entry->key, entry->key_size);
  read_value(entry->value, entry->value_size);
}

typedef obx_pages_status step(obx_pages_cursor *, obx_pages_entry *);

// A walk ends. Without duplicates it has at most as many entries as the table claims, plus one last
// leaf.
static void walk(const obx_pages_table *table, step *move) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_cursor_init(&cursor, table);
  uint64_t steps = 0, limit = table->entries + LARGEST_LEAF;
  if (table->flags & MDB_DUPSORT) limit *= LARGEST_LEAF;
  while (note(move(&cursor, &entry)) == OBX_PAGES_OK) {
    read_entry(&entry);
    REQUIRE(steps++ <= limit);
    if (table->entries > 100000 && steps > 100000) return;
  }
}

static void walk_runs(const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entries[64];
  size_t count;
  uint64_t steps = 0;
  obx_pages_cursor_init(&cursor, table);
  while (note(obx_pages_run(&cursor, entries, 64, &count)) == OBX_PAGES_OK && steps++ < 100000) {
    for (size_t index = 0; index < count; index++) read_entry(&entries[index]);
  }
  obx_pages_cursor_init(&cursor, table);
  while (note(obx_pages_run_back(&cursor, entries, 64, &count)) == OBX_PAGES_OK && steps++ < 200000) {
    for (size_t index = 0; index < count; index++) read_entry(&entries[index]);
  }
}

// Compares the table with a version that has the same pages below another root.
static void compare_versions(const obx_pages_table *table) {
  obx_pages_table other = *table;
  if (other.pages.page_count > 2) other.root = 2 + below(other.pages.page_count - 2);
  if (other.depth > 1 && below(2)) other.depth--;
  obx_pages_changes changes;
  obx_pages_entry before, after;
  uint64_t steps = 0;
  int is_older = (int)below(2);
  if (note(obx_pages_changes_init(&changes, is_older ? &other : table, is_older ? table : &other))) return;
  while (note(obx_pages_next_change(&changes, &before, &after)) == OBX_PAGES_OK && steps++ < 100000) {
    REQUIRE(before.key || after.key);
    if (before.key) read_entry(&before);
    if (after.key) read_entry(&after);
  }
}

static void search(const obx_pages_table *table, const uint8_t *key, size_t size) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  const uint8_t *value;
  uint32_t value_size;
  uint64_t bad_page, id = random_number(), count;
  if (size == 8) memcpy(&id, key, 8);
  obx_pages_cursor_init(&cursor, table);
  if (note(obx_pages_get(table, key, size, &value, &value_size, &bad_page)) == OBX_PAGES_OK) read_value(value, value_size);
  if (note(obx_pages_get_id(table, id, &value, &value_size, &bad_page)) == OBX_PAGES_OK) read_value(value, value_size);
  note(obx_pages_contains(table, key, size, &id, 8, &bad_page));
  if (note(obx_pages_find(&cursor, key, size, &entry)) == OBX_PAGES_OK) {
    read_entry(&entry);
    if (note(obx_pages_seek_duplicate(&cursor, &id, 8, &entry)) == OBX_PAGES_OK) read_entry(&entry);
    if (note(obx_pages_first_duplicate(&cursor, &entry)) == OBX_PAGES_OK) read_entry(&entry);
    if (note(obx_pages_last_duplicate(&cursor, &entry)) == OBX_PAGES_OK) read_entry(&entry);
    note(obx_pages_next_duplicate(&cursor, &entry));
    note(obx_pages_previous_duplicate(&cursor, &entry));
  }
  uint64_t ids[256];
  size_t given;
  obx_pages_bound bound = {key, size / 2, (obx_pages_bound_kind)below(3)};
  if (note(obx_pages_seek(&cursor, key, size, &entry)) != OBX_PAGES_OK) return;
  read_entry(&entry);
  for (int call = 0; call < 2000; call++) {
    if (note(obx_pages_ids(&cursor, &bound, ids, 1 + below(256), &given)) != OBX_PAGES_OK) break;
    if (!below(40)) note(obx_pages_previous(&cursor, &entry));
    if (!below(40)) note(obx_pages_next_key(&cursor, &entry));
  }
  if (note(obx_pages_seek(&cursor, key, size, &entry)) != OBX_PAGES_OK) return;
  note(obx_pages_count(&cursor, &bound, below(2) ? UINT64_MAX : 20, &count));
  REQUIRE(count <= table->entries + LARGEST_LEAF);
  note(obx_pages_previous(&cursor, &entry));
}

static void read_table(const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  walk(table, obx_pages_next);
  walk(table, obx_pages_previous);
  walk(table, obx_pages_next_key);
  walk(table, obx_pages_previous_key);
  walk_runs(table);
  compare_versions(table);
  uint8_t key[600];
  for (int round = 0; round < 6; round++) {
    size_t size = 8;
    uint64_t number = below(20000);
    memcpy(key, &number, 8);
    if (!(table->flags & MDB_INTEGERKEY)) {
      size = below(510);
      memset(key, 'k', size);
      if (size > 2) key[size - 1] = (uint8_t)('0' + below(10));
    }
    search(table, key, size);
    // An existing key, if one is found.
    obx_pages_cursor_init(&cursor, table);
    if (obx_pages_seek(&cursor, key, size, &entry) != OBX_PAGES_OK || entry.key_size > 600) continue;
    memcpy(key, entry.key, entry.key_size);
    search(table, key, entry.key_size);
  }
}

static void put(uint8_t *bytes, uint64_t number, size_t size) { memcpy(bytes, &number, size); }

// Changes one field of a page, usually a page number or an offset.
static void damage_page(uint8_t *bytes, size_t page, size_t page_count, size_t page_size) {
  uint8_t *place = bytes + page * page_size;
  uint16_t offset, count;
  memcpy(&count, place + 12, 2);
  count = count >= 18 && count < page_size ? (uint16_t)((count - 16) / 2) : 1;
  memcpy(&offset, place + 16 + 2 * below(count), 2);
  // The node at the end of the page, where reads can leave the page.
  for (size_t at = 0, to_end = below(2); to_end && at < count; at++) {
    uint16_t other;
    memcpy(&other, place + 16 + 2 * at, 2);
    if (other > offset && other < page_size) offset = other;
  }
  uint8_t *node = place + (offset <= page_size - 16 ? offset : 16);
  size_t key_size = node[6] | (size_t)node[7] << 8;
  uint8_t *value = node + 8 + (node + 8 + key_size + 16 <= place + page_size ? key_size : 0);
  if (value > place + page_size - 56) value = place + page_size - 56;
  static const uint64_t edges[] = {0, 1, 2, 7, 15, 16, 17, 18, 4080, 4088, 4095, 4096, 0x7fff, 0x8000, 0xffff};
  uint64_t number = below(2) ? edges[below(15)] : random_number();
  switch (below(14)) {
  case 0: place[below(page_size)] ^= (uint8_t)(1u << below(8)); break;
  case 1: place[below(page_size)] = (uint8_t)random_number(); break;
  case 2: put(place, below(page_count + 2), 8); break;
  case 3: put(place + 10, below(2) ? number : 1u << below(16), 2); break;
  case 4: put(place + 12, below(2) ? number : 16 + 2 * below(1 + (place[14] | (size_t)place[15] << 8) / 2), 2); break;
  case 5: put(place + 14, number, 2); break;
  case 6: put(place + 16 + 2 * below(count), number, 2); break;
  case 7: put(node, below(page_count + 2), 6); break;
  case 8: put(node, number, 4); break;
  case 9: put(node + 4, below(9), 2); break;
  case 10: put(node + 6, number, 2); break;
  // Fields of sub-pages and of records of sub-tables.
  case 11: put(value + 2 * below(8), number, 2); break;
  case 12: put(value + 8 * below(6), below(2) ? number : below(page_count + 2), 8); break;
  case 13: {
    size_t other = 2 + below(page_count - 2);
    memcpy(place, bytes + other * page_size, page_size);
    // With a valid page number, the copied page can form a cycle.
    if (below(2)) put(place, page, 8);
    break;
  }
  }
}

// A branch whose children are all itself, deeper than any tree.
static void make_pit(uint8_t *bytes, uint8_t *record, size_t page_count, size_t page_size) {
  uint64_t root;
  memcpy(&root, record + 40, 8);
  if (root >= page_count) return;
  put(record + 6, 2 + below(200), 2);
  put(bytes + root * page_size + 10, 1, 2);
  uint16_t lower, offset;
  memcpy(&lower, bytes + root * page_size + 12, 2);
  for (size_t at = 16; at + 2 <= lower && at + 2 <= page_size; at += 2) {
    memcpy(&offset, bytes + root * page_size + at, 2);
    if (offset + 6u <= page_size) put(bytes + root * page_size + offset, root, 6);
  }
}

// Nodes that share one child on every level: visiting all paths would not end.
static void make_circle(uint8_t *bytes, const obx_pages_table *table) {
  uint64_t number = table->root;
  if (table->depth < 2 || number >= table->pages.page_count) return;
  uint8_t *place = bytes + number * table->pages.page_size;
  uint16_t lower, first, offset;
  memcpy(&lower, place + 12, 2);
  memcpy(&first, place + 16, 2);
  if (lower > table->pages.page_size) return;
  for (size_t at = 18; at + 2 <= lower; at += 2) {
    memcpy(&offset, place + at, 2);
    if (offset + 6u <= table->pages.page_size && first + 6u <= table->pages.page_size) {
      memmove(place + offset, place + first, 6);
    }
  }
}

void damage_store(random_store *store, int copies) {
  obx_pages whole = pages_of(store);
  size_t size = file_size(store), page_size = whole.page_size;
  uint8_t *file = malloc(size);
  REQUIRE(file);
  mdb_filehandle_t handle;
  REQUIRE(mdb_env_get_fd(store->environment, &handle) == 0);
  REQUIRE(pread(handle, file, size, 0) == (ssize_t)size);
  size_t records[MAXIMUM_TABLES];
  for (int table = 0; table < store->table_count; table++) {
    records[table] = (size_t)((const uint8_t *)record_of(store, table).mv_data - whole.base);
  }
  for (int copy = 0; copy < copies; copy++) {
    size_t page_count = whole.page_count;
    if (!below(4)) page_count = 3 + below(page_count - 2);
    if (page_count > whole.page_count) page_count = whole.page_count;
    uint8_t *bytes = NULL;
    REQUIRE(posix_memalign((void **)&bytes, page_size, page_count * page_size) == 0);
    memcpy(bytes, file, page_count * page_size);
    uint64_t changes = below(4) ? below(12) : below(4 * page_count);
    for (uint64_t change = 0; change < changes; change++) {
      // Often damages the last page, since reads beyond it are detected.
      size_t page = below(3) ? 2 + below(page_count - 2) : page_count - 1;
      damage_page(bytes, page, page_count, page_size);
    }
    if (!below(8)) put(bytes + page_size * below(2) + 4 * below(38), random_number(), 4);
    verify_image(bytes, page_count * page_size, 0);
    salvage_image(bytes, page_count * page_size, 0);
    copy_begin = bytes;
    copy_size = page_count * page_size;
    copy_page_size = page_size;
    obx_pages_map map = {bytes, page_count, (uint32_t)page_size};
    obx_pages pages;
    REQUIRE(note(obx_pages_open(&pages, &map, 1, page_count - 1, page_count * page_size)) == OBX_PAGES_OK);
    for (int number = 0; number < store->table_count; number++) {
      if (records[number] + 48 > page_count * page_size) continue;
      obx_pages_table table;
      uint64_t bad_page;
      uint8_t *record = bytes + records[number];
      if (!below(6)) put(record + 4 * below(12), below(2) ? random_number() : below(page_count), 4);
      if (!below(12)) make_pit(bytes, record, page_count, page_size);
      if (note(obx_pages_table_open(&table, &pages, record, 48, &bad_page)) != OBX_PAGES_OK) continue;
      if (!below(10)) make_circle(bytes, &table);
      // Fewer entries than exist, as a walk through damaged pages meets them.
      if (!below(4)) table.entries = 1 + below(table.entries + 1);
      read_table(&table);
    }
    free(bytes);
  }
  free(file);
}

void read_image(const uint8_t *bytes, size_t size) {
  obx_image image = {bytes, size};
  obx_head head;
  obx_pages pages;
  obx_pages_table main_table, table;
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  uint64_t bad_page;
  if (!newest_head(&image, &head) || note(obx_head_open(&image, &head, &pages)) != OBX_PAGES_OK) return;
  copy_begin = bytes;
  copy_size = size;
  copy_page_size = head.page_size;
  if (note(obx_head_main_table(&pages, &head, &main_table)) != OBX_PAGES_OK) return;
  read_table(&main_table);
  obx_pages_cursor_init(&cursor, &main_table);
  for (int count = 0; count < 20 && obx_pages_next(&cursor, &entry) == OBX_PAGES_OK; count++) {
    if (entry.value_size != 48) continue;
    obx_pages_status status =
      note(obx_pages_table_open(&table, &pages, entry.value, entry.value_size, &bad_page));
    if (status == OBX_PAGES_OK) read_table(&table);
  }
}
