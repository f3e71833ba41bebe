// libclang, with which the generator reads C headers. The functions that the generator calls are
// defined by this target, and load the library at the first call of clang_createIndex.
#ifndef COBJECTBOXCLANG_H
#define COBJECTBOXCLANG_H

#include <clang-c/Index.h>

#endif
