// Replaces the C library's file calls (LD_PRELOAD): records calls on files below RELIABILITY_ROOT
// to RELIABILITY_LOG, and lets chosen calls fail. Linux with glibc only.
//
// A record is a header and its bytes; RecordedOperation.swift reads it. A lock covers a call and
// its record, so the log has the system's order of calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum operation {
  op_create = 1,  // a new file with the path in the bytes
  op_write,
  op_write_through,  // by a descriptor with O_DSYNC or O_SYNC
  op_sync,
  op_truncate,  // to the offset
  op_rename,    // both paths in the bytes, with a zero byte between
  op_unlink,
  op_make_directory,
  op_sync_directory,
  op_mark,  // a text of the program
  op_link,  // as op_rename
  op_known,  // a file that was there before the log began, with the path in the bytes
  // Linux takes the pages that a failed sync should have written for written: they stay readable, and no later sync
  // writes them. So it is with a write by a descriptor with O_DSYNC.
  op_failed_sync,
  op_forgotten_write,
};
// Reserved room changes neither bytes nor size (FALLOC_FL_KEEP_SIZE), so it is not recorded.

// A read-only descriptor can sync its file, too.
enum kind { none, reader, directory, data, write_through };

enum { descriptors = 4096, files = 1024 };

static struct {
  enum kind kind;
  uint32_t file;
} table[descriptors];

static struct {
  dev_t device;
  ino_t number;
} known[files];
static uint32_t known_count;

static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(type, name, ...) static type (*real_##name)(__VA_ARGS__)
REAL(int, open, const char *, int, ...);
REAL(int, openat, int, const char *, int, ...);
REAL(int, close, int);
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
REAL(ssize_t, writev, int, const struct iovec *, int);
REAL(ssize_t, pwritev, int, const struct iovec *, int, off_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, ftruncate, int, off_t);
REAL(int, fallocate, int, int, off_t, off_t);
REAL(int, rename, const char *, const char *);
REAL(int, link, const char *, const char *);
REAL(int, dup2, int, int);
REAL(int, unlink, const char *);
REAL(int, unlinkat, int, const char *, int);
REAL(int, mkdir, const char *, mode_t);
REAL(void *, mmap, void *, size_t, int, int, int, off_t);
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

// MARK: Faults

static struct {
  char call[16];
  long first, count;  // the calls that fail, from 1
  // An errno; -1: half a write; -2: a call that succeeds but reports EIO; -3: a synced write that only the cache gets.
  int code;
} fault;
static long calls;
static volatile int is_armed;
static uintptr_t lmdb_begin, lmdb_end;

/// Lets `count` calls of a kind fail, from the first one on; restarts the counts.
void reliability_fault(const char *call, long first, long count, int code) {
  pthread_mutex_lock(&mutex);
  snprintf(fault.call, sizeof fault.call, "%s", call);
  fault.first = first;
  fault.count = count;
  fault.code = code;
  calls = 0;
  is_armed = call[0] != 0;
  pthread_mutex_unlock(&mutex);
}

/// Returns the number of calls of the kind since reliability_fault.
long reliability_calls(void) { return calls; }

static int failure(const char *call) {
  if (!is_armed || strcmp(call, fault.call)) return 0;
  calls++;
  if (calls < fault.first || calls - fault.first >= fault.count) return 0;
  return fault.code;
}

static int find_lmdb(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  if (!strstr(info->dlpi_name, "liblmdb")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (!lmdb_begin || begin < lmdb_begin) lmdb_begin = begin;
    if (begin + info->dlpi_phdr[i].p_memsz > lmdb_end) lmdb_end = begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

/// Fails only LMDB's own allocations: Swift would end the process.
static int allocation_fails(void *caller) {
  if (!is_armed || strcmp(fault.call, "malloc")) return 0;
  if (!lmdb_end) dl_iterate_phdr(find_lmdb, NULL);
  uintptr_t address = (uintptr_t)caller;
  return address >= lmdb_begin && address < lmdb_end && failure("malloc");
}

void *malloc(size_t size) {
  if (is_armed && allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  if (is_armed && allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  if (is_armed && allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, NULL;
  return __libc_realloc(old, size);
}

// MARK: Recording

static void record(enum operation operation, uint32_t file, uint64_t offset, const void *bytes, uint64_t count) {
  if (log_descriptor < 0) return;
  uint8_t *buffer = __libc_malloc(24 + count);
  uint32_t head[2] = {operation, file};
  memcpy(buffer, head, 8);
  memcpy(buffer + 8, &offset, 8);
  memcpy(buffer + 16, &count, 8);
  if (count) memcpy(buffer + 24, bytes, count);
  uint64_t done = 0;
  while (done < 24 + count) {
    ssize_t written = real_write(log_descriptor, buffer + done, 24 + count - done);
    if (written <= 0) abort();
    done += written;
  }
  free(buffer);
}

/// Begins another log; no tracked file may be open.
void reliability_record(const char *path) {
  pthread_mutex_lock(&mutex);
  if (log_descriptor >= 0) real_close(log_descriptor);
  log_descriptor = real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  known_count = 0;
  pthread_mutex_unlock(&mutex);
}

/// Records a text of the program, such as an acknowledgement.
void reliability_mark(const char *text) {
  pthread_mutex_lock(&mutex);
  record(op_mark, 0, 0, text, strlen(text));
  pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void load(void) {
  if (real_write) return;
#define LOAD(name) real_##name = (__typeof__(real_##name))dlsym(RTLD_NEXT, #name)
  LOAD(open), LOAD(openat), LOAD(close), LOAD(pwrite), LOAD(writev), LOAD(pwritev);
  LOAD(fsync), LOAD(fdatasync), LOAD(ftruncate), LOAD(rename), LOAD(unlink), LOAD(unlinkat), LOAD(mkdir);
  LOAD(mmap), LOAD(write), LOAD(link), LOAD(dup2), LOAD(fallocate);
  const char *folder = getenv("RELIABILITY_ROOT"), *path = getenv("RELIABILITY_LOG");
  if (folder) root_length = snprintf(root, sizeof root, "%s", folder);
  if (path) log_descriptor = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

/// Whether a path is below the root; returns the part after the root.
static const char *tracked(int at, const char *path, char *whole) {
  if (!root_length) return NULL;
  if (path[0] == '/') {
    snprintf(whole, PATH_MAX, "%s", path);
  } else {
    char link[64];
    if (at == AT_FDCWD) {
      snprintf(link, sizeof link, "/proc/self/cwd");
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    }
    ssize_t length = readlink(link, whole, PATH_MAX - 1);
    if (length < 0) return NULL;
    snprintf(whole + length, PATH_MAX - length, "/%s", path);
  }
  if (strncmp(whole, root, root_length) || (whole[root_length] != '/' && whole[root_length])) return NULL;
  return whole[root_length] ? whole + root_length + 1 : whole + root_length;
}

static int is_lock(const char *path) {
  size_t length = strlen(path);
  return length >= 8 && !strcmp(path + length - 8, "lock.mdb");
}

static uint32_t number_of(struct stat *status) {
  for (uint32_t i = known_count; i > 0; i--) {
    if (known[i - 1].number == status->st_ino && known[i - 1].device == status->st_dev) return i;
  }
  return 0;
}

static void note_open(int descriptor, const char *path, int flags, int was_there) {
  struct stat status;
  if (descriptor < 0 || descriptor >= descriptors || fstat(descriptor, &status)) return;
  if (S_ISDIR(status.st_mode)) {
    // Directories need no number: their path is recorded when they are synced.
    table[descriptor].kind = directory;
    return;
  }
  if (!S_ISREG(status.st_mode)) return;
  uint32_t number = was_there ? number_of(&status) : 0;
  if (!number) {
    if (known_count == files) abort();
    known[known_count].device = status.st_dev;
    known[known_count].number = status.st_ino;
    number = ++known_count;
    if (!is_lock(path)) record(was_there ? op_known : op_create, number, 0, path, strlen(path));
  }
  if (was_there && flags & O_TRUNC) record(op_truncate, number, 0, NULL, 0);
  table[descriptor].file = number;
  if (is_lock(path)) return;
  int is_reader = (flags & O_ACCMODE) == O_RDONLY;
  table[descriptor].kind = is_reader ? reader : flags & O_DSYNC ? write_through : data;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  load();
  char whole[PATH_MAX];
  const char *name = tracked(at, path, whole);
  if (!name) return real_openat(at, path, flags, mode);
  pthread_mutex_lock(&mutex);
  int code = failure("open"), result = -1;
  if (code > 0) {
    errno = code;
  } else {
    struct stat status;
    int was_there = !fstatat(at, path, &status, 0);
    result = real_openat(at, path, flags, mode);
    if (result >= 0 && result < descriptors) table[result].kind = none;
    int saved = errno;
    note_open(result, name, flags, was_there);
    errno = saved;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

#define MODE                                     \
  mode_t mode = 0;                               \
  if (flags & (O_CREAT | __O_TMPFILE)) {         \
    va_list list;                                \
    va_start(list, flags);                       \
    mode = va_arg(list, mode_t);                 \
    va_end(list);                                \
  }
int open(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return open_at(at, path, flags, mode); }

static enum kind kind_of(int descriptor) {
  load();
  return descriptor >= 0 && descriptor < descriptors ? table[descriptor].kind : none;
}

int close(int descriptor) {
  load();
  if (descriptor == log_descriptor) return 0;
  if (kind_of(descriptor)) table[descriptor].kind = none;
  return real_close(descriptor);
}

// MARK: Writing

/// Writes one piece, records the written part, and fails where requested.
static ssize_t write_piece(int descriptor, const void *bytes, size_t count, off_t offset) {
  enum kind kind = kind_of(descriptor);
  pthread_mutex_lock(&mutex);
  int code = failure(kind == write_through ? "head" : "write");
  ssize_t result = -1;
  if (code > 0) {
    errno = code;
  } else {
    result = real_pwrite(descriptor, bytes, code == -1 ? count / 2 : count, offset);
    if (result > 0) {
      enum operation operation = code == -3 ? op_forgotten_write : kind == write_through ? op_write_through : op_write;
      record(operation, table[descriptor].file, offset, bytes, result);
    }
    if (code < -1) errno = EIO, result = -1;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

/// Joins pieces; the caller frees the result.
static uint8_t *joined(const struct iovec *pieces, int count, size_t *total) {
  *total = 0;
  for (int i = 0; i < count; i++) *total += pieces[i].iov_len;
  uint8_t *all = __libc_malloc(*total + 1), *next = all;
  for (int i = 0; i < count; i++) {
    memcpy(next, pieces[i].iov_base, pieces[i].iov_len);
    next += pieces[i].iov_len;
  }
  return all;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return kind_of(descriptor) < data ? real_pwrite(descriptor, bytes, count, offset)
                                    : write_piece(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (kind_of(descriptor) < data) return real_write(descriptor, bytes, count);
  ssize_t result = write_piece(descriptor, bytes, count, lseek(descriptor, 0, SEEK_CUR));
  if (result > 0) lseek(descriptor, result, SEEK_CUR);
  return result;
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t offset) {
  if (kind_of(descriptor) < data) return real_pwritev(descriptor, pieces, count, offset);
  size_t total;
  uint8_t *all = joined(pieces, count, &total);
  ssize_t result = write_piece(descriptor, all, total, offset);
  int saved = errno;
  free(all);
  errno = saved;
  return result;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  if (kind_of(descriptor) < data) return real_writev(descriptor, pieces, count);
  ssize_t result = pwritev(descriptor, pieces, count, lseek(descriptor, 0, SEEK_CUR));
  if (result > 0) lseek(descriptor, result, SEEK_CUR);
  return result;
}

// MARK: Other calls

static int sync_descriptor(int descriptor, int (*real)(int)) {
  enum kind kind = kind_of(descriptor);
  if (kind == none) return real(descriptor);
  pthread_mutex_lock(&mutex);
  int code = failure("sync"), result = -1;
  if (code > 0) {
    if (kind != directory && code != EINTR) record(op_failed_sync, table[descriptor].file, 0, NULL, 0);
    errno = code;
  } else {
    // Logs are replayed and faults are simulated, so no disk needs a sync.
    result = 0;
    if (kind == directory) {
      char link[64], whole[PATH_MAX];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(link, whole, sizeof whole - 1);
      whole[length < 0 ? 0 : length] = 0;
      const char *name = whole;
      if (!strncmp(whole, root, root_length)) name = whole[root_length] ? whole + root_length + 1 : "";
      record(op_sync_directory, 0, 0, name, strlen(name));
    } else {
      record(op_sync, table[descriptor].file, 0, NULL, 0);
    }
    if (code == -2) errno = EIO, result = -1;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
int fsync(int descriptor) { return load(), sync_descriptor(descriptor, real_fsync); }
int fdatasync(int descriptor) { return load(), sync_descriptor(descriptor, real_fdatasync); }

int ftruncate(int descriptor, off_t size) {
  if (kind_of(descriptor) < data) return real_ftruncate(descriptor, size);
  pthread_mutex_lock(&mutex);
  int code = failure("truncate"), result = -1;
  if (code > 0) {
    errno = code;
  } else {
    result = real_ftruncate(descriptor, size);
    if (!result) record(op_truncate, table[descriptor].file, size, NULL, 0);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if (kind_of(descriptor) < data) return real_fallocate(descriptor, mode, offset, size);
  pthread_mutex_lock(&mutex);
  int code = failure("reserve");
  int result = code > 0 ? (errno = code, -1) : real_fallocate(descriptor, mode, offset, size);
  pthread_mutex_unlock(&mutex);
  return result;
}
int fallocate64(int descriptor, int mode, off_t offset, off_t size) {
  return fallocate(descriptor, mode, offset, size);
}

static int name_again(
  const char *from, const char *to, enum operation operation, int (*real)(const char *, const char *)) {
  char first[PATH_MAX], second[PATH_MAX], both[2 * PATH_MAX];
  const char *a = tracked(AT_FDCWD, from, first), *b = tracked(AT_FDCWD, to, second);
  pthread_mutex_lock(&mutex);
  int code = a && b ? failure("rename") : 0;
  int result = code > 0 ? (errno = code, -1) : real(from, to);
  if (!result && a && b) {
    int length = snprintf(both, sizeof both, "%s%c%s", a, 0, b);
    record(operation, 0, 0, both, length);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}
int rename(const char *from, const char *to) { return load(), name_again(from, to, op_rename, real_rename); }
int link(const char *from, const char *to) { return load(), name_again(from, to, op_link, real_link); }

int dup2(int descriptor, int other) {
  load();
  pthread_mutex_lock(&mutex);
  int result = real_dup2(descriptor, other);
  if (result >= 0 && result < descriptors && descriptor < descriptors) table[result] = table[descriptor];
  pthread_mutex_unlock(&mutex);
  return result;
}

int unlinkat(int at, const char *path, int flags) {
  load();
  char whole[PATH_MAX];
  const char *name = tracked(at, path, whole);
  pthread_mutex_lock(&mutex);
  int result = real_unlinkat(at, path, flags);
  if (!result && name && !is_lock(name)) record(op_unlink, 0, 0, name, strlen(name));
  pthread_mutex_unlock(&mutex);
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int mkdir(const char *path, mode_t mode) {
  load();
  char whole[PATH_MAX];
  const char *name = tracked(AT_FDCWD, path, whole);
  pthread_mutex_lock(&mutex);
  int result = real_mkdir(path, mode);
  if (!result && name) record(op_make_directory, 0, 0, name, strlen(name));
  pthread_mutex_unlock(&mutex);
  return result;
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  load();
  if (descriptor >= 0 && is_armed) {
    pthread_mutex_lock(&mutex);
    int code = failure("mmap");
    pthread_mutex_unlock(&mutex);
    if (code > 0) return errno = code, MAP_FAILED;
  }
  return real_mmap(address, size, protection, flags, descriptor, offset);
}
void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}
