/// Executes the commands of `search.py` with SQLite's FTS5, beside the runtime's `SearchBenchmark`.
///
/// usage: fts5 FOLDER
///
/// `words` names a table with an index of FTS5, `records` one without. The index has no copy of the texts; it reads
/// them from the table. Commits wait for the disk.
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void fail(const char *what) {
  fprintf(stderr, "fts5: %s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *text) {
  if (sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK) fail(text);
}

static sqlite3_stmt *prepare(const char *text) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(text);
  return statement;
}

static void run(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
  sqlite3_reset(statement);
}

static int64_t nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: Writing

/// The statements of a table; those of its index are null if it has none.
typedef struct {
  sqlite3_stmt *insert, *update, *remove, *get;
  sqlite3_stmt *add_words, *remove_words;
} Table;

static sqlite3_stmt *begin, *commit, *find, *find_filtered, *size;

static Table table(const char *name, bool is_indexed) {
  static const char *const texts[] = {
    "INSERT INTO %s(label, text) VALUES(?, ?)",
    "UPDATE %s SET text = ?2 WHERE id = ?1",
    "DELETE FROM %s WHERE id = ?",
    "SELECT text FROM %s WHERE id = ?",
  };
  sqlite3_stmt *statements[4];
  for (int index = 0; index < 4; index++) {
    char text[200];
    snprintf(text, sizeof text, texts[index], name);
    statements[index] = prepare(text);
  }
  Table table = {statements[0], statements[1], statements[2], statements[3], NULL, NULL};
  if (is_indexed) {
    table.add_words = prepare("INSERT INTO search(rowid, text) VALUES(?, ?)");
    table.remove_words = prepare("INSERT INTO search(search, rowid, text) VALUES('delete', ?, ?)");
  }
  return table;
}

static void change_words(sqlite3_stmt *statement, int64_t id, const char *text) {
  if (!statement) return;
  sqlite3_bind_int64(statement, 1, id);
  sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
  run(statement);
}

static void put(const Table *table, int label, const char *text) {
  sqlite3_bind_int(table->insert, 1, label);
  sqlite3_bind_text(table->insert, 2, text, -1, SQLITE_STATIC);
  run(table->insert);
  change_words(table->add_words, sqlite3_last_insert_rowid(database), text);
}

/// Takes the words of a row from the index.
static void forget_words(const Table *table, int64_t id) {
  if (!table->remove_words) return;
  sqlite3_bind_int64(table->get, 1, id);
  if (sqlite3_step(table->get) != SQLITE_ROW) fail("a row is missing");
  change_words(table->remove_words, id, (const char *)sqlite3_column_text(table->get, 0));
  sqlite3_reset(table->get);
}

static void update(const Table *table, int64_t id, const char *text) {
  forget_words(table, id);
  sqlite3_bind_int64(table->update, 1, id);
  sqlite3_bind_text(table->update, 2, text, -1, SQLITE_STATIC);
  run(table->update);
  change_words(table->add_words, id, text);
}

static void remove_row(const Table *table, int64_t id) {
  forget_words(table, id);
  sqlite3_bind_int64(table->remove, 1, id);
  run(table->remove);
}

/// Puts the lines of a file: a label, a tab and a text in each.
static void build(const Table *table, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, file)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *text;
    int label = (int)strtol(line, &text, 10);
    put(table, label, *text ? text + 1 : text);
  }
  free(line);
  fclose(file);
}

// MARK: Searching

static void search(sqlite3_stmt *statement, int limit, const char *text) {
  int64_t *ids = malloc(sizeof *ids * (size_t)limit);
  double *scores = malloc(sizeof *scores * (size_t)limit);
  if (!ids || !scores) exit(1);
  int count = 0, code;
  int64_t start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
  sqlite3_bind_int(statement, 2, limit);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    ids[count] = sqlite3_column_int64(statement, 0);
    scores[count++] = -sqlite3_column_double(statement, 1);
  }
  if (code != SQLITE_DONE) fail(text);
  sqlite3_reset(statement);
  printf("%" PRId64 "\t", nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  for (int index = 0; index < count; index++) {
    printf("%s%" PRId64 ":%.17g", index ? " " : "", ids[index], scores[index]);
  }
  puts("");
  free(ids);
  free(scores);
}

// MARK: Commands

static void open_database(const char *folder) {
  char path[4200];
  snprintf(path, sizeof path, "%s/fts5.sqlite", folder);
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)) {
    fail(path);
  }
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  execute("PRAGMA cache_size = -262144");
  execute("PRAGMA mmap_size = 8589934592");
  execute("CREATE TABLE IF NOT EXISTS words(id INTEGER PRIMARY KEY, label INTEGER, text TEXT)");
  execute("CREATE INDEX IF NOT EXISTS word_labels ON words(label)");
  execute("CREATE TABLE IF NOT EXISTS records(id INTEGER PRIMARY KEY, label INTEGER, text TEXT)");
  execute("CREATE INDEX IF NOT EXISTS record_labels ON records(label)");
  execute("CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(text, content = 'words', content_rowid = 'id')");
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: fts5 FOLDER\n");
    return 2;
  }
  open_database(arguments[1]);
  begin = prepare("BEGIN IMMEDIATE");
  commit = prepare("COMMIT");
  find = prepare("SELECT rowid, rank FROM search WHERE search MATCH ? ORDER BY rank LIMIT ?");
  // `+rowid` prevents a search for each ID.
  find_filtered = prepare(
    "SELECT rowid, rank FROM search WHERE search MATCH ? AND +rowid IN (SELECT id FROM words WHERE label = 0)"
    " ORDER BY rank LIMIT ?");
  size = prepare("SELECT sum(pgsize) FROM dbstat WHERE name GLOB 'search_*'");
  Table tables[] = {table("words", true), table("records", false)};

  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *words[4] = {"", "", "", ""};
    char *rest = line;
    for (int index = 0; index < 4 && rest; index++) words[index] = strsep(&rest, "\t");
    const Table *table = &tables[strcmp(words[1], "words") == 0 ? 0 : 1];
    if (strcmp(words[0], "search") == 0 || strcmp(words[0], "filter") == 0) {
      search(*words[0] == 's' ? find : find_filtered, atoi(words[1]), words[2]);
    } else if (strcmp(words[0], "size") == 0) {
      if (sqlite3_step(size) != SQLITE_ROW) fail("the size");
      printf("%" PRId64 "\n", (int64_t)sqlite3_column_int64(size, 0));
      sqlite3_reset(size);
    } else {
      int64_t processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID), clock = nanoseconds(CLOCK_MONOTONIC);
      run(begin);
      if (strcmp(words[0], "build") == 0) {
        build(table, words[2]);
      } else if (strcmp(words[0], "put") == 0) {
        put(table, atoi(words[2]), words[3]);
      } else if (strcmp(words[0], "update") == 0) {
        update(table, atoll(words[2]), words[3]);
      } else if (strcmp(words[0], "remove") == 0) {
        remove_row(table, atoll(words[2]));
      } else {
        fail("an unknown command");
      }
      run(commit);
      printf("%" PRId64 "\t%" PRId64 "\n", nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor,
             nanoseconds(CLOCK_MONOTONIC) - clock);
    }
    fflush(stdout);
  }
  free(line);
  return 0;
}
