// The types of libclang, with which the generator reads C headers. The library is loaded only then: `LibClang`
// in Swift finds its functions.
#ifndef COBJECTBOXCLANG_H
#define COBJECTBOXCLANG_H

#include <clang-c/Index.h>

/// The path of the library that the headers belong to, which the manifest found.
static inline const char *objectbox_libclang_path(void) { return OBJECTBOX_LIBCLANG_PATH; }

#endif
