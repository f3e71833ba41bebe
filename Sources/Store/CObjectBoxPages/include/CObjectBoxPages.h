#ifndef C_OBJECTBOX_PAGES_H
#define C_OBJECTBOX_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "CObjectBoxLoads.h"

// Reads the pages of committed versions of an LMDB file (data version 1) in a memory map of the
// file.
//
// Requirements on the caller:
// - A read transaction of LMDB, or the former file after a compaction, keeps the version's pages
//   unchanged while values of these types are used. Any number of threads may read one version at
//   once; one thread at a time may use a cursor.
// - The map stays, and the file must not be truncated. Pages after the end that the file had when the version
//   was opened are not accessed.
//
// Every page number, offset, count and size is checked before it is followed. Damage gives
// OBX_PAGES_CORRUPT and the number of the page with the damage, never a crash or an endless loop.
// Damage that keeps the structure intact (a changed byte of a key or value) is not noticed.
//
// Byte pointers that functions return point into the map and are valid while the version is pinned.

// The greatest depth of a tree. LMDB's own limit is 32, but 27 levels take over 250 GB of pages,
// even with two keys each. This keeps a cursor below 1 KB: larger blocks cost the allocator a
// search.
#define OBX_PAGES_MAXIMUM_DEPTH 26

typedef enum {
  OBX_PAGES_OK = 0,
  // The entry does not exist, or there is no further entry.
  OBX_PAGES_END = 1,
  // The page `bad_page` cannot be part of the version.
  OBX_PAGES_CORRUPT = 2,
  // A form that this reader does not know.
  OBX_PAGES_UNKNOWN_FORM = 3,
} obx_pages_status;

// A map of a file, which may be longer than the file. Immutable.
typedef struct {
  const uint8_t *_Nullable base;
  // Number of pages that fit in the map.
  uint64_t page_count;
  uint32_t page_size;
} obx_pages_map;

// The pages of one version. Immutable.
typedef struct {
  const uint8_t *_Nullable base;
  // Pages from this number on are never accessed: they are outside of the version, the file or the
  // map.
  uint64_t page_count;
  uint64_t transaction;
  uint32_t page_size;
} obx_pages;

// A table in one version. Immutable.
typedef struct {
  obx_pages pages;
  // Meaningless for an empty table.
  uint64_t root;
  // Number of entries, counting each duplicate.
  uint64_t entries;
  // Number of levels; 0 for an empty table.
  uint16_t depth;
  // LMDB's flags of the table.
  uint16_t flags;
  // Size of the keys on leaf pages that hold keys only; 0 without such pages.
  uint16_t fixed_size;
} obx_pages_table;

typedef struct {
  const uint8_t *_Nullable key;
  const uint8_t *_Nullable value;
  uint32_t key_size;
  uint32_t value_size;
} obx_pages_entry;

// MARK: Opening

// Returns the size of a memory map in bytes: `wanted`, or less if the process has too few
// addresses, but at least `needed`. Probes for addresses only if `probes` is not 0.
uint64_t obx_address_space(uint64_t wanted, uint64_t needed, int probes);

// Returns whether the process has a free range of addresses for a map. Takes no memory.
int obx_addresses_are_free(uint64_t size);

// Returns the size of an open file in bytes; -1, with `errno`, after an error.
int64_t obx_pages_file_size(int file);

// Opens the version that a read transaction pins.
//
// - last_page: `me_last_pgno` of the environment, read after the transaction began.
// - file_size: the size of the file in bytes, read after the transaction began.
obx_pages_status obx_pages_open(
  obx_pages *_Nonnull pages, const obx_pages_map *_Nonnull map, uint64_t transaction,
  uint64_t last_page, uint64_t file_size);

// Opens a table by its record in the pinned version's main table.
obx_pages_status obx_pages_table_open(
  obx_pages_table *_Nonnull table, const obx_pages *_Nonnull pages, const void *_Nonnull record,
  size_t record_size, uint64_t *_Nonnull bad_page);

// MARK: Looking up

// Finds the value of an object ID; for tables with MDB_INTEGERKEY and without duplicates.
obx_pages_status obx_pages_get_id(
  const obx_pages_table *_Nonnull table, uint64_t id, const uint8_t *_Nullable *_Nonnull value,
  uint32_t *_Nonnull value_size, uint64_t *_Nonnull bad_page);

// Finds the value of a key, or the first of its duplicates.
obx_pages_status obx_pages_get(
  const obx_pages_table *_Nonnull table, const void *_Nullable key, size_t key_size,
  const uint8_t *_Nullable *_Nonnull value, uint32_t *_Nonnull value_size,
  uint64_t *_Nonnull bad_page);

// Finds one duplicate of a key; OBX_PAGES_END when it does not exist.
obx_pages_status obx_pages_contains(
  const obx_pages_table *_Nonnull table, const void *_Nullable key, size_t key_size,
  const void *_Nullable value, size_t value_size, uint64_t *_Nonnull bad_page);

// MARK: Cursors

// A level on the path from the root to a leaf; its page has been checked.
typedef struct {
  const uint8_t *_Nullable page;
  uint16_t index;
  uint16_t count;
  // Size of each key of a leaf that holds keys only.
  uint16_t fixed_size;
  uint16_t is_fixed;
} obx_pages_level;

// The path from a table's root to an entry of a leaf.
typedef struct {
  obx_pages_level levels[OBX_PAGES_MAXIMUM_DEPTH];
  // Number of levels in use; 0 means nowhere.
  uint32_t depth;
  // Entries passed forwards minus entries passed backwards. More than the table has prove that its
  // pages form no tree, which limits every walk.
  int64_t passed;
} obx_pages_path;

// A position in a table. Initialise it with `obx_pages_cursor_init`; copy it whole or not at all.
//
// A cursor is nowhere, on an entry, or in the gap before an entry. It is nowhere at first, and
// after a search without a result, damage, or an unknown form. Functions that find no further entry
// in their direction leave it where it is.
typedef struct {
  obx_pages_table table;
  obx_pages_path path;
  // The duplicates of the current key, as a table of keys only; for tables with MDB_DUPSORT.
  obx_pages_table duplicates;
  obx_pages_path duplicates_path;
  // Like `passed`, for duplicates.
  int64_t passed;
  // The page that OBX_PAGES_CORRUPT was found on.
  uint64_t bad_page;
  uint8_t is_in_gap;
} obx_pages_cursor;

void obx_pages_cursor_init(
  obx_pages_cursor *_Nonnull cursor, const obx_pages_table *_Nonnull table);

obx_pages_status obx_pages_first(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
obx_pages_status obx_pages_last(obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// From nowhere it goes to the first entry.
obx_pages_status obx_pages_next(obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// From nowhere it goes to the last entry.
obx_pages_status obx_pages_previous(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// Goes to the first entry with a key not below the given one.
obx_pages_status obx_pages_seek(
  obx_pages_cursor *_Nonnull cursor, const void *_Nullable key, size_t key_size,
  obx_pages_entry *_Nonnull entry);
// Goes to the first entry with exactly the given key.
obx_pages_status obx_pages_find(
  obx_pages_cursor *_Nonnull cursor, const void *_Nullable key, size_t key_size,
  obx_pages_entry *_Nonnull entry);

// MARK: Duplicates; for tables with MDB_DUPSORT

obx_pages_status obx_pages_first_duplicate(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
obx_pages_status obx_pages_last_duplicate(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
obx_pages_status obx_pages_next_duplicate(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
obx_pages_status obx_pages_previous_duplicate(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// Goes to the current key's first duplicate not below the given value. Without one, the cursor is
// nowhere.
obx_pages_status obx_pages_seek_duplicate(
  obx_pages_cursor *_Nonnull cursor, const void *_Nullable value, size_t value_size,
  obx_pages_entry *_Nonnull entry);
// Goes to the first duplicate of the next key.
obx_pages_status obx_pages_next_key(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// Goes to the first duplicate of the previous key.
obx_pages_status obx_pages_previous_key(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entry);
// Number of the current key's duplicates; 0 when the cursor is nowhere.
uint64_t obx_pages_duplicate_count(const obx_pages_cursor *_Nonnull cursor);

// MARK: Many entries a call

// Returns entries of one leaf page from the current one on, and leaves the cursor in the gap after them. From
// nowhere it begins at the first entry. For tables without MDB_DUPSORT.
//
// OBX_PAGES_END, with a count of 0, at the end.
obx_pages_status obx_pages_run(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entries, size_t room,
  size_t *_Nonnull count);

// Like `obx_pages_run`, in descending order: leaves the cursor in the gap before the given entries.
// From nowhere it begins at the last entry.
obx_pages_status obx_pages_run_back(
  obx_pages_cursor *_Nonnull cursor, obx_pages_entry *_Nonnull entries, size_t room,
  size_t *_Nonnull count);

typedef enum {
  OBX_PAGES_ALL_KEYS = 0,
  // Keys up to and including the bytes.
  OBX_PAGES_KEYS_UP_TO = 1,
  // Keys that begin with the bytes.
  OBX_PAGES_KEYS_WITH_PREFIX = 2,
} obx_pages_bound_kind;

// The end of a range of keys.
typedef struct {
  const void *_Nullable bytes;
  size_t size;
  obx_pages_bound_kind kind;
} obx_pages_bound;

// Returns ascending IDs that cut a table into parts of about as many pages. They are keys of branches, so
// objects with these IDs need not exist. For tables with MDB_INTEGERKEY and without duplicates; none for a
// small table.
obx_pages_status obx_pages_cuts(
  const obx_pages_table *_Nonnull table, uint64_t *_Nonnull ids, size_t room,
  size_t *_Nonnull count, uint64_t *_Nonnull bad_page);

// Returns object IDs from the current entry on, by key, then by ID, and leaves the cursor in the gap after
// them. For tables with MDB_DUPFIXED and MDB_INTEGERDUP; the cursor comes from `obx_pages_seek` or
// `obx_pages_find`.
//
// OBX_PAGES_OK: the buffer is full; OBX_PAGES_END: these were the range's last IDs.
obx_pages_status obx_pages_ids(
  obx_pages_cursor *_Nonnull cursor, const obx_pages_bound *_Nonnull end, uint64_t *_Nonnull ids,
  size_t room, size_t *_Nonnull count);

// Counts entries from the current key on, key by key with all duplicates; the cursor comes from
// `obx_pages_seek` or `obx_pages_find`.
//
// OBX_PAGES_OK: `maximum_keys` were counted; OBX_PAGES_END: the range has no further keys.
obx_pages_status obx_pages_count(
  obx_pages_cursor *_Nonnull cursor, const obx_pages_bound *_Nonnull end, uint64_t maximum_keys,
  uint64_t *_Nonnull count);

// Checks of whole files.
#include "CObjectBoxVerify.h"
// Differences of versions.
#include "CObjectBoxChanges.h"

#endif
