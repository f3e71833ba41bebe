/// SQLite with a write-ahead log; each connection prepares its statements once.
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store.h"

#define COLUMNS "id, name, age, score, active, created, note"

/// The statements that each connection prepares.
typedef enum {
  BEGIN, BEGIN_WRITE, COMMIT, INSERT, UPDATE, SET_SCORES, DELETE, GET, ALL, COUNT_AGES, FIND_AGES,
  FIND_INDEXED_AGES, FIND_NAME, COUNT_NOTES, COUNT_NAMES, STATEMENTS,
} Statement;

// `+age` prevents the use of the index on age.
static const char *const texts[STATEMENTS] = {
  [BEGIN] = "BEGIN",
  [BEGIN_WRITE] = "BEGIN IMMEDIATE",
  [COMMIT] = "COMMIT",
  [INSERT] = "INSERT INTO objects(name, age, score, active, created, note) VALUES(?, ?, ?, ?, ?, ?)",
  [UPDATE] = "UPDATE objects SET name = ?, age = ?, score = ?, active = ?, created = ?, note = ?"
             " WHERE id = ?",
  [SET_SCORES] = "UPDATE objects SET score = ?",
  [DELETE] = "DELETE FROM objects WHERE id = ?",
  [GET] = "SELECT " COLUMNS " FROM objects WHERE id = ?",
  [ALL] = "SELECT " COLUMNS " FROM objects",
  [COUNT_AGES] = "SELECT count(*) FROM objects WHERE +age BETWEEN ? AND ?",
  [FIND_AGES] = "SELECT " COLUMNS " FROM objects WHERE +age BETWEEN ? AND ?",
  [FIND_INDEXED_AGES] = "SELECT " COLUMNS " FROM objects WHERE age BETWEEN ? AND ?",
  [FIND_NAME] = "SELECT " COLUMNS " FROM objects WHERE name = ?",
  [COUNT_NOTES] = "SELECT count(*) FROM objects WHERE instr(note, ?) > 0",
  [COUNT_NAMES] = "SELECT count(*) FROM objects WHERE substr(name, 1, length(?1)) = ?1",
};

struct Reader {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
};
typedef Reader Connection;

static Connection connection;
static pthread_mutex_t connection_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *synchronous = "normal";
static char data_path[4200];

#define CHECK(connection, call) check(connection, call, #call, __LINE__)

static void check(Connection *from, int code, const char *call, int line) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "sqlite.c:%d: %s: %s\n", line, call, sqlite3_errmsg(from->database));
  exit(1);
}

static void execute(Connection *on, const char *text) {
  CHECK(on, sqlite3_exec(on->database, text, NULL, NULL, NULL));
}

// MARK: Opening

void store_configure(const char *value) { synchronous = value; }

void store_remove_files(const char *folder) {
  static const char *const names[] = {"data.sqlite", "data.sqlite-wal", "data.sqlite-shm"};
  for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, names[place]);
    unlink(path);
  }
}

static void connect(Connection *to) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  CHECK(to, sqlite3_open_v2(data_path, &to->database, flags, NULL));
  char text[64];
  snprintf(text, sizeof text, "PRAGMA synchronous = %s", synchronous);
  sqlite3_busy_timeout(to->database, 10000);
  execute(to, "PRAGMA journal_mode = WAL");
  execute(to, text);
  execute(to, "PRAGMA cache_size = -65536");
  execute(to, "PRAGMA mmap_size = 4294967296");
}

static void prepare(Connection *on) {
  for (int place = 0; place < STATEMENTS; place++) {
    unsigned flags = SQLITE_PREPARE_PERSISTENT;
    sqlite3_stmt **statement = &on->statements[place];
    CHECK(on, sqlite3_prepare_v3(on->database, texts[place], -1, flags, statement, NULL));
  }
}

static void disconnect(Connection *from) {
  for (int place = 0; place < STATEMENTS; place++) sqlite3_finalize(from->statements[place]);
  sqlite3_close(from->database);
  memset(from, 0, sizeof *from);
}

void store_open(const char *folder, Indexes indexes) {
  snprintf(data_path, sizeof data_path, "%s/data.sqlite", folder);
  connect(&connection);
  execute(
    &connection,
    "CREATE TABLE IF NOT EXISTS objects(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " age INTEGER NOT NULL, score REAL NOT NULL, active INTEGER NOT NULL,"
    " created INTEGER NOT NULL, note TEXT NOT NULL)");
  if (indexes == TWO_INDEXES) {
    execute(&connection, "CREATE INDEX IF NOT EXISTS names ON objects(name)");
    execute(&connection, "CREATE INDEX IF NOT EXISTS ages ON objects(age)");
  }
  if (indexes == UNIQUE_NAME) {
    execute(&connection, "CREATE UNIQUE INDEX IF NOT EXISTS names ON objects(name)");
  }
  prepare(&connection);
}

void store_close(void) { disconnect(&connection); }

double store_file_bytes(void) {
  execute(&connection, "PRAGMA wal_checkpoint(TRUNCATE)");
  return file_bytes(data_path);
}

// MARK: Writing

static void run(sqlite3_stmt *statement) {
  CHECK(&connection, sqlite3_step(statement));
  sqlite3_reset(statement);
}

static void begin(Statement statement) { run(connection.statements[statement]); }

static void commit(void) { run(connection.statements[COMMIT]); }

static void bind(sqlite3_stmt *statement, const Object *object) {
  const Text *name = &object->name, *note = &object->note;
  sqlite3_bind_text(statement, 1, name->bytes, (int)name->length, SQLITE_STATIC);
  sqlite3_bind_int(statement, 2, object->age);
  sqlite3_bind_double(statement, 3, object->score);
  sqlite3_bind_int(statement, 4, object->active);
  sqlite3_bind_int64(statement, 5, object->created);
  sqlite3_bind_text(statement, 6, note->bytes, (int)note->length, SQLITE_STATIC);
}

static void insert(Object *object) {
  bind(connection.statements[INSERT], object);
  run(connection.statements[INSERT]);
  object->id = (uint64_t)sqlite3_last_insert_rowid(connection.database);
}

static void update(const Object *object, uint64_t id) {
  bind(connection.statements[UPDATE], object);
  sqlite3_bind_int64(connection.statements[UPDATE], 7, (sqlite3_int64)id);
  run(connection.statements[UPDATE]);
}

void store_put_all(Objects *objects) {
  begin(BEGIN_WRITE);
  for (size_t index = 0; index < objects->count; index++) insert(&objects->items[index]);
  commit();
}

void store_put_one(Object *object) {
  pthread_mutex_lock(&connection_lock);
  insert(object);
  pthread_mutex_unlock(&connection_lock);
}

void store_update_all(const Objects *objects) {
  begin(BEGIN_WRITE);
  for (size_t index = 0; index < objects->count; index++) {
    update(&objects->items[index], objects->items[index].id);
  }
  commit();
}

void store_set_scores(double score) {
  begin(BEGIN_WRITE);
  sqlite3_bind_double(connection.statements[SET_SCORES], 1, score);
  run(connection.statements[SET_SCORES]);
  commit();
}

void store_update_some(const uint64_t *ids, size_t count, const Object *values) {
  begin(BEGIN_WRITE);
  for (size_t place = 0; place < count; place++) update(values, ids[place]);
  commit();
}

bool store_refuses(const Object *object) {
  sqlite3_stmt *statement = connection.statements[INSERT];
  bind(statement, object);
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_CONSTRAINT;
}

void store_remove(const uint64_t *ids, size_t count) {
  begin(BEGIN_WRITE);
  for (size_t place = 0; place < count; place++) {
    sqlite3_bind_int64(connection.statements[DELETE], 1, (sqlite3_int64)ids[place]);
    run(connection.statements[DELETE]);
  }
  commit();
}

void store_remove_all(void) { execute(&connection, "DELETE FROM objects"); }

// MARK: Reading

static void assign_column(Text *text, sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_text(statement, column);
  text_assign(text, bytes, (size_t)sqlite3_column_bytes(statement, column));
}

static void decode(sqlite3_stmt *statement, Object *object) {
  object->id = (uint64_t)sqlite3_column_int64(statement, 0);
  assign_column(&object->name, statement, 1);
  object->age = sqlite3_column_int(statement, 2);
  object->score = sqlite3_column_double(statement, 3);
  object->active = sqlite3_column_int(statement, 4) != 0;
  object->created = sqlite3_column_int64(statement, 5);
  assign_column(&object->note, statement, 6);
}

bool reader_get(Reader *reader, uint64_t id, Object *object) {
  sqlite3_stmt *statement = reader->statements[GET];
  sqlite3_bind_int64(statement, 1, (sqlite3_int64)id);
  bool is_found = sqlite3_step(statement) == SQLITE_ROW;
  if (is_found) decode(statement, object);
  sqlite3_reset(statement);
  return is_found;
}

void store_get_all(const uint64_t *ids, size_t count, Object *object) {
  begin(BEGIN);
  for (size_t place = 0; place < count; place++) REQUIRE(reader_get(&connection, ids[place], object));
  commit();
}

static size_t find(sqlite3_stmt *statement, Objects *found) {
  while (sqlite3_step(statement) == SQLITE_ROW) decode(statement, objects_append(found));
  CHECK(&connection, sqlite3_reset(statement));
  return found->count;
}

void store_read_all(Objects *found) { find(connection.statements[ALL], found); }

size_t store_scan(void) {
  sqlite3_stmt *statement = connection.statements[ALL];
  size_t count = 0;
  for (; sqlite3_step(statement) == SQLITE_ROW; count++) {
    Object object = {0};
    decode(statement, &object);
    object_clear(&object);
  }
  CHECK(&connection, sqlite3_reset(statement));
  return count;
}

static size_t counted(sqlite3_stmt *statement) {
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  size_t count = (size_t)sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return count;
}

static sqlite3_stmt *with_range(Statement which, int32_t low, int32_t high) {
  sqlite3_bind_int(connection.statements[which], 1, low);
  sqlite3_bind_int(connection.statements[which], 2, high);
  return connection.statements[which];
}

static sqlite3_stmt *with_text(Statement which, const char *text) {
  sqlite3_bind_text(connection.statements[which], 1, text, -1, SQLITE_STATIC);
  return connection.statements[which];
}

size_t store_count_ages(int32_t low, int32_t high) {
  return counted(with_range(COUNT_AGES, low, high));
}

size_t store_find_ages(int32_t low, int32_t high, Objects *found) {
  return find(with_range(FIND_AGES, low, high), found);
}

size_t store_find_indexed_ages(int32_t low, int32_t high, Objects *found) {
  return find(with_range(FIND_INDEXED_AGES, low, high), found);
}

size_t store_find_names(const Text *names, size_t count, Object *object) {
  size_t found = 0;
  begin(BEGIN);
  for (size_t place = 0; place < count; place++) {
    sqlite3_stmt *statement = with_text(FIND_NAME, names[place].bytes);
    for (; sqlite3_step(statement) == SQLITE_ROW; found++) decode(statement, object);
    CHECK(&connection, sqlite3_reset(statement));
  }
  commit();
  return found;
}

size_t store_count_notes_with(const char *part) { return counted(with_text(COUNT_NOTES, part)); }

size_t store_count_names_from(const char *prefix) {
  return counted(with_text(COUNT_NAMES, prefix));
}

Reader *reader_open(void) {
  Reader *reader = allocate(sizeof *reader);
  connect(reader);
  prepare(reader);
  return reader;
}

void reader_close(Reader *reader) {
  disconnect(reader);
  free(reader);
}

bool store_begin_reads(size_t count) {
  (void)count;
  return false;
}

bool store_put_books(size_t shelves) {
  uint64_t *numbers = shuffled(shelves, 13);
  execute(&connection, "CREATE TABLE shelves(id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL)");
  execute(&connection, "CREATE TABLE books(id INTEGER PRIMARY KEY, number INTEGER NOT NULL, shelf INTEGER)");
  execute(&connection, "BEGIN");
  for (size_t shelf = 0; shelf < shelves; shelf++) {
    char text[128];
    unsigned long long number = numbers[shelf];
    snprintf(text, sizeof text, "INSERT INTO shelves(number, name) VALUES(%llu, 'shelf number %llu')", number, number);
    execute(&connection, text);
    for (size_t book = 0; book < 10; book++) {
      snprintf(text, sizeof text, "INSERT INTO books(number, shelf) VALUES(%zu, %zu)", shelf * 10 + book, shelf + 1);
      execute(&connection, text);
    }
  }
  execute(&connection, "COMMIT");
  free(numbers);
  return true;
}

size_t store_order_books(bool by_name) {
  sqlite3_stmt *statement;
  const char *text = by_name
      ? "SELECT b.id FROM books b LEFT JOIN shelves s ON s.id = b.shelf ORDER BY s.name DESC, b.id"
      : "SELECT b.id FROM books b LEFT JOIN shelves s ON s.id = b.shelf ORDER BY s.number DESC, b.id";
  CHECK(&connection, sqlite3_prepare_v2(connection.database, text, -1, &statement, NULL));
  size_t count = 0;
  while (sqlite3_step(statement) == SQLITE_ROW) count += sqlite3_column_int64(statement, 0) > 0;
  sqlite3_finalize(statement);
  return count;
}

bool store_begin_writes(size_t count) {
  (void)count;
  return false;
}
