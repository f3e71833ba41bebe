#define _GNU_SOURCE
#include "CObjectBoxEncryption.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

// Calls of Linux that the C library declares only under feature macros.

int obx_memory_file(const char *name) {
#ifdef __linux__
  return memfd_create(name, MFD_CLOEXEC);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int obx_reserve(int file, int64_t offset, int64_t size) {
#ifdef __linux__
  int code;
  do {
    code = fallocate(file, FALLOC_FL_KEEP_SIZE, offset, size) == 0 ? 0 : errno;
  } while (code == EINTR);
  return code;
#else
  return ENOSYS;
#endif
}

int obx_exclude_from_dumps(uint64_t address, uint64_t size) {
#ifdef __linux__
  return madvise((void *)(uintptr_t)address, size, MADV_DONTDUMP) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}
