#include "CObjectBoxPages.h"

#include <sys/mman.h>

// The addresses that a process can give to a memory map.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#endif
#endif

#ifndef MAP_ANON
#define MAP_ANON 0x20
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

int obx_addresses_are_free(uint64_t size) {
#ifdef IS_THREAD_SANITIZED
  return 1;
#endif
  void *place = mmap(NULL, (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return 0;
  munmap(place, (size_t)size);
  return 1;
}

uint64_t obx_address_space(uint64_t wanted, uint64_t needed, int probes) {
#ifdef IS_THREAD_SANITIZED
  // The sanitizer has 1.5 TiB for all maps of a process, and ends the process if they do not fit.
  return needed;
#endif
  if (needed >= wanted) return needed;
  if (!probes || obx_addresses_are_free(wanted)) return wanted;
  // Half of the available addresses stay free for other uses.
  for (uint64_t size = wanted / 4; size > needed; size /= 2) {
    if (obx_addresses_are_free(size * 2)) return size;
  }
  return needed;
}
