#ifndef PAGE_READER_FUZZ_H
#define PAGE_READER_FUZZ_H

#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CObjectBoxCare.h"
#include "CObjectBoxPages.h"

#define MAXIMUM_TABLES 12
#define MAP_SIZE (1ull << 30)

// Ends the program and prints the seed if the claim is false.
extern uint64_t seed;
#define REQUIRE(claim) \
  do { \
    if (!(claim)) { \
      fprintf(stderr, "seed %llu: %s:%d: %s\n", (unsigned long long)seed, __FILE__, __LINE__, #claim); \
      abort(); \
    } \
  } while (0)

// Random numbers, determined by the seed.
void set_random_seed(uint64_t value);
uint64_t random_number(void);
static inline uint64_t below(uint64_t limit) { return random_number() % limit; }

typedef struct {
  char name[16];
  unsigned flags;
  MDB_dbi handle;
} random_table;

// A store with random tables, and a read transaction that pins one of its versions.
typedef struct {
  char folder[256];
  MDB_env *environment;
  MDB_txn *pinned;
  random_table tables[MAXIMUM_TABLES];
  int table_count;
} random_store;

void make_store(random_store *store);
void remove_store(random_store *store);
// LMDB's record of a table in the pinned version.
MDB_val record_of(random_store *store, int table);
// The pages of the pinned version.
obx_pages pages_of(random_store *store);
size_t file_size(random_store *store);

// Compares every function of the reader with LMDB's cursors on all tables of a store.
void compare_store(random_store *store);
// Damages copies of the file, and reads each through every function.
void damage_store(random_store *store, int copies);
// Reads a whole file through every function.
void read_image(const uint8_t *bytes, size_t size);
// Reads the newest head page; 0 if there is none.
int newest_head(const obx_image *image, obx_head *head);

// Verifies a file. A sound file has no findings; a file without findings is readable as a whole.
void verify_image(const uint8_t *bytes, size_t size, int must_be_sound);
void verify_store(random_store *store);

// Salvages a file from each head page and without one. A sound file loses no entry.
void salvage_image(const uint8_t *bytes, size_t size, int must_be_sound);

#endif
