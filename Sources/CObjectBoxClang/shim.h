// The C headers with which the generator reads other C headers: libclang's.
#ifndef COBJECTBOXCLANG_SHIM_H
#define COBJECTBOXCLANG_SHIM_H

#include <clang-c/Index.h>

#endif
