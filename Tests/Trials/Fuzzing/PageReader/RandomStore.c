#include "PageReaderFuzz.h"

#include <sys/stat.h>
#include <unistd.h>

static uint64_t state;

void set_random_seed(uint64_t value) { state = value * 0x9e3779b97f4a7c15u; }

uint64_t random_number(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void check(int code) {
  if (code) fprintf(stderr, "%s\n", mdb_strerror(code));
  REQUIRE(code == 0);
}

// How the keys and values of a table are drawn.
typedef struct {
  uint64_t key_count;
  uint64_t value_count;
  uint64_t step;
  size_t key_size, value_size;
  int is_sparse;
} drawing;

static size_t fill(uint8_t *bytes, uint64_t number, size_t size) {
  int length = snprintf((char *)bytes, 32, "%llu", (unsigned long long)number);
  // A long common prefix leaves few keys per page, and so makes deep trees.
  if (size > (size_t)length) {
    memmove(bytes + size - (size_t)length, bytes, (size_t)length);
    memset(bytes, 'k', size - (size_t)length);
    return size;
  }
  return (size_t)length;
}

// Appends to an empty table. Unlike random puts, this makes branches with a single child.
static void append(MDB_txn *transaction, const random_table *table, const drawing *d, uint64_t puts) {
  uint8_t key_bytes[600], value_bytes[2000];
  memset(value_bytes, 'v', sizeof value_bytes);
  memset(key_bytes, 'k', sizeof key_bytes);
  for (uint64_t number = 1; number <= puts; number++) {
    MDB_val key = {8, &number}, value = {8, &number};
    if (!(table->flags & MDB_INTEGERKEY)) {
      size_t size = d->key_size < 9 ? 9 : d->key_size;
      uint64_t key_number = table->flags & MDB_DUPSORT ? number / (1 + d->step % 3) : number;
      snprintf((char *)key_bytes + size - 8, 9, "%08llu", (unsigned long long)key_number);
      key = (MDB_val){size, key_bytes};
    }
    if (!(table->flags & MDB_DUPSORT)) value = (MDB_val){below(sizeof value_bytes), value_bytes};
    check(mdb_put(
      transaction, table->handle, &key, &value, table->flags & MDB_DUPSORT ? MDB_APPENDDUP : MDB_APPEND));
  }
}

static void change_table(
  MDB_txn *transaction, const random_table *table, const drawing *d, uint64_t puts, uint64_t deletes) {
  static uint8_t key_bytes[600], value_bytes[100000];
  memset(value_bytes, 'v', sizeof value_bytes);
  for (uint64_t change = 0; change < puts + deletes; change++) {
    uint64_t number = below(d->key_count) * d->step + 1;
    if (d->is_sparse) number *= 0x9e3779b97f4a7c15u;
    MDB_val key = {8, &number};
    if (!(table->flags & MDB_INTEGERKEY)) {
      key = (MDB_val){fill(key_bytes, number, d->key_size), key_bytes};
    }
    uint64_t id = below(d->value_count) + 1;
    MDB_val value = {8, &id};
    if (table->flags & MDB_DUPSORT) {
      if (!(table->flags & MDB_INTEGERDUP)) {
        size_t size = table->flags & MDB_DUPFIXED ? d->value_size : 0;
        value = (MDB_val){fill(value_bytes, id, size ? size : d->value_size % (id % 7 + 1)), value_bytes};
        if (size) REQUIRE(value.mv_size == size);
      }
    } else {
      size_t size = below(d->value_size + 1);
      if (d->value_size > 2000 && below(20)) size %= 100;
      value = (MDB_val){size, value_bytes};
      memcpy(value_bytes, &number, 8);
    }
    int code = change < puts
      ? mdb_put(transaction, table->handle, &key, &value, table->flags & MDB_DUPSORT ? MDB_NODUPDATA : 0)
      : mdb_del(transaction, table->handle, &key, below(4) || !(table->flags & MDB_DUPSORT) ? &value : NULL);
    if (code != MDB_KEYEXIST && code != MDB_NOTFOUND) check(code);
  }
}

static drawing draw(const random_table *table, uint64_t *puts) {
  static const uint64_t counts[] = {0, 1, 2, 5, 40, 300, 2000, 12000};
  static const size_t value_sizes[] = {0, 8, 60, 400, 1500, 5000, 60000};
  static const size_t key_sizes[] = {1, 9, 40, 200, 505};
  drawing d = {.step = 1};
  *puts = counts[below(8)];
  d.key_count = *puts + 1;
  if (table->flags & MDB_DUPSORT) {
    // Few keys make sets with their own trees; many keys make single values and sub-pages.
    static const uint64_t keys[] = {1, 3, 60, 2000, 20000};
    d.key_count = keys[below(5)];
    d.value_size = table->flags & MDB_DUPFIXED ? 8 + below(40) : below(480);
  } else {
    d.value_size = value_sizes[below(7)];
    if (d.value_size > 2000 && *puts > 2000) *puts = 2000;
  }
  d.key_size = key_sizes[below(5)];
  d.value_count = below(2) ? 12000 : 40;
  d.is_sparse = !below(4);
  if (!below(3)) d.step = 1 + below(50);
  return d;
}

void make_store(random_store *store) {
  static const unsigned flags[] = {
    0, MDB_INTEGERKEY, MDB_DUPSORT, MDB_DUPSORT | MDB_DUPFIXED,
    MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP, MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
    MDB_INTEGERKEY, MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP,
  };
  const char *base = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
  snprintf(store->folder, sizeof store->folder, "%s/page-reader-XXXXXX", base);
  REQUIRE(mkdtemp(store->folder));
  check(mdb_env_create(&store->environment));
  check(mdb_env_set_mapsize(store->environment, MAP_SIZE));
  check(mdb_env_set_maxdbs(store->environment, MAXIMUM_TABLES));
  check(mdb_env_open(store->environment, store->folder, MDB_NOTLS | MDB_NOSYNC, 0644));
  store->table_count = 1 + (int)below(MAXIMUM_TABLES);
  drawing drawings[MAXIMUM_TABLES];
  uint64_t puts[MAXIMUM_TABLES];
  MDB_txn *transaction;
  check(mdb_txn_begin(store->environment, NULL, 0, &transaction));
  for (int place = 0; place < store->table_count; place++) {
    random_table *table = &store->tables[place];
    table->flags = flags[below(sizeof flags / sizeof *flags)];
    snprintf(table->name, sizeof table->name, "table%d", place);
    check(mdb_dbi_open(transaction, table->name, table->flags | MDB_CREATE, &table->handle));
    drawings[place] = draw(table, &puts[place]);
  }
  check(mdb_txn_commit(transaction));
  // Later commits must not touch the pages of the pinned version.
  int commits = 1 + (int)below(6), pinned = (int)below((uint64_t)commits);
  for (int commit = 0; commit < commits; commit++) {
    check(mdb_txn_begin(store->environment, NULL, 0, &transaction));
    for (int place = 0; place < store->table_count; place++) {
      const random_table *table = &store->tables[place];
      const drawing *drawing = &drawings[place];
      uint64_t deletes = commit == 0 ? 0 : below(puts[place] + 1);
      if (!below(12)) deletes = puts[place] * 4;
      // Values that are integers, or bytes of one size, ascend with the keys.
      int is_ordered = !(table->flags & MDB_DUPSORT) || table->flags & MDB_INTEGERDUP;
      if (commit == 0 && is_ordered && !below(4)) {
        append(transaction, table, drawing, puts[place]);
        continue;
      }
      // Nested transactions, committed or rolled back, as for operations that are undone alone.
      MDB_txn *child = transaction;
      int is_nested = !below(4);
      if (is_nested) check(mdb_txn_begin(store->environment, transaction, 0, &child));
      change_table(child, table, drawing, puts[place] / (1 + (uint64_t)commit), deletes);
      if (is_nested && below(2)) {
        mdb_txn_abort(child);
      } else if (is_nested) {
        check(mdb_txn_commit(child));
      }
    }
    if (commit > 0 && !below(6)) {
      mdb_txn_abort(transaction);
    } else {
      check(mdb_txn_commit(transaction));
    }
    if (commit == pinned) check(mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &store->pinned));
  }
}

void remove_store(random_store *store) {
  char path[300];
  mdb_txn_abort(store->pinned);
  mdb_env_close(store->environment);
  snprintf(path, sizeof path, "%s/data.mdb", store->folder);
  unlink(path);
  snprintf(path, sizeof path, "%s/lock.mdb", store->folder);
  unlink(path);
  rmdir(store->folder);
}

MDB_val record_of(random_store *store, int table) {
  MDB_val key = {strlen(store->tables[table].name), store->tables[table].name}, value;
  check(mdb_get(store->pinned, 1, &key, &value));
  return value;
}

size_t file_size(random_store *store) {
  mdb_filehandle_t file;
  struct stat status;
  check(mdb_env_get_fd(store->environment, &file));
  REQUIRE(fstat(file, &status) == 0);
  return (size_t)status.st_size;
}

obx_pages pages_of(random_store *store) {
  MDB_stat statistics;
  MDB_envinfo information;
  check(mdb_env_stat(store->environment, &statistics));
  check(mdb_env_info(store->environment, &information));
  // A leaf page begins with its page number, which gives the start of LMDB's map.
  const uint64_t page_size = statistics.ms_psize;
  const uint8_t *page =
    (const uint8_t *)((uintptr_t)record_of(store, 0).mv_data & ~(uintptr_t)(page_size - 1));
  obx_pages_map map = {
    page - obx_load64(page) * page_size, information.me_mapsize / page_size, (uint32_t)page_size};
  obx_pages pages;
  REQUIRE(obx_pages_open(
    &pages, &map, mdb_txn_id(store->pinned), information.me_last_pgno, file_size(store)) ==
      OBX_PAGES_OK);
  return pages;
}
