/// LMDB with packed records and composite index keys, like a hand-written engine on LMDB.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lmdb_record.h"
#include "store.h"

static MDB_env *environment;
static MDB_dbi objects_table, names_table, ages_table;
static Indexes indexes;
static uint64_t next_id;
static char data_path[4200];

// MARK: Opening

void store_configure(const char *synchronous) { (void)synchronous; }

void store_remove_files(const char *folder) {
  char path[4200];
  snprintf(path, sizeof path, "%s/data.mdb", folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/lock.mdb", folder);
  unlink(path);
}

void store_open(const char *folder, Indexes wanted) {
  indexes = wanted;
  snprintf(data_path, sizeof data_path, "%s/data.mdb", folder);
  CHECK(mdb_env_create(&environment));
  CHECK(mdb_env_set_mapsize(environment, (size_t)4 << 30));
  CHECK(mdb_env_set_maxdbs(environment, 8));
  CHECK(mdb_env_open(environment, folder, MDB_NOTLS | MDB_NORDAHEAD, 0644));
  MDB_txn *transaction;
  CHECK(mdb_txn_begin(environment, NULL, 0, &transaction));
  CHECK(mdb_dbi_open(transaction, "objects", MDB_CREATE | MDB_INTEGERKEY, &objects_table));
  CHECK(mdb_dbi_open(transaction, "names", MDB_CREATE, &names_table));
  CHECK(mdb_dbi_open(transaction, "ages", MDB_CREATE, &ages_table));
  MDB_cursor *cursor;
  CHECK(mdb_cursor_open(transaction, objects_table, &cursor));
  MDB_val key, value;
  next_id = 1;
  if (mdb_cursor_get(cursor, &key, &value, MDB_LAST) == 0) {
    memcpy(&next_id, key.mv_data, sizeof next_id);
    next_id++;
  }
  mdb_cursor_close(cursor);
  CHECK(mdb_txn_commit(transaction));
}

void store_close(void) {
  if (environment) mdb_env_close(environment);
  environment = NULL;
}

double store_file_bytes(void) { return file_bytes(data_path); }

// MARK: Writing

typedef struct {
  MDB_txn *transaction;
  MDB_cursor *objects, *names, *ages;
  char buffer[1024];
} Write;

static void begin(Write *write) {
  CHECK(mdb_txn_begin(environment, NULL, 0, &write->transaction));
  CHECK(mdb_cursor_open(write->transaction, objects_table, &write->objects));
  CHECK(mdb_cursor_open(write->transaction, names_table, &write->names));
  CHECK(mdb_cursor_open(write->transaction, ages_table, &write->ages));
}

// LMDB closes the cursors of a write transaction when it ends.
static void commit(Write *write) { CHECK(mdb_txn_commit(write->transaction)); }

static void put_key(MDB_cursor *cursor, const void *bytes, size_t length) {
  MDB_val key = value_of(bytes, length), value = value_of("", 0);
  CHECK(mdb_cursor_put(cursor, &key, &value, 0));
}

static void remove_key(MDB_cursor *cursor, const void *bytes, size_t length) {
  MDB_val key = value_of(bytes, length), value;
  CHECK(mdb_cursor_get(cursor, &key, &value, MDB_SET));
  CHECK(mdb_cursor_del(cursor, 0));
}

static void put_name_key(Write *write, const Object *object) {
  NameKey key = name_key(object->name.bytes, object->name.length, object->id);
  put_key(write->names, &key, sizeof key);
}

static void put_age_key(Write *write, const Object *object) {
  AgeKey key = age_key(object->age, object->id);
  put_key(write->ages, &key, sizeof key);
}

/// Returns the ID of the next object with a name, or 0; `first` starts a new search.
static uint64_t next_with_name(
  MDB_txn *transaction, MDB_cursor *cursor, const Text *name, bool first, MDB_val *record
) {
  NameKey wanted = name_key(name->bytes, name->length, 0), found;
  MDB_val key = value_of(&wanted, sizeof wanted), value;
  int code = mdb_cursor_get(cursor, &key, &value, first ? MDB_SET_RANGE : MDB_NEXT);
  for (; code == 0; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    memcpy(&found, key.mv_data, sizeof found);
    if (found.hash != wanted.hash) return 0;
    uint64_t id = __builtin_bswap64(found.id);
    MDB_val object_key = value_of(&id, sizeof id);
    CHECK(mdb_get(transaction, objects_table, &object_key, record));
    Record decoded = record_of(record);
    if (is_name(&decoded, name)) return id;
  }
  return 0;
}

static bool is_taken(Write *write, const Object *object) {
  MDB_val record;
  uint64_t id = next_with_name(write->transaction, write->names, &object->name, true, &record);
  return id != 0 && id != object->id;
}

static void put_new(Write *write, Object *object) {
  object->id = next_id++;
  if (indexes == UNIQUE_NAME) REQUIRE(!is_taken(write, object));
  MDB_val key = value_of(&object->id, sizeof object->id);
  MDB_val value = encode(object, write->buffer, sizeof write->buffer);
  CHECK(mdb_cursor_put(write->objects, &key, &value, MDB_APPEND));
  if (indexes != NO_INDEX) put_name_key(write, object);
  if (indexes == TWO_INDEXES) put_age_key(write, object);
}

void store_put_all(Objects *objects) {
  Write write;
  begin(&write);
  for (size_t index = 0; index < objects->count; index++) put_new(&write, &objects->items[index]);
  commit(&write);
}

void store_put_one(Object *object) {
  Write write;
  begin(&write);
  put_new(&write, object);
  commit(&write);
}

static void update(Write *write, const Object *object, uint64_t id) {
  MDB_val key = value_of(&id, sizeof id), value;
  if (indexes != NO_INDEX) {
    CHECK(mdb_cursor_get(write->objects, &key, &value, MDB_SET));
    Record old = record_of(&value);
    if (!is_name(&old, &object->name)) {
      if (indexes == UNIQUE_NAME) REQUIRE(!is_taken(write, object));
      NameKey name = name_key(old.name, old.head.name_length, id);
      remove_key(write->names, &name, sizeof name);
      put_name_key(write, object);
    }
    if (indexes == TWO_INDEXES && old.head.age != object->age) {
      AgeKey age = age_key(old.head.age, id);
      remove_key(write->ages, &age, sizeof age);
      put_age_key(write, object);
    }
  }
  key = value_of(&id, sizeof id);
  value = encode(object, write->buffer, sizeof write->buffer);
  CHECK(mdb_cursor_put(write->objects, &key, &value, 0));
}

void store_update_all(const Objects *objects) {
  Write write;
  begin(&write);
  for (size_t index = 0; index < objects->count; index++) {
    update(&write, &objects->items[index], objects->items[index].id);
  }
  commit(&write);
}

void store_set_scores(double score) {
  Write write;
  begin(&write);
  MDB_val key, value;
  MDB_cursor_op step = MDB_FIRST;
  for (; mdb_cursor_get(write.objects, &key, &value, step) == 0; step = MDB_NEXT) {
    REQUIRE(value.mv_size <= sizeof write.buffer);
    memcpy(write.buffer, value.mv_data, value.mv_size);
    memcpy(write.buffer + offsetof(Head, score), &score, sizeof score);
    MDB_val changed = value_of(write.buffer, value.mv_size);
    CHECK(mdb_cursor_put(write.objects, &key, &changed, MDB_CURRENT));
  }
  commit(&write);
}

void store_update_some(const uint64_t *ids, size_t count, const Object *values) {
  Write write;
  begin(&write);
  for (size_t place = 0; place < count; place++) update(&write, values, ids[place]);
  commit(&write);
}

bool store_refuses(const Object *object) {
  Write write;
  begin(&write);
  bool refuses = is_taken(&write, object);
  mdb_txn_abort(write.transaction);
  return refuses;
}

void store_remove(const uint64_t *ids, size_t count) {
  Write write;
  begin(&write);
  for (size_t place = 0; place < count; place++) {
    MDB_val key = value_of(&ids[place], sizeof *ids), value;
    CHECK(mdb_cursor_get(write.objects, &key, &value, MDB_SET));
    Record record = record_of(&value);
    if (indexes != NO_INDEX) {
      NameKey name = name_key(record.name, record.head.name_length, ids[place]);
      remove_key(write.names, &name, sizeof name);
    }
    if (indexes == TWO_INDEXES) {
      AgeKey age = age_key(record.head.age, ids[place]);
      remove_key(write.ages, &age, sizeof age);
    }
    CHECK(mdb_cursor_del(write.objects, 0));
  }
  commit(&write);
}

void store_remove_all(void) {
  MDB_txn *transaction;
  CHECK(mdb_txn_begin(environment, NULL, 0, &transaction));
  CHECK(mdb_drop(transaction, objects_table, 0));
  CHECK(mdb_drop(transaction, names_table, 0));
  CHECK(mdb_drop(transaction, ages_table, 0));
  CHECK(mdb_txn_commit(transaction));
}

// MARK: Reading

static MDB_txn *begin_read(void) {
  MDB_txn *transaction;
  CHECK(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction));
  return transaction;
}

static void get(MDB_txn *transaction, uint64_t id, Object *object) {
  MDB_val key = value_of(&id, sizeof id), value;
  CHECK(mdb_get(transaction, objects_table, &key, &value));
  decode(&value, id, object);
}

void store_get_all(const uint64_t *ids, size_t count, Object *object) {
  MDB_txn *transaction = begin_read();
  for (size_t place = 0; place < count; place++) get(transaction, ids[place], object);
  mdb_txn_abort(transaction);
}

/// A pass over all objects: `for (Scan scan = begin_scan(); next(&scan);) { ... }`.
typedef struct {
  MDB_txn *transaction;
  MDB_cursor *cursor;
  MDB_val key, record;
} Scan;

static Scan begin_scan(void) {
  Scan scan = {.transaction = begin_read()};
  CHECK(mdb_cursor_open(scan.transaction, objects_table, &scan.cursor));
  return scan;
}

static bool next(Scan *scan) {
  // MDB_NEXT on a new cursor returns the first key.
  if (mdb_cursor_get(scan->cursor, &scan->key, &scan->record, MDB_NEXT) == 0) return true;
  mdb_cursor_close(scan->cursor);
  mdb_txn_abort(scan->transaction);
  return false;
}

static void decode_found(const Scan *scan, Object *object) {
  uint64_t id;
  memcpy(&id, scan->key.mv_data, sizeof id);
  decode(&scan->record, id, object);
}

void store_read_all(Objects *found) {
  Scan scan = begin_scan();
  MDB_stat statistics;
  CHECK(mdb_stat(scan.transaction, objects_table, &statistics));
  objects_reserve(found, statistics.ms_entries);
  while (next(&scan)) decode_found(&scan, objects_append(found));
}

size_t store_scan(void) {
  size_t count = 0;
  for (Scan scan = begin_scan(); next(&scan); count++) {
    Object object = {0};
    decode_found(&scan, &object);
    object_clear(&object);
  }
  return count;
}

size_t store_count_ages(int32_t low, int32_t high) {
  size_t count = 0;
  for (Scan scan = begin_scan(); next(&scan);) {
    int32_t age = age_of(&scan.record);
    count += age >= low && age <= high;
  }
  return count;
}

size_t store_find_ages(int32_t low, int32_t high, Objects *found) {
  for (Scan scan = begin_scan(); next(&scan);) {
    int32_t age = age_of(&scan.record);
    if (age >= low && age <= high) decode_found(&scan, objects_append(found));
  }
  return found->count;
}

size_t store_find_indexed_ages(int32_t low, int32_t high, Objects *found) {
  MDB_txn *transaction = begin_read();
  MDB_cursor *cursor;
  CHECK(mdb_cursor_open(transaction, ages_table, &cursor));
  AgeKey first = age_key(low, 0), place;
  uint32_t last = __builtin_bswap32(age_key(high, 0).age);
  MDB_val key = value_of(&first, sizeof first), value;
  int code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  for (; code == 0; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    memcpy(&place, key.mv_data, sizeof place);
    if (__builtin_bswap32(place.age) > last) break;
    get(transaction, __builtin_bswap64(place.id), objects_append(found));
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  return found->count;
}

size_t store_find_names(const Text *names, size_t count, Object *object) {
  MDB_txn *transaction = begin_read();
  MDB_cursor *cursor;
  CHECK(mdb_cursor_open(transaction, names_table, &cursor));
  size_t found = 0;
  for (size_t place = 0; place < count; place++) {
    MDB_val record;
    uint64_t id = next_with_name(transaction, cursor, &names[place], true, &record);
    for (; id; id = next_with_name(transaction, cursor, &names[place], false, &record)) {
      decode(&record, id, object);
      found++;
    }
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  return found;
}

size_t store_count_notes_with(const char *part) {
  size_t count = 0, length = strlen(part);
  for (Scan scan = begin_scan(); next(&scan);) {
    Record record = record_of(&scan.record);
    count += memmem(record.note, record.head.note_length, part, length) != NULL;
  }
  return count;
}

size_t store_count_names_from(const char *prefix) {
  size_t count = 0, length = strlen(prefix);
  for (Scan scan = begin_scan(); next(&scan);) {
    Record record = record_of(&scan.record);
    count += record.head.name_length >= length && memcmp(record.name, prefix, length) == 0;
  }
  return count;
}

struct Reader {
  MDB_txn *transaction;
};

Reader *reader_open(void) {
  Reader *reader = allocate(sizeof *reader);
  reader->transaction = begin_read();
  mdb_txn_reset(reader->transaction);
  return reader;
}

bool reader_get(Reader *reader, uint64_t id, Object *object) {
  CHECK(mdb_txn_renew(reader->transaction));
  get(reader->transaction, id, object);
  mdb_txn_reset(reader->transaction);
  return true;
}

void reader_close(Reader *reader) {
  mdb_txn_abort(reader->transaction);
  free(reader);
}

bool store_begin_reads(size_t count) {
  Reader *reader = reader_open();
  for (size_t number = 0; number < count; number++) {
    CHECK(mdb_txn_renew(reader->transaction));
    mdb_txn_reset(reader->transaction);
  }
  reader_close(reader);
  return true;
}

bool store_put_books(size_t shelves) {
  (void)shelves;
  return false;
}

size_t store_order_books(bool by_name) {
  (void)by_name;
  return 0;
}

bool store_begin_writes(size_t count) {
  for (size_t number = 0; number < count; number++) {
    MDB_txn *transaction;
    CHECK(mdb_txn_begin(environment, NULL, 0, &transaction));
    mdb_txn_abort(transaction);
  }
  return true;
}
