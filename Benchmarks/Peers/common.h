/// Data set, clock and output of the peer programs.
#ifndef PEERS_COMMON_H
#define PEERS_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A string that owns its buffer and reuses it for later values.
typedef struct {
  char *bytes;
  size_t length, capacity;
} Text;

/// An object of the data set. An object of zero bytes is empty.
typedef struct {
  uint64_t id;
  Text name, note;
  double score;
  int64_t created;
  int32_t age;
  bool active;
} Object;

typedef struct {
  Object *items;
  size_t count, capacity;
} Objects;

/// Stops the program with a message when a condition is false.
#define REQUIRE(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))
_Noreturn void fail(const char *file, int line, const char *text);

void *allocate(size_t bytes);
void text_assign(Text *text, const void *bytes, size_t length);
/// Frees the strings of an object and empties it.
void object_clear(Object *object);
/// Appends an empty object and returns it.
Object *objects_append(Objects *objects);
void objects_reserve(Objects *objects, size_t count);
void objects_free(Objects *objects);

uint64_t mix(uint64_t value);
/// Returns the object of a number, equal to `DataSet.object` in Swift.
Object made_object(uint64_t number);
Objects made_objects(size_t count);
/// Returns a fixed shuffle of the numbers below `count`.
uint64_t *shuffled(size_t count, uint64_t seed);
/// Returns a hash of all values of all objects except their IDs.
uint64_t digest(const Objects *objects);

/// Name of the program in its output.
extern const char *peer;
double now_in_nanoseconds(void);
/// Prints the time of one operation.
void emit(const char *workload, double nanoseconds);
/// Prints a size or count.
void emit_value(const char *workload, double value);
double median(double *values, int count);

enum { MOST_RUNS = 64 };

/// A workload that runs several times:
/// `for (Timing timing = timed(...); timing_runs(&timing);) { ... }` prints the median.
typedef struct {
  const char *workload;
  double operations, start, times[MOST_RUNS];
  int runs, done;
} Timing;

Timing timed(const char *workload, double operations, int runs);
/// Ends a run and begins the next; prints the median and returns false after the last one.
bool timing_runs(Timing *timing);
/// Restarts the current run's clock.
void timing_restart(Timing *timing);

double file_bytes(const char *path);
/// Returns the kibibytes of a key in `/proc/self/status`; 0 on systems without that file.
double memory_in_kibibytes(const char *key);

#endif
