#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const char *peer = "peer";

void fail(const char *file, int line, const char *text) {
  fprintf(stderr, "%s:%d: %s failed\n", file, line, text);
  exit(1);
}

// MARK: Objects

void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  REQUIRE(memory);
  return memory;
}

void text_assign(Text *text, const void *bytes, size_t length) {
  if (text->capacity < length + 1) {
    free(text->bytes);
    text->bytes = malloc(length + 1);
    REQUIRE(text->bytes);
    text->capacity = length + 1;
  }
  memcpy(text->bytes, bytes, length);
  text->bytes[length] = 0;
  text->length = length;
}

void object_clear(Object *object) {
  free(object->name.bytes);
  free(object->note.bytes);
  memset(object, 0, sizeof *object);
}

void objects_reserve(Objects *objects, size_t count) {
  if (count <= objects->capacity) return;
  objects->items = realloc(objects->items, count * sizeof(Object));
  REQUIRE(objects->items);
  objects->capacity = count;
}

Object *objects_append(Objects *objects) {
  if (objects->count == objects->capacity) {
    objects_reserve(objects, objects->capacity ? 2 * objects->capacity : 16);
  }
  Object *object = &objects->items[objects->count++];
  memset(object, 0, sizeof *object);
  return object;
}

void objects_free(Objects *objects) {
  for (size_t index = 0; index < objects->count; index++) object_clear(&objects->items[index]);
  free(objects->items);
  memset(objects, 0, sizeof *objects);
}

// MARK: Data set

uint64_t mix(uint64_t value) {
  uint64_t x = value + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// 16 bytes, different for each number.
static void assign_name(Text *text, uint64_t number) {
  __extension__ typedef unsigned __int128 Wide;
  Wide product = (Wide)number * 61803398873u + 27182818281u;
  char bytes[17];
  snprintf(bytes, sizeof bytes, "user-%011llu", (unsigned long long)(product % 100000000000u));
  text_assign(text, bytes, 16);
}

/// 48 bytes; about 1 % of the notes contain "needle".
static void assign_note(Text *text, uint64_t hash) {
  char bytes[48];
  uint64_t state = hash;
  for (int place = 0; place < 48; place++) {
    if (place % 8 == 0) state = mix(state);
    uint64_t letter = ((state >> (place % 8 * 8)) & 255) % 26;
    bytes[place] = place % 7 == 6 ? ' ' : (char)('a' + letter);
  }
  if (mix(hash) % 100 == 0) memcpy(bytes + 20, "needle", 6);
  text_assign(text, bytes, sizeof bytes);
}

Object made_object(uint64_t number) {
  uint64_t hash = mix(number);
  Object object = {
    .age = (int32_t)(hash % 10000),
    .score = (double)(hash >> 11) / 9007199254740992.0 * 100,
    .active = (hash >> 7) & 1,
    .created = 1600000000000 + (int64_t)((hash >> 20) % 200000000000u),
  };
  assign_name(&object.name, number);
  assign_note(&object.note, hash);
  return object;
}

Objects made_objects(size_t count) {
  Objects objects = {0};
  objects_reserve(&objects, count);
  for (size_t number = 0; number < count; number++) *objects_append(&objects) = made_object(number);
  return objects;
}

uint64_t *shuffled(size_t count, uint64_t seed) {
  uint64_t *numbers = allocate(count * sizeof *numbers);
  for (size_t place = 0; place < count; place++) numbers[place] = place;
  for (size_t place = count - 1; place > 0; place--) {
    seed = mix(seed);
    size_t other = seed % (place + 1);
    uint64_t number = numbers[place];
    numbers[place] = numbers[other];
    numbers[other] = number;
  }
  return numbers;
}

static uint64_t digest_text(uint64_t state, const Text *text) {
  for (size_t place = 0; place < text->length; place++) {
    state = mix(state ^ (uint8_t)text->bytes[place]);
  }
  return state;
}

uint64_t digest(const Objects *objects) {
  uint64_t state = 0;
  for (size_t index = 0; index < objects->count; index++) {
    const Object *object = &objects->items[index];
    uint64_t score;
    memcpy(&score, &object->score, sizeof score);
    state = digest_text(state, &object->name);
    state = mix(state ^ (uint64_t)object->age);
    state = mix(state ^ score);
    state = mix(state ^ object->active);
    state = mix(state ^ (uint64_t)object->created);
    state = digest_text(state, &object->note);
  }
  return state;
}

// MARK: Clock and output

double now_in_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void emit(const char *workload, double nanoseconds) {
  printf("%s\t%s\t%.2f\t%.1f\n", peer, workload, nanoseconds, 1e9 / nanoseconds);
  fflush(stdout);
}

void emit_value(const char *workload, double value) {
  printf("%s\t%s\t%.2f\t-\n", peer, workload, value);
  fflush(stdout);
}

static int compare(const void *first, const void *second) {
  double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  int middle = count / 2;
  return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Timing timed(const char *workload, double operations, int runs) {
  REQUIRE(runs <= MOST_RUNS);
  return (Timing){.workload = workload, .operations = operations, .runs = runs, .done = -1};
}

bool timing_runs(Timing *timing) {
  if (timing->done >= 0) timing->times[timing->done] = now_in_nanoseconds() - timing->start;
  if (++timing->done == timing->runs) {
    emit(timing->workload, median(timing->times, timing->runs) / timing->operations);
    return false;
  }
  timing_restart(timing);
  return true;
}

void timing_restart(Timing *timing) { timing->start = now_in_nanoseconds(); }

double file_bytes(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

double memory_in_kibibytes(const char *key) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  double value = 0;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, key, strlen(key)) == 0) value = atof(line + strlen(key));
  }
  fclose(file);
  return value;
}
