/// The LMDB peer's records and keys, and its check of result codes.
#ifndef PEERS_LMDB_RECORD_H
#define PEERS_LMDB_RECORD_H

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#define CHECK(call) check((call), #call, __LINE__)

static inline void check(int code, const char *call, int line) {
  if (!code) return;
  fprintf(stderr, "lmdb.c, line %d: %s: %s\n", line, call, mdb_strerror(code));
  exit(1);
}

// MARK: Records: the numbers, then the bytes of the strings

typedef struct {
  int64_t created;
  double score;
  int32_t age;
  uint16_t name_length;
  uint16_t note_length;
  uint8_t active;
} __attribute__((packed)) Head;

typedef struct {
  Head head;
  const char *name, *note;
} Record;

static inline MDB_val value_of(const void *bytes, size_t length) {
  return (MDB_val){length, (void *)(uintptr_t)bytes};
}

static inline MDB_val encode(const Object *object, char *buffer, size_t capacity) {
  Head head = {
    object->created, object->score, object->age, (uint16_t)object->name.length,
    (uint16_t)object->note.length, object->active,
  };
  size_t length = sizeof head + head.name_length + head.note_length;
  REQUIRE(length <= capacity);
  memcpy(buffer, &head, sizeof head);
  memcpy(buffer + sizeof head, object->name.bytes, head.name_length);
  memcpy(buffer + sizeof head + head.name_length, object->note.bytes, head.note_length);
  return value_of(buffer, length);
}

static inline Record record_of(const MDB_val *value) {
  Record record;
  memcpy(&record.head, value->mv_data, sizeof record.head);
  record.name = (const char *)value->mv_data + sizeof record.head;
  record.note = record.name + record.head.name_length;
  return record;
}

static inline int32_t age_of(const MDB_val *value) {
  int32_t age;
  memcpy(&age, (const char *)value->mv_data + offsetof(Head, age), sizeof age);
  return age;
}

static inline bool is_name(const Record *record, const Text *name) {
  return record->head.name_length == name->length &&
    memcmp(record->name, name->bytes, name->length) == 0;
}

static inline void decode(const MDB_val *value, uint64_t id, Object *object) {
  Record record = record_of(value);
  object->id = id;
  object->created = record.head.created;
  object->score = record.head.score;
  object->age = record.head.age;
  object->active = record.head.active;
  text_assign(&object->name, record.name, record.head.name_length);
  text_assign(&object->note, record.note, record.head.note_length);
}

// MARK: Keys of indexes: hash or number, then the ID, all big-endian; the values are empty

typedef struct {
  uint64_t hash, id;
} NameKey;

typedef struct {
  uint32_t age;
  uint64_t id;
} __attribute__((packed)) AgeKey;

static inline uint64_t hash_of(const char *bytes, size_t length) {
  uint64_t hash = length, word = 0;
  for (; length >= 8; bytes += 8, length -= 8) {
    memcpy(&word, bytes, 8);
    hash = mix(hash ^ word);
  }
  word = 0;
  memcpy(&word, bytes, length);
  return length ? mix(hash ^ word) : hash;
}

static inline NameKey name_key(const char *name, size_t length, uint64_t id) {
  return (NameKey){__builtin_bswap64(hash_of(name, length)), __builtin_bswap64(id)};
}

static inline AgeKey age_key(int32_t age, uint64_t id) {
  return (AgeKey){__builtin_bswap32((uint32_t)age ^ 0x80000000u), __builtin_bswap64(id)};
}

#endif
