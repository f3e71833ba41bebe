#if OBJECTBOX_LIBCLANG
  internal import CObjectBoxClang
  internal import Foundation

  /// The functions of libclang that the generator calls.
  ///
  /// The library is loaded when C headers are read. A program that is linked with libclang loads LLVM and all that it
  /// depends on at each start: 20 ms, more than the rest of a run without changes takes. The types below repeat the
  /// prototypes of the library's headers, since a mention of a C function would link it.
  ///
  /// Written in Swift: SwiftPM recompiles the C files of a plugin's tool in each build, with all modules above
  /// them.
  enum LibClang {
    /// Loads the library and finds its functions; false when it is missing, or older than its headers.
    static let isLoaded = names.allSatisfy { dlsym(library, $0) != nil }

    // Unsafe only for the compiler: the handle never changes, and threads may find functions at the same time.
    private nonisolated(unsafe) static let library: UnsafeMutableRawPointer? =
      dlopen(objectbox_libclang_path(), RTLD_LAZY | RTLD_LOCAL)
      // An archive made by Scripts/package.sh may have it among its own libraries.
      ?? dlopen("libclang.so", RTLD_LAZY | RTLD_LOCAL)

    /// Finds a function; the type must match the C function.
    ///
    /// Only called when the library is loaded.
    private static func find<Function>(_ name: StaticString, as type: Function.Type) -> Function {
      guard let address = dlsym(library, "\(name)") else {
        preconditionFailure("libclang has no function '\(name)'; ask isLoaded first")
      }
      return unsafeBitCast(address, to: type)
    }

    private static let names = [
      "clang_Cursor_isNull",
      "clang_Location_isInSystemHeader",
      "clang_PrintingPolicy_dispose",
      "clang_PrintingPolicy_setProperty",
      "clang_Type_getModifiedType",
      "clang_Type_getNamedType",
      "clang_createIndex",
      "clang_disposeDiagnostic",
      "clang_disposeIndex",
      "clang_disposeString",
      "clang_disposeTokens",
      "clang_disposeTranslationUnit",
      "clang_getCString",
      "clang_getCanonicalType",
      "clang_getCursorDefinition",
      "clang_getCursorKind",
      "clang_getCursorLocation",
      "clang_getCursorPrettyPrinted",
      "clang_getCursorPrintingPolicy",
      "clang_getCursorSpelling",
      "clang_getDiagnostic",
      "clang_getDiagnosticLocation",
      "clang_getDiagnosticSeverity",
      "clang_getDiagnosticSpelling",
      "clang_getEnumConstantDeclUnsignedValue",
      "clang_getEnumConstantDeclValue",
      "clang_getEnumDeclIntegerType",
      "clang_getExpansionLocation",
      "clang_getFileName",
      "clang_getNumDiagnostics",
      "clang_getToken",
      "clang_getTokenSpelling",
      "clang_getTranslationUnitCursor",
      "clang_getTypeDeclaration",
      "clang_getTypeSpelling",
      "clang_getTypedefDeclUnderlyingType",
      "clang_isAttribute",
      "clang_isInvalidDeclaration",
      "clang_parseTranslationUnit2",
      "clang_visitChildren",
    ]

    static let isNull = find(
      "clang_Cursor_isNull",
      as: (@Sendable @convention(c) (CXCursor) -> Int32).self
    )
    static let isInSystemHeader = find(
      "clang_Location_isInSystemHeader",
      as: (@Sendable @convention(c) (CXSourceLocation) -> Int32).self
    )
    static let disposePrintingPolicy = find(
      "clang_PrintingPolicy_dispose",
      as: (@Sendable @convention(c) (CXPrintingPolicy?) -> Void).self
    )
    static let setProperty = find(
      "clang_PrintingPolicy_setProperty",
      as: (@Sendable @convention(c) (CXPrintingPolicy?, CXPrintingPolicyProperty, UInt32) -> Void)
        .self
    )
    static let getModifiedType = find(
      "clang_Type_getModifiedType",
      as: (@Sendable @convention(c) (CXType) -> CXType).self
    )
    static let getNamedType = find(
      "clang_Type_getNamedType",
      as: (@Sendable @convention(c) (CXType) -> CXType).self
    )
    static let createIndex = find(
      "clang_createIndex",
      as: (@Sendable @convention(c) (Int32, Int32) -> CXIndex?).self
    )
    static let disposeDiagnostic = find(
      "clang_disposeDiagnostic",
      as: (@Sendable @convention(c) (CXDiagnostic?) -> Void).self
    )
    static let disposeIndex = find(
      "clang_disposeIndex",
      as: (@Sendable @convention(c) (CXIndex?) -> Void).self
    )
    static let disposeString = find(
      "clang_disposeString",
      as: (@Sendable @convention(c) (CXString) -> Void).self
    )
    static let disposeTokens = find(
      "clang_disposeTokens",
      as: (@Sendable @convention(c) (CXTranslationUnit?, UnsafeMutablePointer<CXToken>?, UInt32) ->
        Void).self
    )
    static let disposeTranslationUnit = find(
      "clang_disposeTranslationUnit",
      as: (@Sendable @convention(c) (CXTranslationUnit?) -> Void).self
    )
    static let getCString = find(
      "clang_getCString",
      as: (@Sendable @convention(c) (CXString) -> UnsafePointer<CChar>?).self
    )
    static let getCanonicalType = find(
      "clang_getCanonicalType",
      as: (@Sendable @convention(c) (CXType) -> CXType).self
    )
    static let getCursorDefinition = find(
      "clang_getCursorDefinition",
      as: (@Sendable @convention(c) (CXCursor) -> CXCursor).self
    )
    static let getCursorKind = find(
      "clang_getCursorKind",
      as: (@Sendable @convention(c) (CXCursor) -> CXCursorKind).self
    )
    static let getCursorLocation = find(
      "clang_getCursorLocation",
      as: (@Sendable @convention(c) (CXCursor) -> CXSourceLocation).self
    )
    static let getCursorPrettyPrinted = find(
      "clang_getCursorPrettyPrinted",
      as: (@Sendable @convention(c) (CXCursor, CXPrintingPolicy?) -> CXString).self
    )
    static let getCursorPrintingPolicy = find(
      "clang_getCursorPrintingPolicy",
      as: (@Sendable @convention(c) (CXCursor) -> CXPrintingPolicy?).self
    )
    static let getCursorSpelling = find(
      "clang_getCursorSpelling",
      as: (@Sendable @convention(c) (CXCursor) -> CXString).self
    )
    static let getDiagnostic = find(
      "clang_getDiagnostic",
      as: (@Sendable @convention(c) (CXTranslationUnit?, UInt32) -> CXDiagnostic?).self
    )
    static let getDiagnosticLocation = find(
      "clang_getDiagnosticLocation",
      as: (@Sendable @convention(c) (CXDiagnostic?) -> CXSourceLocation).self
    )
    static let getDiagnosticSeverity = find(
      "clang_getDiagnosticSeverity",
      as: (@Sendable @convention(c) (CXDiagnostic?) -> CXDiagnosticSeverity).self
    )
    static let getDiagnosticSpelling = find(
      "clang_getDiagnosticSpelling",
      as: (@Sendable @convention(c) (CXDiagnostic?) -> CXString).self
    )
    static let getEnumConstantDeclUnsignedValue = find(
      "clang_getEnumConstantDeclUnsignedValue",
      as: (@Sendable @convention(c) (CXCursor) -> UInt64).self
    )
    static let getEnumConstantDeclValue = find(
      "clang_getEnumConstantDeclValue",
      as: (@Sendable @convention(c) (CXCursor) -> Int64).self
    )
    static let getEnumDeclIntegerType = find(
      "clang_getEnumDeclIntegerType",
      as: (@Sendable @convention(c) (CXCursor) -> CXType).self
    )
    static let getExpansionLocation = find(
      "clang_getExpansionLocation",
      as: (@Sendable @convention(c) (
        CXSourceLocation, UnsafeMutablePointer<CXFile?>?, UnsafeMutablePointer<UInt32>?,
        UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?
      ) -> Void).self
    )
    static let getFileName = find(
      "clang_getFileName",
      as: (@Sendable @convention(c) (CXFile?) -> CXString).self
    )
    static let getNumDiagnostics = find(
      "clang_getNumDiagnostics",
      as: (@Sendable @convention(c) (CXTranslationUnit?) -> UInt32).self
    )
    static let getToken = find(
      "clang_getToken",
      as: (@Sendable @convention(c) (CXTranslationUnit?, CXSourceLocation) -> UnsafeMutablePointer<
        CXToken
      >?).self
    )
    static let getTokenSpelling = find(
      "clang_getTokenSpelling",
      as: (@Sendable @convention(c) (CXTranslationUnit?, CXToken) -> CXString).self
    )
    static let getTranslationUnitCursor = find(
      "clang_getTranslationUnitCursor",
      as: (@Sendable @convention(c) (CXTranslationUnit?) -> CXCursor).self
    )
    static let getTypeDeclaration = find(
      "clang_getTypeDeclaration",
      as: (@Sendable @convention(c) (CXType) -> CXCursor).self
    )
    static let getTypeSpelling = find(
      "clang_getTypeSpelling",
      as: (@Sendable @convention(c) (CXType) -> CXString).self
    )
    static let getTypedefDeclUnderlyingType = find(
      "clang_getTypedefDeclUnderlyingType",
      as: (@Sendable @convention(c) (CXCursor) -> CXType).self
    )
    static let isAttribute = find(
      "clang_isAttribute",
      as: (@Sendable @convention(c) (CXCursorKind) -> UInt32).self
    )
    static let isInvalidDeclaration = find(
      "clang_isInvalidDeclaration",
      as: (@Sendable @convention(c) (CXCursor) -> UInt32).self
    )
    static let parseTranslationUnit2 = find(
      "clang_parseTranslationUnit2",
      as: (@Sendable @convention(c) (
        CXIndex?, UnsafePointer<CChar>?, UnsafePointer<UnsafePointer<CChar>?>?, Int32,
        UnsafeMutablePointer<CXUnsavedFile>?, UInt32, UInt32,
        UnsafeMutablePointer<CXTranslationUnit?>?
      ) -> CXErrorCode).self
    )
    static let visitChildren = find(
      "clang_visitChildren",
      as: (@Sendable @convention(c) (CXCursor, CXCursorVisitor?, CXClientData?) -> UInt32).self
    )
  }
#endif
