// Forwards the generator's calls of libclang to the library, which is loaded at the first use.
//
// A program linked with libclang loads LLVM and all its dependencies at each start. This takes
// 20 ms, more than the rest of a run without changes.
#include "CObjectBoxClang.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// Result, name, parameters and arguments of each function. The compiler checks them against the
// prototypes in libclang's headers.
#define FUNCTIONS(F)                                                                               \
  F(int, clang_Cursor_isNull, (CXCursor cursor), (cursor))                                         \
  F(int, clang_Location_isInSystemHeader, (CXSourceLocation place), (place))                       \
  F(void, clang_PrintingPolicy_dispose, (CXPrintingPolicy policy), (policy))                       \
  F(void, clang_PrintingPolicy_setProperty,                                                        \
    (CXPrintingPolicy policy, enum CXPrintingPolicyProperty property, unsigned value),             \
    (policy, property, value))                                                                     \
  F(CXType, clang_Type_getModifiedType, (CXType type), (type))                                     \
  F(CXType, clang_Type_getNamedType, (CXType type), (type))                                        \
  F(void, clang_disposeDiagnostic, (CXDiagnostic diagnostic), (diagnostic))                        \
  F(void, clang_disposeIndex, (CXIndex index), (index))                                            \
  F(void, clang_disposeString, (CXString string), (string))                                        \
  F(void, clang_disposeTokens, (CXTranslationUnit unit, CXToken *tokens, unsigned count),          \
    (unit, tokens, count))                                                                         \
  F(void, clang_disposeTranslationUnit, (CXTranslationUnit unit), (unit))                          \
  F(const char *, clang_getCString, (CXString string), (string))                                   \
  F(CXType, clang_getCanonicalType, (CXType type), (type))                                         \
  F(CXCursor, clang_getCursorDefinition, (CXCursor cursor), (cursor))                              \
  F(enum CXCursorKind, clang_getCursorKind, (CXCursor cursor), (cursor))                           \
  F(CXSourceLocation, clang_getCursorLocation, (CXCursor cursor), (cursor))                        \
  F(CXString, clang_getCursorPrettyPrinted, (CXCursor cursor, CXPrintingPolicy policy),            \
    (cursor, policy))                                                                              \
  F(CXPrintingPolicy, clang_getCursorPrintingPolicy, (CXCursor cursor), (cursor))                  \
  F(CXString, clang_getCursorSpelling, (CXCursor cursor), (cursor))                                \
  F(CXDiagnostic, clang_getDiagnostic, (CXTranslationUnit unit, unsigned place), (unit, place))    \
  F(CXSourceLocation, clang_getDiagnosticLocation, (CXDiagnostic diagnostic), (diagnostic))        \
  F(enum CXDiagnosticSeverity, clang_getDiagnosticSeverity, (CXDiagnostic diagnostic),             \
    (diagnostic))                                                                                  \
  F(CXString, clang_getDiagnosticSpelling, (CXDiagnostic diagnostic), (diagnostic))                \
  F(unsigned long long, clang_getEnumConstantDeclUnsignedValue, (CXCursor cursor), (cursor))       \
  F(long long, clang_getEnumConstantDeclValue, (CXCursor cursor), (cursor))                        \
  F(CXType, clang_getEnumDeclIntegerType, (CXCursor cursor), (cursor))                             \
  F(void, clang_getExpansionLocation,                                                              \
    (CXSourceLocation place, CXFile *file, unsigned *line, unsigned *column, unsigned *offset),    \
    (place, file, line, column, offset))                                                           \
  F(CXString, clang_getFileName, (CXFile file), (file))                                            \
  F(unsigned, clang_getNumDiagnostics, (CXTranslationUnit unit), (unit))                           \
  F(CXToken *, clang_getToken, (CXTranslationUnit unit, CXSourceLocation place), (unit, place))    \
  F(CXString, clang_getTokenSpelling, (CXTranslationUnit unit, CXToken token), (unit, token))      \
  F(CXCursor, clang_getTranslationUnitCursor, (CXTranslationUnit unit), (unit))                    \
  F(CXCursor, clang_getTypeDeclaration, (CXType type), (type))                                     \
  F(CXString, clang_getTypeSpelling, (CXType type), (type))                                        \
  F(CXType, clang_getTypedefDeclUnderlyingType, (CXCursor cursor), (cursor))                       \
  F(unsigned, clang_isAttribute, (enum CXCursorKind kind), (kind))                                 \
  F(unsigned, clang_isInvalidDeclaration, (CXCursor cursor), (cursor))                             \
  F(enum CXErrorCode, clang_parseTranslationUnit2,                                                 \
    (CXIndex index, const char *name, const char *const *arguments, int argumentCount,             \
     struct CXUnsavedFile *files, unsigned fileCount, unsigned options, CXTranslationUnit *unit),  \
    (index, name, arguments, argumentCount, files, fileCount, options, unit))                      \
  F(unsigned, clang_visitChildren, (CXCursor parent, CXCursorVisitor visitor, CXClientData data),  \
    (parent, visitor, data))

#define POINTER(Result, name, parameters, arguments) __typeof__(name) *name;
static struct {
  __typeof__(clang_createIndex) *clang_createIndex;
  FUNCTIONS(POINTER)
} functions;

// These functions take values that come from an index, so the pointers are set before any call.
#define FORWARD(Result, name, parameters, arguments)                                               \
  Result name parameters { return functions.name arguments; }
FUNCTIONS(FORWARD)

static bool isLoaded;

/// Loads the library and finds its functions; fails if the library is missing or older than its
/// headers.
static void load(void) {
  void *library = dlopen(OBJECTBOX_LIBCLANG_PATH, RTLD_LAZY | RTLD_LOCAL);
  // An archive made by Scripts/package.sh may contain it among its own libraries.
  if (library == NULL) library = dlopen("libclang.so", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(Result, name, parameters, arguments)                                                  \
  functions.name = (__typeof__(name) *)dlsym(library, #name);                                      \
  if (functions.name == NULL) return;
  FUNCTIONS(FIND)
  functions.clang_createIndex =
      (__typeof__(clang_createIndex) *)dlsym(library, "clang_createIndex");
  isLoaded = functions.clang_createIndex != NULL;
}

/// Also returns NULL when libclang cannot be loaded.
CXIndex clang_createIndex(int excludesDeclarationsOfPCH, int displaysDiagnostics) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return isLoaded ? functions.clang_createIndex(excludesDeclarationsOfPCH, displaysDiagnostics)
                  : NULL;
}
