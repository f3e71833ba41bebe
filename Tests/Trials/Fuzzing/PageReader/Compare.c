#include "PageReaderFuzz.h"

// The reference: all entries of a table from LMDB's cursor, with the key group of each.
typedef struct {
  MDB_val *keys, *values;
  // Indexes of the first entry with the same key, and of the entry after the last.
  size_t *begins, *ends;
  size_t count;
} truth;

static truth read_truth(random_store *store, int table) {
  truth all = {0};
  MDB_cursor *cursor;
  MDB_stat statistics;
  REQUIRE(mdb_stat(store->pinned, store->tables[table].handle, &statistics) == 0);
  size_t room = statistics.ms_entries + 1;
  all.keys = malloc(room * sizeof *all.keys);
  all.values = malloc(room * sizeof *all.values);
  all.begins = malloc(room * sizeof *all.begins);
  all.ends = malloc(room * sizeof *all.ends);
  REQUIRE(mdb_cursor_open(store->pinned, store->tables[table].handle, &cursor) == 0);
  MDB_val key, value;
  while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
    size_t place = all.count++;
    REQUIRE(place < room);
    all.keys[place] = key;
    all.values[place] = value;
    int is_same = place > 0 && all.keys[place - 1].mv_data == key.mv_data;
    all.begins[place] = is_same ? all.begins[place - 1] : place;
  }
  for (size_t place = all.count; place-- > 0;) {
    int is_last = place + 1 == all.count || all.begins[place + 1] != all.begins[place];
    all.ends[place] = is_last ? place + 1 : all.ends[place + 1];
  }
  mdb_cursor_close(cursor);
  REQUIRE(all.count == statistics.ms_entries);
  return all;
}

static void free_truth(truth *all) {
  free(all->keys);
  free(all->values);
  free(all->begins);
  free(all->ends);
}

// The entry has the same bytes at the same address: nothing is copied.
static int is_entry(const truth *all, size_t place, const obx_pages_entry *entry) {
  return all->keys[place].mv_data == entry->key && all->keys[place].mv_size == entry->key_size &&
    all->values[place].mv_data == entry->value && all->values[place].mv_size == entry->value_size;
}

static void compare_walks(const truth *all, const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_cursor_init(&cursor, table);
  for (size_t place = 0; place < all->count; place++) {
    REQUIRE(obx_pages_next(&cursor, &entry) == OBX_PAGES_OK && is_entry(all, place, &entry));
    REQUIRE(obx_pages_duplicate_count(&cursor) == all->ends[place] - all->begins[place]);
  }
  REQUIRE(obx_pages_next(&cursor, &entry) == OBX_PAGES_END);
  REQUIRE(obx_pages_next(&cursor, &entry) == OBX_PAGES_END);
  obx_pages_cursor_init(&cursor, table);
  for (size_t place = all->count; place-- > 0;) {
    REQUIRE(obx_pages_previous(&cursor, &entry) == OBX_PAGES_OK && is_entry(all, place, &entry));
  }
  REQUIRE(obx_pages_previous(&cursor, &entry) == OBX_PAGES_END);
}

static void compare_runs(const truth *all, const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entries[40];
  size_t count, place = 0;
  obx_pages_cursor_init(&cursor, table);
  for (;;) {
    obx_pages_status status = obx_pages_run(&cursor, entries, 1 + below(40), &count);
    if (status == OBX_PAGES_END) break;
    REQUIRE(status == OBX_PAGES_OK && count > 0);
    for (size_t index = 0; index < count; index++) REQUIRE(is_entry(all, place++, &entries[index]));
  }
  REQUIRE(count == 0 && place == all->count);
  obx_pages_cursor_init(&cursor, table);
  for (;;) {
    obx_pages_status status = obx_pages_run_back(&cursor, entries, 1 + below(40), &count);
    if (status == OBX_PAGES_END) break;
    REQUIRE(status == OBX_PAGES_OK && count > 0);
    for (size_t index = 0; index < count; index++) REQUIRE(is_entry(all, --place, &entries[index]));
  }
  REQUIRE(count == 0 && place == 0);
}

// A key of the table, or similar bytes.
static MDB_val some_key(const truth *all, unsigned flags, uint8_t *room) {
  MDB_val key = {0, room};
  if (all->count > 0) {
    MDB_val of = all->keys[below(all->count)];
    memcpy(room, of.mv_data, of.mv_size);
    key.mv_size = of.mv_size;
  } else {
    key.mv_size = 8;
    memset(room, (int)below(256), 8);
  }
  switch (below(4)) {
  case 0: room[below(key.mv_size)] += (uint8_t)(1 - 2 * below(2)); break;
  case 1:
    if (!(flags & MDB_INTEGERKEY) && key.mv_size > 1) key.mv_size -= 1 + below(key.mv_size - 1);
    break;
  case 2:
    if (!(flags & MDB_INTEGERKEY)) room[key.mv_size++] = (uint8_t)below(256);
    break;
  default: break;
  }
  return key;
}

static int compare_keys(MDB_val a, MDB_val b, unsigned flags) {
  if (flags & MDB_INTEGERKEY) {
    uint64_t x, y;
    memcpy(&x, a.mv_data, 8);
    memcpy(&y, b.mv_data, 8);
    return (x > y) - (x < y);
  }
  int order = memcmp(a.mv_data, b.mv_data, a.mv_size < b.mv_size ? a.mv_size : b.mv_size);
  return order ? order : (a.mv_size > b.mv_size) - (a.mv_size < b.mv_size);
}

// The index of the first entry that LMDB's cursor finds at or above a key; the count if there is
// none.
static size_t place_of(const truth *all, MDB_cursor *cursor, MDB_val key) {
  MDB_val value;
  if (mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)) return all->count;
  size_t low = 0, high = all->count;
  // compare_walks has checked the order, so the address identifies the entry.
  while (low < high) {
    if (all->keys[low].mv_data == key.mv_data) return low;
    low = all->ends[low];
  }
  REQUIRE(0);
  return 0;
}

static void compare_searches(
  random_store *store, int number, const truth *all, const obx_pages_table *table) {
  unsigned flags = store->tables[number].flags;
  MDB_cursor *reference;
  REQUIRE(mdb_cursor_open(store->pinned, store->tables[number].handle, &reference) == 0);
  uint8_t room[600];
  uint64_t bad_page;
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_cursor_init(&cursor, table);
  for (int round = 0; round < 60; round++) {
    MDB_val key = some_key(all, flags, room);
    size_t place = place_of(all, reference, key);
    int is_exact = place < all->count && compare_keys(all->keys[place], key, flags) == 0;
    obx_pages_status status = obx_pages_seek(&cursor, key.mv_data, key.mv_size, &entry);
    REQUIRE(place == all->count ? status == OBX_PAGES_END : status == OBX_PAGES_OK && is_entry(all, place, &entry));
    status = obx_pages_find(&cursor, key.mv_data, key.mv_size, &entry);
    REQUIRE(is_exact ? status == OBX_PAGES_OK && is_entry(all, place, &entry) : status == OBX_PAGES_END);
    const uint8_t *value;
    uint32_t size;
    status = obx_pages_get(table, key.mv_data, key.mv_size, &value, &size, &bad_page);
    REQUIRE(status == (is_exact ? OBX_PAGES_OK : OBX_PAGES_END));
    if (is_exact) REQUIRE(value == all->values[place].mv_data && size == all->values[place].mv_size);
    if (flags & MDB_INTEGERKEY && !(flags & MDB_DUPSORT)) {
      uint64_t id;
      memcpy(&id, key.mv_data, 8);
      REQUIRE(obx_pages_get_id(table, id, &value, &size, &bad_page) == status);
      if (is_exact) REQUIRE(value == all->values[place].mv_data && size == all->values[place].mv_size);
    }
    if (flags & MDB_DUPSORT && is_exact) {
      size_t chosen = all->begins[place] + below(all->ends[place] - all->begins[place]);
      uint8_t wanted[600];
      MDB_val duplicate = {all->values[chosen].mv_size, wanted};
      memcpy(wanted, all->values[chosen].mv_data, duplicate.mv_size);
      if (below(2) && duplicate.mv_size) wanted[below(duplicate.mv_size)] += (uint8_t)(1 - 2 * below(2));
      MDB_val found = duplicate, same = key;
      int code = mdb_cursor_get(reference, &same, &found, MDB_GET_BOTH_RANGE);
      status = obx_pages_seek_duplicate(&cursor, wanted, duplicate.mv_size, &entry);
      REQUIRE(code == MDB_NOTFOUND ? status == OBX_PAGES_END : status == OBX_PAGES_OK && found.mv_data == entry.value);
      found = duplicate;
      code = mdb_cursor_get(reference, &same, &found, MDB_GET_BOTH);
      status = obx_pages_contains(table, key.mv_data, key.mv_size, wanted, duplicate.mv_size, &bad_page);
      REQUIRE(status == (code ? OBX_PAGES_END : OBX_PAGES_OK));
    }
  }
  if (flags & MDB_INTEGERKEY && !(flags & MDB_DUPSORT)) {
    for (size_t place = 0; place < all->count; place++) {
      const uint8_t *value;
      uint32_t size;
      uint64_t id;
      memcpy(&id, all->keys[place].mv_data, 8);
      REQUIRE(obx_pages_get_id(table, id, &value, &size, &bad_page) == OBX_PAGES_OK);
      REQUIRE(value == all->values[place].mv_data && size == all->values[place].mv_size);
    }
  }
  mdb_cursor_close(reference);
}

// Compares random steps with the reference.
static void compare_steps(const truth *all, unsigned flags, const obx_pages_table *table) {
  obx_pages_cursor cursor;
  obx_pages_entry entry;
  obx_pages_entry entries[8];
  size_t place = 0, count;
  obx_pages_cursor_init(&cursor, table);
  if (all->count == 0) return;
  REQUIRE(obx_pages_first(&cursor, &entry) == OBX_PAGES_OK);
  for (int step = 0; step < 3000; step++) {
    size_t target = all->count;
    obx_pages_status status = OBX_PAGES_OK;
    size_t begin = all->begins[place], end = all->ends[place];
    switch (below(flags & MDB_DUPSORT ? 12 : 10)) {
    case 0: case 1: case 2:
      target = place + 1;
      status = obx_pages_next(&cursor, &entry);
      break;
    case 3: case 4: case 5:
      target = place ? place - 1 : all->count;
      status = obx_pages_previous(&cursor, &entry);
      break;
    case 6:
      target = end;
      status = obx_pages_next_key(&cursor, &entry);
      break;
    case 7:
      target = begin ? all->begins[begin - 1] : all->count;
      status = obx_pages_previous_key(&cursor, &entry);
      break;
    case 8:
      if (below(200)) continue;
      target = 0;
      status = obx_pages_first(&cursor, &entry);
      if (below(2)) {
        target = all->count - 1;
        status = obx_pages_last(&cursor, &entry);
      }
      break;
    case 9:
      // Crosses the gaps that runs leave, back to neighbouring entries.
      if (flags & MDB_DUPSORT) continue;
      REQUIRE(obx_pages_run(&cursor, entries, 1 + below(8), &count) == OBX_PAGES_OK);
      for (size_t index = 0; index < count; index++) REQUIRE(is_entry(all, place + index, &entries[index]));
      if (below(2)) {
        target = place + count;
        status = obx_pages_next(&cursor, &entry);
        if (status == OBX_PAGES_OK) break;
        REQUIRE(target == all->count);
      }
      target = place + count - 1;
      status = obx_pages_previous(&cursor, &entry);
      break;
    case 10:
      target = place + 1 < end ? place + 1 : all->count;
      status = obx_pages_next_duplicate(&cursor, &entry);
      if (below(3) == 0) {
        target = end - 1;
        status = obx_pages_last_duplicate(&cursor, &entry);
      }
      break;
    case 11:
      target = place > begin ? place - 1 : all->count;
      status = obx_pages_previous_duplicate(&cursor, &entry);
      if (below(3) == 0) {
        target = begin;
        status = obx_pages_first_duplicate(&cursor, &entry);
      }
      break;
    }
    if (target == all->count) {
      REQUIRE(status == OBX_PAGES_END);
    } else {
      REQUIRE(status == OBX_PAGES_OK && is_entry(all, target, &entry));
      place = target;
    }
  }
}

static int is_within(MDB_val key, const obx_pages_bound *bound) {
  MDB_val end = {bound->size, (void *)bound->bytes};
  if (bound->kind == OBX_PAGES_ALL_KEYS) return 1;
  if (bound->kind == OBX_PAGES_KEYS_UP_TO) return compare_keys(key, end, 0) <= 0;
  return key.mv_size >= end.mv_size && memcmp(key.mv_data, end.mv_data, end.mv_size) == 0;
}

static void compare_ranges(
  random_store *store, int number, const truth *all, const obx_pages_table *table) {
  unsigned flags = store->tables[number].flags;
  // Range ends are compared as bytes, like keys of indexes.
  if (flags & MDB_INTEGERKEY) return;
  MDB_cursor *reference;
  REQUIRE(mdb_cursor_open(store->pinned, store->tables[number].handle, &reference) == 0);
  uint8_t low_room[600], high_room[600];
  uint64_t *ids = malloc((all->count + 1) * sizeof *ids);
  for (int round = 0; round < 20; round++) {
    MDB_val low = some_key(all, flags, low_room), high = some_key(all, flags, high_room);
    obx_pages_bound bound = {high.mv_data, high.mv_size, (obx_pages_bound_kind)below(3)};
    if (!below(3)) bound = (obx_pages_bound){low.mv_data, low.mv_size, OBX_PAGES_KEYS_UP_TO};
    size_t begin = place_of(all, reference, low), end = begin, keys = 0;
    while (end < all->count && is_within(all->keys[end], &bound)) {
      end = all->ends[end];
      keys++;
    }
    obx_pages_cursor cursor;
    obx_pages_entry entry;
    obx_pages_cursor_init(&cursor, table);
    REQUIRE((obx_pages_seek(&cursor, low.mv_data, low.mv_size, &entry) == OBX_PAGES_END) == (begin == all->count));
    uint64_t total = 0, counted;
    uint64_t limit = below(2) ? UINT64_MAX : 1 + below(9), counted_keys = 0;
    obx_pages_status status;
    do {
      status = obx_pages_count(&cursor, &bound, limit, &counted);
      total += counted;
      counted_keys += limit;
    } while (status == OBX_PAGES_OK);
    REQUIRE(status == OBX_PAGES_END && total == end - begin);
    if (limit != UINT64_MAX) REQUIRE(counted_keys >= keys);
    if (!(flags & MDB_INTEGERDUP)) continue;
    size_t given = 0, count;
    size_t room = below(2) ? all->count : below(50) + 1;
    obx_pages_seek(&cursor, low.mv_data, low.mv_size, &entry);
    do {
      size_t left = all->count - given + 1;
      status = obx_pages_ids(&cursor, &bound, ids + given, room < left ? room : left, &count);
      given += count;
    } while (status == OBX_PAGES_OK);
    REQUIRE(status == OBX_PAGES_END && given == end - begin);
    for (size_t place = 0; place < given; place++) {
      REQUIRE(memcmp(&ids[place], all->values[begin + place].mv_data, 8) == 0);
    }
    // The entry after the range is read next.
    if (given > 0 && begin < all->count) {
      status = obx_pages_next(&cursor, &entry);
      REQUIRE(end == all->count ? status == OBX_PAGES_END : status == OBX_PAGES_OK && is_entry(all, end, &entry));
      obx_pages_seek(&cursor, low.mv_data, low.mv_size, &entry);
      obx_pages_ids(&cursor, &bound, ids, room, &count);
      REQUIRE(obx_pages_previous(&cursor, &entry) == OBX_PAGES_OK && is_entry(all, begin + count - 1, &entry));
    }
  }
  free(ids);
  mdb_cursor_close(reference);
}

void compare_store(random_store *store) {
  obx_pages pages = pages_of(store);
  for (int number = 0; number < store->table_count; number++) {
    unsigned flags = store->tables[number].flags;
    truth all = read_truth(store, number);
    obx_pages_table table;
    uint64_t bad_page;
    MDB_val record = record_of(store, number);
    REQUIRE(obx_pages_table_open(&table, &pages, record.mv_data, record.mv_size, &bad_page) == OBX_PAGES_OK);
    REQUIRE(table.entries == all.count && table.flags == flags);
    compare_walks(&all, &table);
    if (!(flags & MDB_DUPSORT)) compare_runs(&all, &table);
    compare_searches(store, number, &all, &table);
    compare_steps(&all, flags, &table);
    compare_ranges(store, number, &all, &table);
    free_truth(&all);
  }
}
