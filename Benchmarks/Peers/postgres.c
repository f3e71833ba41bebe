// The cluster benchmark's work with libpq only: puts rows by a binary COPY, gets them by ID and by an index.
// usage: postgres ADDRESS TABLE WORK CONNECTIONS COUNT    WORK: put get query
// Prints the nanoseconds of an object (put) or of a call (get, query). Uses the table that ClusterBenchmark made for
// its entity Member.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <endian.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 10000 };
static const char *address, *table, *work;
static int connections, count;
static pthread_barrier_t barrier;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what, PGconn *c) {
  fprintf(stderr, "postgres: %s: %s\n", what, PQerrorMessage(c));
  exit(1);
}

static void check(PGresult *r, ExecStatusType status, PGconn *c) {
  if (PQresultStatus(r) != status) fail("statement", c);
}

// A growing buffer for the data of a COPY.
typedef struct {
  char *start;
  size_t size, room;
} Buffer;

static void append(Buffer *b, const void *bytes, size_t size) {
  if (b->size + size > b->room) {
    b->room = (b->room + size) * 2;
    b->start = realloc(b->start, b->room);
    if (!b->start) abort();
  }
  memcpy(b->start + b->size, bytes, size);
  b->size += size;
}

static void append16(Buffer *b, int16_t v) {
  uint16_t x = htobe16(v);
  append(b, &x, 2);
}
static void append32(Buffer *b, int32_t v) {
  uint32_t x = htobe32(v);
  append(b, &x, 4);
}
static void append64(Buffer *b, int64_t v) {
  uint64_t x = htobe64(v);
  append32(b, 8);
  append(b, &x, 8);
}
static void append_text(Buffer *b, const char *s) {
  append32(b, (int32_t)strlen(s));
  append(b, s, strlen(s));
}

static void put(PGconn *c, int number) {
  for (int batch = 0; batch < count; batch++) {
    Buffer b = {0};
    append(&b, "PGCOPY\n\377\r\n\0", 11);
    append32(&b, 0);
    append32(&b, 0);
    int64_t first = 1000000000LL + ((int64_t)number * count + batch) * BATCH;
    for (int i = 0; i < BATCH; i++) {
      char name[40], email[60];
      snprintf(name, sizeof name, "name %d", (i * 7919) % 1000003);
      snprintf(email, sizeof email, "user%lld@example.org", (long long)(first + i));
      append16(&b, 7);
      append64(&b, first + i);
      append_text(&b, name);
      append_text(&b, email);
      append64(&b, (i * 31) % 100);
      append64(&b, (int64_t)i * 86400000000LL);
      append_text(&b, name);
      append_text(&b, email);
    }
    append16(&b, -1);
    char sql[400];
    snprintf(sql, sizeof sql,
             "COPY %s (id, name, email, age, born, \"name~\", \"email~\") FROM STDIN (FORMAT binary)", table);
    PGresult *r = PQexec(c, sql);
    check(r, PGRES_COPY_IN, c);
    PQclear(r);
    if (PQputCopyData(c, b.start, (int)b.size) != 1 || PQputCopyEnd(c, NULL) != 1) fail("COPY", c);
    while ((r = PQgetResult(c))) {
      check(r, PGRES_COMMAND_OK, c);
      PQclear(r);
    }
    free(b.start);
  }
}

static long long consume(PGresult *r) {
  long long sum = 0;
  for (int row = 0; row < PQntuples(r); row++)
    for (int column = 0; column < PQnfields(r); column++)
      sum += PQgetlength(r, row, column) + *PQgetvalue(r, row, column);
  return sum;
}

static void read_rows(PGconn *c, int number, const char *condition, int range) {
  char sql[400];
  snprintf(sql, sizeof sql, "SELECT id, name, email, age, born FROM %s WHERE %s", table, condition);
  Oid type = 20;
  PGresult *r = PQprepare(c, "s", sql, 1, &type);
  check(r, PGRES_COMMAND_OK, c);
  PQclear(r);
  long long sum = 0;
  for (int i = 0; i < count; i++) {
    uint64_t value = htobe64(1 + (uint64_t)(number * 7919 + i * 31) % (uint64_t)range);
    const char *values[1] = {(char *)&value};
    int length = 8, format = 1;
    r = PQexecPrepared(c, "s", 1, values, &length, &format, 1);
    check(r, PGRES_TUPLES_OK, c);
    sum += consume(r);
    PQclear(r);
  }
  if (sum == 0) fail("no rows", c);
}

static void *run(void *argument) {
  int number = (int)(intptr_t)argument;
  PGconn *c = PQconnectdb(address);
  if (PQstatus(c) != CONNECTION_OK) fail("connection", c);
  pthread_barrier_wait(&barrier);
  if (!strcmp(work, "put")) put(c, number);
  else if (!strcmp(work, "get")) read_rows(c, number, "id = $1", BATCH);
  else read_rows(c, number, "age = $1 ORDER BY id", 99);
  pthread_barrier_wait(&barrier);
  PQfinish(c);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: postgres ADDRESS TABLE put|get|query CONNECTIONS COUNT\n");
    return 2;
  }
  address = argv[1];
  table = argv[2];
  work = argv[3];
  connections = atoi(argv[4]);
  count = atoi(argv[5]);
  pthread_barrier_init(&barrier, NULL, (unsigned)connections + 1);
  pthread_t threads[64];
  if (connections < 1 || connections > 64) return 2;
  for (int i = 0; i < connections; i++) pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i);
  pthread_barrier_wait(&barrier);
  double start = now();
  pthread_barrier_wait(&barrier);
  double time = now() - start;
  for (int i = 0; i < connections; i++) pthread_join(threads[i], NULL);
  double operations = (double)connections * count * (strcmp(work, "put") ? 1 : BATCH);
  printf("%.0f\n", time * 1e9 / operations);
}
