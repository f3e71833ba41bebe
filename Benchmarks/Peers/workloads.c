/// Main program of every peer: runs a group of workloads.
///
/// usage: PEER [--peer NAME] [--sync normal|full] [--group 100k|durable|conc|1m|rss|micro|digest] [--dir FOLDER]
///   [--n COUNT] [--reps N] [--seconds S]
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "store.h"

static char folder[4096];
static size_t count = 100000;
static int repetitions = 3;
static double seconds = 3;

static void open_fresh(Indexes indexes) {
  store_close();
  store_remove_files(folder);
  store_open(folder, indexes);
}

static void time_put(const char *workload, Objects *objects, Indexes indexes) {
  for (Timing timing = timed(workload, (double)objects->count, repetitions); timing_runs(&timing);) {
    open_fresh(indexes);
    timing_restart(&timing);
    store_put_all(objects);
  }
}

static void time_update(const char *workload, const Objects *objects, int runs) {
  for (Timing timing = timed(workload, (double)objects->count, runs); timing_runs(&timing);) {
    store_update_all(objects);
  }
}

static void time_remove(const char *workload, const uint64_t *ids, size_t removed) {
  for (Timing timing = timed(workload, (double)removed, 1); timing_runs(&timing);) {
    store_remove(ids, removed);
  }
}

static void raise_scores(Objects *objects) {
  for (size_t index = 0; index < objects->count; index++) objects->items[index].score += 1;
}

/// Returns the IDs of the first `taken` objects of a random order.
static uint64_t *shuffled_ids(const Objects *objects, size_t taken) {
  uint64_t *ids = shuffled(objects->count, 7);
  for (size_t place = 0; place < taken; place++) ids[place] = objects->items[ids[place]].id;
  return ids;
}

static size_t count_ages(const Objects *objects, int32_t low, int32_t high) {
  size_t found = 0;
  for (size_t index = 0; index < objects->count; index++) {
    found += objects->items[index].age >= low && objects->items[index].age <= high;
  }
  return found;
}

static void time_get_each(const uint64_t *ids) {
  Reader *reader = reader_open();
  Object object = {0};
  for (Timing timing = timed("W04_get_tx_each", (double)count, repetitions); timing_runs(&timing);) {
    for (size_t place = 0; place < count; place++) REQUIRE(reader_get(reader, ids[place], &object));
  }
  object_clear(&object);
  reader_close(reader);
}

static void time_read_all(const Objects *objects) {
  Objects all = {0};
  for (Timing timing = timed("W05_read_all", (double)count, repetitions); timing_runs(&timing);) {
    Objects found = {0};
    store_read_all(&found);
    objects_free(&all);
    all = found;
  }
  REQUIRE(all.count == count);
  const Object *object = &all.items[count / 2], *expected = &objects->items[count / 2];
  REQUIRE(!strcmp(object->name.bytes, expected->name.bytes) && object->score == expected->score);
  REQUIRE(!strcmp(object->note.bytes, expected->note.bytes) && object->id == expected->id);
  objects_free(&all);
}

static void time_scans(const Objects *objects) {
  size_t in_range = count_ages(objects, 1000, 1999), with_needle = 0, with_prefix = 0;
  for (size_t index = 0; index < count; index++) {
    with_needle += strstr(objects->items[index].note.bytes, "needle") != NULL;
    with_prefix += strncmp(objects->items[index].name.bytes, "user-0", 6) == 0;
  }
  double all = (double)count;
  for (Timing timing = timed("W05_scan_discard", all, repetitions); timing_runs(&timing);) {
    REQUIRE(store_scan() == count);
  }
  for (Timing timing = timed("W06_range_scan_count", all, repetitions); timing_runs(&timing);) {
    REQUIRE(store_count_ages(1000, 1999) == in_range);
  }
  for (Timing timing = timed("W06_range_scan_find", all, repetitions); timing_runs(&timing);) {
    Objects found = {0};
    REQUIRE(store_find_ages(1000, 1999, &found) == in_range);
    objects_free(&found);
  }
  for (Timing timing = timed("W09_contains_count", all, repetitions); timing_runs(&timing);) {
    REQUIRE(store_count_notes_with("needle") == with_needle);
  }
  for (Timing timing = timed("W09_prefix_count", all, repetitions); timing_runs(&timing);) {
    REQUIRE(store_count_names_from("user-0") == with_prefix);
  }
}

static void run_plain(Objects *objects) {
  time_put("W01_put_bulk", objects, NO_INDEX);
  double bytes = store_file_bytes();
  emit_value("W12_file_bytes", bytes);
  emit_value("W12_bytes_per_object", bytes / (double)count);
  raise_scores(objects);
  time_update("W02_update_bulk", objects, repetitions);
  for (Timing timing = timed("W18_update_query", (double)count, repetitions); timing_runs(&timing);) {
    store_set_scores(0.5);
  }
  store_update_all(objects);
  uint64_t *ids = shuffled_ids(objects, count);
  Object object = {0};
  for (Timing timing = timed("W04_get_one_tx", (double)count, repetitions); timing_runs(&timing);) {
    store_get_all(ids, count, &object);
  }
  object_clear(&object);
  time_get_each(ids);
  time_read_all(objects);
  time_scans(objects);
  time_remove("W10_remove_by_id", ids, count / 2);
  double rest = (double)(count - count / 2);
  for (Timing timing = timed("W10_remove_all", rest, 1); timing_runs(&timing);) store_remove_all();
  free(ids);
}

static void time_find_names(const Objects *objects) {
  size_t half = count / 2;
  Text *names = allocate(half * sizeof *names);
  uint64_t *numbers = shuffled(count, 11);
  for (size_t place = 0; place < half; place++) {
    const Text *name = &objects->items[numbers[place]].name;
    text_assign(&names[place], name->bytes, name->length);
  }
  Object object = {0};
  for (Timing timing = timed("W07_index_string_eq", (double)half, repetitions);
       timing_runs(&timing);) {
    REQUIRE(store_find_names(names, half, &object) == half);
  }
  object_clear(&object);
  for (size_t place = 0; place < half; place++) free(names[place].bytes);
  free(names);
  free(numbers);
}

static void run_indexed(Objects *objects) {
  time_put("W01_put_bulk_indexed", objects, TWO_INDEXES);
  emit_value("W12_file_bytes_indexed", store_file_bytes());
  raise_scores(objects);
  time_update("W02_update_bulk_indexed", objects, repetitions);
  for (size_t index = 0; index < count; index++) {
    objects->items[index].age = (objects->items[index].age + 137) % 10000;
  }
  time_update("W02_update_bulk_indexed_key_changed", objects, 1);
  time_find_names(objects);
  size_t wanted = count_ages(objects, 5000, 5099);
  for (Timing timing = timed("W08_index_range_find", (double)wanted, 5 * repetitions);
       timing_runs(&timing);) {
    Objects found = {0};
    REQUIRE(store_find_indexed_ages(5000, 5099, &found) == wanted);
    objects_free(&found);
  }
  uint64_t *ids = shuffled_ids(objects, count / 2);
  time_remove("W10_remove_by_id_indexed", ids, count / 2);
  free(ids);
}

static void run_unique(Objects *objects) {
  enum { TWINS = 2000 };
  time_put("W11_put_bulk_unique", objects, UNIQUE_NAME);
  for (Timing timing = timed("W11_unique_violation", TWINS, repetitions); timing_runs(&timing);) {
    for (size_t twin = 0; twin < TWINS; twin++) {
      Object object = objects->items[twin * 31 % count];
      object.id = 0;
      REQUIRE(store_refuses(&object));
    }
  }
}

enum { WRITERS = 8 };

typedef struct {
  Objects *objects;
  size_t first;
} WriterRun;

static void *put_own(void *context) {
  WriterRun *run = context;
  for (size_t index = run->first; index < run->objects->count; index += WRITERS) {
    store_put_one(&run->objects->items[index]);
  }
  return NULL;
}

static void run_durable(void) {
  Objects objects = made_objects(count / 100), found = {0};
  double puts = (double)objects.count;
  open_fresh(NO_INDEX);
  for (Timing timing = timed("W03_put_durable_1thread", puts, 1); timing_runs(&timing);) {
    for (size_t index = 0; index < objects.count; index++) store_put_one(&objects.items[index]);
  }
  open_fresh(NO_INDEX);
  for (Timing timing = timed("W03_put_durable_8threads", puts, 1); timing_runs(&timing);) {
    pthread_t threads[WRITERS];
    WriterRun runs[WRITERS];
    for (size_t place = 0; place < WRITERS; place++) {
      runs[place] = (WriterRun){&objects, place};
      REQUIRE(!pthread_create(&threads[place], NULL, put_own, &runs[place]));
    }
    for (size_t place = 0; place < WRITERS; place++) pthread_join(threads[place], NULL);
  }
  store_read_all(&found);
  REQUIRE(found.count == objects.count);
  objects_free(&found);
  objects_free(&objects);
}

static void run_million(void) {
  if (count == 100000) count = 1000000;
  Objects objects = made_objects(count), found = {0};
  time_put("W01_put_bulk_1m", &objects, NO_INDEX);
  emit_value("W12_file_bytes_1m", store_file_bytes());
  double opening[5];
  for (int run = 0; run < 5; run++) {
    store_close();
    double start = now_in_nanoseconds();
    store_open(folder, NO_INDEX);
    opening[run] = (now_in_nanoseconds() - start) / 1000;
  }
  emit_value("W14_open_1m_us", median(opening, 5));
  for (Timing timing = timed("W05_read_all_1m", (double)count, 1); timing_runs(&timing);) {
    store_read_all(&found);
  }
  REQUIRE(found.count == count);
  objects_free(&found);
  size_t taken = count / 5;
  uint64_t *ids = shuffled_ids(&objects, taken);
  objects_free(&objects);
  Object object = {0};
  for (Timing timing = timed("W04_get_one_tx_1m", (double)taken, repetitions);
       timing_runs(&timing);) {
    store_get_all(ids, taken, &object);
  }
  object_clear(&object);
  free(ids);
  double before = memory_in_kibibytes("RssAnon:");
  for (Timing timing = timed("W05_scan_discard_1m", (double)count, repetitions);
       timing_runs(&timing);) {
    REQUIRE(store_scan() == count);
  }
  emit_value("W14_rss_anon_growth_kib", memory_in_kibibytes("RssAnon:") - before);
  for (Timing timing = timed("W06_range_scan_count_1m", (double)count, repetitions);
       timing_runs(&timing);) {
    store_count_ages(1000, 1999);
  }
}

/// Memory of a process that only visits the objects stored by the group `1m`.
static void run_memory(void) {
  store_open(folder, NO_INDEX);
  double before = memory_in_kibibytes("RssAnon:");
  REQUIRE(store_scan() > 0);
  emit_value("W14_rss_anon_kib", memory_in_kibibytes("RssAnon:"));
  emit_value("W14_rss_anon_scan_growth_kib", memory_in_kibibytes("RssAnon:") - before);
  emit_value("W14_rss_file_kib", memory_in_kibibytes("RssFile:"));
}

static void run_micro(void) {
  open_fresh(NO_INDEX);
  size_t shelves = count / 10, books = shelves * 10;
  if (store_put_books(shelves)) {
    for (Timing timing = timed("X18_order_by_target", (double)books, repetitions);
         timing_runs(&timing);) {
      REQUIRE(store_order_books(false) == books);
    }
    for (Timing timing = timed("X18_order_by_target_name", (double)books, repetitions);
         timing_runs(&timing);) {
      REQUIRE(store_order_books(true) == books);
    }
  }
  if (!store_begin_reads(1) || !store_begin_writes(1)) return;
  for (Timing timing = timed("X04_txn_renew_reset", (double)count, repetitions);
       timing_runs(&timing);) {
    store_begin_reads(count);
  }
  for (Timing timing = timed("X03_empty_write_txn", 1000, repetitions); timing_runs(&timing);) {
    store_begin_writes(1000);
  }
}

static void run_group(const char *group) {
  bool is_100k = !strcmp(group, "100k");
  if (is_100k || !strcmp(group, "conc") || !strcmp(group, "digest")) {
    Objects objects = made_objects(count);
    if (is_100k) {
      run_plain(&objects);
      run_indexed(&objects);
      run_unique(&objects);
    } else if (!strcmp(group, "conc")) {
      open_fresh(NO_INDEX);
      store_put_all(&objects);
      run_concurrent(&objects, seconds);
    } else {
      printf("%016llx\n", (unsigned long long)digest(&objects));
    }
    objects_free(&objects);
  } else if (!strcmp(group, "durable")) {
    run_durable();
  } else if (!strcmp(group, "1m")) {
    run_million();
  } else if (!strcmp(group, "rss")) {
    run_memory();
  } else if (!strcmp(group, "micro")) {
    run_micro();
  }
  store_close();
  // The group `rss` reads the store of `1m`.
  if (strcmp(group, "1m")) store_remove_files(folder);
}

int main(int argc, char **argv) {
  const char *group = "100k", *parent = ".";
  for (int word = 1; word + 1 < argc; word += 2) {
    const char *option = argv[word], *value = argv[word + 1];
    if (!strcmp(option, "--peer")) peer = value;
    else if (!strcmp(option, "--sync")) store_configure(value);
    else if (!strcmp(option, "--group")) group = value;
    else if (!strcmp(option, "--dir")) parent = value;
    else if (!strcmp(option, "--n")) count = strtoull(value, NULL, 10);
    else if (!strcmp(option, "--reps")) repetitions = atoi(value);
    else if (!strcmp(option, "--seconds")) seconds = atof(value);
    else {
      fprintf(stderr, "there is no option '%s'\n", option);
      return 1;
    }
  }
  REQUIRE((size_t)snprintf(folder, sizeof folder, "%s/%s", parent, peer) < sizeof folder);
  REQUIRE(mkdir(folder, 0755) == 0 || errno == EEXIST);
  REQUIRE(count >= 100 && repetitions > 0 && 5 * repetitions <= MOST_RUNS);
  run_group(group);
  return 0;
}
