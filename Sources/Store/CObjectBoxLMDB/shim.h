// The C headers that the storage layer uses: LMDB, and the byte search of the C library.
#ifndef COBJECTBOXLMDB_SHIM_H
#define COBJECTBOXLMDB_SHIM_H

#include <errno.h>
#include <lmdb.h>
#include <stddef.h>
#include <string.h>

// Declared by the C library only under feature macros that a module map cannot set.
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

// The system's error numbers that the storage layer distinguishes.
static const int objectbox_out_of_memory = ENOMEM;
static const int objectbox_no_space_on_device = ENOSPC;
static const int objectbox_quota_exceeded = EDQUOT;
static const int objectbox_read_only_file_system = EROFS;
static const int objectbox_input_output_error = EIO;
static const int objectbox_no_such_file = ENOENT;
static const int objectbox_permission_denied = EACCES;
static const int objectbox_file_exists = EEXIST;

#endif
