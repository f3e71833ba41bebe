#if OBJECTBOX_LIBCLANG
  internal import CObjectBoxClang
  internal import Foundation

  /// All headers of a run, parsed as one C source that includes them.
  ///
  /// Owns the memory of its cursors and types: keep it alive while they are used.
  final class ClangUnit {
    private let index: CXIndex
    private let unit: CXTranslationUnit

    /// Maximum number of reported errors; further errors mostly follow from these.
    private static let maximumErrors = 10
    /// Name of the in-memory source that includes the headers.
    private static let sourceName = "objectbox-c-types.c"

    /// Parses the headers at the given paths; nil when libclang cannot start.
    init?(including headers: [String], folders: [String]) {
      guard LibClang.isLoaded, let index = LibClang.createIndex(0, 0) else { return nil }
      // The C standard of Swift's importer. Warnings are left to the C compiler, even those that
      // are errors by default, such as the one about the macros of Apple's enums.
      var arguments =
        ["-x", "c", "-std=gnu11", "-Wno-everything"] + folders.flatMap { ["-I", $0] }
      if let sdk = ProcessInfo.processInfo.environment["SDKROOT"], !sdk.isEmpty {
        arguments += ["-isysroot", sdk]
      }
      let source = headers.map { "#include \"\($0)\"\n" }.joined()
      guard let unit = Self.parse(source, arguments, index) else {
        LibClang.disposeIndex(index)
        return nil
      }
      self.index = index
      self.unit = unit
    }

    deinit {
      LibClang.disposeTranslationUnit(unit)
      LibClang.disposeIndex(index)
    }

    private static func parse(
      _ source: String,
      _ arguments: [String],
      _ index: CXIndex
    ) -> CXTranslationUnit? {
      let words = arguments.map { UnsafePointer(strdup($0)) }
      defer { for word in words { free(UnsafeMutablePointer(mutating: word)) } }
      let options =
        CXTranslationUnit_SkipFunctionBodies.rawValue | CXTranslationUnit_KeepGoing.rawValue
      return sourceName.withCString { name in
        source.withCString { text in
          var file = CXUnsavedFile(
            Filename: name,
            Contents: text,
            Length: UInt(source.utf8.count)
          )
          var unit: CXTranslationUnit?
          let code = LibClang.parseTranslationUnit2(
            index,
            name,
            words,
            Int32(words.count),
            &file,
            1,
            options,
            &unit
          )
          return code == CXError_Success ? unit : nil
        }
      }
    }

    /// Top-level declarations, in source order.
    var declarations: [CXCursor] { Self.children(of: LibClang.getTranslationUnitCursor(unit)) }

    static func children(of cursor: CXCursor) -> [CXCursor] {
      var children: [CXCursor] = []
      _ = withUnsafeMutablePointer(to: &children) { list in
        LibClang.visitChildren(
          cursor,
          { child, _, list in
            list?.assumingMemoryBound(to: [CXCursor].self).pointee.append(child)
            return CXChildVisit_Continue
          },
          list
        )
      }
      return children
    }

    /// Returns the token at a location; empty when there is none.
    func word(at location: CXSourceLocation) -> String {
      guard let token = LibClang.getToken(unit, location) else { return "" }
      defer { LibClang.disposeTokens(unit, token, 1) }
      return String(consuming: LibClang.getTokenSpelling(unit, token.pointee))
    }

    /// Errors in the headers, as warnings: the types may still be readable.
    var diagnostics: [Diagnostic] {
      var found: [Diagnostic] = []
      for number in 0..<LibClang.getNumDiagnostics(unit) {
        guard let diagnostic = LibClang.getDiagnostic(unit, number) else { continue }
        defer { LibClang.disposeDiagnostic(diagnostic) }
        guard LibClang.getDiagnosticSeverity(diagnostic).rawValue >= CXDiagnostic_Error.rawValue
        else {
          continue
        }
        let text = String(consuming: LibClang.getDiagnosticSpelling(diagnostic))
        let position = SourcePosition(LibClang.getDiagnosticLocation(diagnostic))
        found.append(Diagnostic(.headerError(text), at: position))
        if found.count == Self.maximumErrors { break }
      }
      return found
    }
  }

  extension DiagnosticMessage {
    static func headerError(_ text: String) -> Self {
      warning(
        "this C header has an error, so types in it may stay unknown: \(text); name folders of "
          + "headers that it includes with --c-include-dir"
      )
    }
  }
#endif
