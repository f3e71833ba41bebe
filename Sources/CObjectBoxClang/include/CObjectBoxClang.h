// libclang, with which the generator reads C headers. This target defines the functions that the
// generator calls. It loads the library at the first call of clang_createIndex.
#ifndef COBJECTBOXCLANG_H
#define COBJECTBOXCLANG_H

#include <clang-c/Index.h>

#endif
