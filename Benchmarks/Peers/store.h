/// The operations that each peer implements and `workloads.c` times.
///
/// Reads copy every value of an object, strings included; counts copy nothing.
#ifndef PEERS_STORE_H
#define PEERS_STORE_H

#include "common.h"

typedef enum {
  NO_INDEX,
  /// An index on the name and an index on the age.
  TWO_INDEXES,
  UNIQUE_NAME,
} Indexes;

/// The state of a thread that reads.
typedef struct Reader Reader;

/// Takes the value of the program's option `--sync`.
void store_configure(const char *synchronous);
void store_remove_files(const char *folder);
void store_open(const char *folder, Indexes indexes);
void store_close(void);
double store_file_bytes(void);

/// Puts new objects in one transaction, and sets their IDs.
void store_put_all(Objects *objects);
void store_update_all(const Objects *objects);
/// Sets the score of all objects in one transaction.
void store_set_scores(double score);
/// Puts one new object in its own transaction; any thread may call it.
void store_put_one(Object *object);
/// Overwrites the objects with these IDs with the same values, in one transaction.
void store_update_some(const uint64_t *ids, size_t count, const Object *values);
/// Returns whether the unique name of a new object is refused.
bool store_refuses(const Object *object);
void store_remove(const uint64_t *ids, size_t count);
void store_remove_all(void);

/// Gets the objects in one transaction, each into the same `object`.
void store_get_all(const uint64_t *ids, size_t count, Object *object);
void store_read_all(Objects *found);
/// Creates and frees each object; returns their number.
size_t store_scan(void);
size_t store_count_ages(int32_t low, int32_t high);
size_t store_find_ages(int32_t low, int32_t high, Objects *found);
size_t store_find_indexed_ages(int32_t low, int32_t high, Objects *found);
/// Finds the object of each name in one transaction, and returns how many were found.
size_t store_find_names(const Text *names, size_t count, Object *object);
size_t store_count_notes_with(const char *part);
size_t store_count_names_from(const char *prefix);

/// Makes shelves in a random order of their numbers, and ten books on each. False when the peer has no relations.
bool store_put_books(size_t shelves);
/// Reads the IDs of all books in the descending order of their shelves' numbers or names; returns how many there are.
size_t store_order_books(bool by_name);

Reader *reader_open(void);
/// Gets an object in its own transaction.
bool reader_get(Reader *reader, uint64_t id, Object *object);
void reader_close(Reader *reader);

/// Begin and end read transactions, or roll back write transactions. False when the peer has no comparable
/// transactions.
bool store_begin_reads(size_t count);
bool store_begin_writes(size_t count);

/// Runs two readers, with one transaction per get, for some seconds: first alone, then beside a writer.
void run_concurrent(const Objects *objects, double seconds);

#endif
