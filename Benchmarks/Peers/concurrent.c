#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store.h"

enum { READERS = 2, STEPS = 16, BUCKETS = 64 * STEPS };

/// A histogram of latencies, with 16 buckets for each power of two.
typedef struct {
  uint64_t buckets[BUCKETS], count, over_a_millisecond;
  double greatest;
} Latencies;

static void add(Latencies *latencies, double nanoseconds) {
  uint64_t value = nanoseconds < STEPS ? STEPS : (uint64_t)nanoseconds;
  unsigned power = 63u - (unsigned)__builtin_clzll(value);
  latencies->buckets[power * STEPS + ((value >> (power - 4)) & (STEPS - 1))]++;
  latencies->count++;
  latencies->over_a_millisecond += nanoseconds > 1e6;
  if (nanoseconds > latencies->greatest) latencies->greatest = nanoseconds;
}

static void merge(Latencies *into, const Latencies *other) {
  for (int bucket = 0; bucket < BUCKETS; bucket++) into->buckets[bucket] += other->buckets[bucket];
  into->count += other->count;
  into->over_a_millisecond += other->over_a_millisecond;
  if (other->greatest > into->greatest) into->greatest = other->greatest;
}

/// Returns a quantile: the middle of its bucket.
static double quantile(const Latencies *latencies, double part) {
  uint64_t rank = (uint64_t)((double)latencies->count * part), seen = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket++) {
    seen += latencies->buckets[bucket];
    if (seen > rank) return ldexp(1 + (bucket % STEPS + 0.5) / STEPS, bucket / STEPS);
  }
  return latencies->greatest;
}

typedef struct {
  pthread_t thread;
  const Objects *objects;
  atomic_bool *stops;
  uint64_t seed;
  Latencies latencies;
} ReaderRun;

static void *read_until_stopped(void *context) {
  ReaderRun *run = context;
  Reader *reader = reader_open();
  Object object = {0};
  uint64_t state = run->seed;
  while (!atomic_load_explicit(run->stops, memory_order_relaxed)) {
    state = mix(state);
    uint64_t id = run->objects->items[state % run->objects->count].id;
    double start = now_in_nanoseconds();
    REQUIRE(reader_get(reader, id, &object));
    add(&run->latencies, now_in_nanoseconds() - start);
  }
  object_clear(&object);
  reader_close(reader);
  return NULL;
}

static size_t commit_for(double seconds, const Objects *objects, double start) {
  uint64_t state = 5, ids[10];
  size_t commits = 0;
  while (now_in_nanoseconds() - start < seconds * 1e9) {
    for (int place = 0; place < 10; place++) {
      state = mix(state);
      ids[place] = objects->items[state % objects->count].id;
    }
    store_update_some(ids, 10, &objects->items[state % objects->count]);
    commits++;
  }
  return commits;
}

static void emit_part(const char *workload, const char *part, double value) {
  char name[80];
  snprintf(name, sizeof name, "%s.%s", workload, part);
  emit_value(name, value);
}

static void run(const char *workload, const Objects *objects, double seconds, bool has_writer) {
  ReaderRun *runs = allocate(READERS * sizeof *runs);
  atomic_bool stops = false;
  for (int place = 0; place < READERS; place++) {
    runs[place].objects = objects;
    runs[place].stops = &stops;
    runs[place].seed = 99 + (uint64_t)place;
    REQUIRE(!pthread_create(&runs[place].thread, NULL, read_until_stopped, &runs[place]));
  }
  double start = now_in_nanoseconds();
  size_t commits = 0;
  if (has_writer) {
    commits = commit_for(seconds, objects, start);
  } else {
    struct timespec pause = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&pause, NULL);
  }
  double duration = now_in_nanoseconds() - start;
  atomic_store(&stops, true);
  for (int place = 0; place < READERS; place++) pthread_join(runs[place].thread, NULL);
  Latencies *all = &runs[0].latencies;
  merge(all, &runs[1].latencies);
  emit(workload, duration / (double)all->count);
  emit_part(workload, "p999_us", quantile(all, 0.999) / 1e3);
  emit_part(workload, "max_us", all->greatest / 1e3);
  emit_part(workload, "over1ms", (double)all->over_a_millisecond);
  if (has_writer) emit("W13_conc_writer_commit", duration / (double)commits);
  free(runs);
}

void run_concurrent(const Objects *objects, double seconds) {
  run("W13_conc_2readers_idle_writer", objects, seconds, false);
  run("W13_conc_2readers_1writer", objects, seconds, true);
}
