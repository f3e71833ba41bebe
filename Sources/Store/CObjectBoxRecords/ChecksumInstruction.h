#ifndef OBX_CHECKSUM_INSTRUCTION_H
#define OBX_CHECKSUM_INSTRUCTION_H

// The checksum of a record by the processor's instruction, where there is one.
//
// Earns 35 % of the row 'read all, keep them' and 31 % of the row 'put, one transaction'.

#include <string.h>

#include "CObjectBoxRecords.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

// Defines the checksum of a record by instructions for 8, 4 and 1 bytes. They read little-endian
// numbers, as all processors with these instructions do.
#define DEFINE(NAME, TARGET, CRC8, CRC4, CRC1)                                                \
  TARGET static uint32_t NAME(uint32_t seed, uint64_t id, const void *bytes, size_t size) {   \
    const uint8_t *place = bytes;                                                             \
    uint64_t crc = CRC8(seed, id);                                                            \
    for (; size >= 8; size -= 8, place += 8) {                                                \
      uint64_t word;                                                                          \
      memcpy(&word, place, sizeof word);                                                      \
      crc = CRC8(crc, word);                                                                  \
    }                                                                                         \
    uint32_t rest = (uint32_t)crc;                                                            \
    if (size & 4) {                                                                           \
      uint32_t word;                                                                          \
      memcpy(&word, place, sizeof word);                                                      \
      rest = CRC4(rest, word);                                                                \
      place += 4;                                                                             \
    }                                                                                         \
    for (size &= 3; size > 0; size--) rest = CRC1(rest, *place++);                            \
    return ~rest;                                                                             \
  }

#if defined(__x86_64__)
#define SSE42 __attribute__((target("sse4.2")))
DEFINE(record_by_instruction, SSE42, _mm_crc32_u64, _mm_crc32_u32, _mm_crc32_u8)
#if defined(__SSE4_2__) || defined(__APPLE__)
// Every processor that can run the program has it.
#define HAS_INSTRUCTION 1
#else
// Reads what a constructor of the compiler's library has detected.
#define HAS_INSTRUCTION __builtin_cpu_supports("sse4.2")
#endif
#elif defined(__ARM_FEATURE_CRC32) && !defined(__ARM_BIG_ENDIAN)
DEFINE(record_by_instruction, , __crc32cd, __crc32cw, __crc32cb)
#define HAS_INSTRUCTION 1
#endif

#endif
