#if OBJECTBOX_LIBCLANG
  internal import CObjectBoxClang

  /// Finds types by their Swift names among the declarations of headers.
  enum ClangTypeFinder {
    /// Returns the wanted types that the headers declare.
    ///
    /// The first declaration of a name counts. A later declaration as a different type is a
    /// conflict.
    static func types(
      _ wanted: Set<String>,
      in unit: ClangUnit,
      modules: [CHeaders.Module]
    ) -> [String: CType] {
      var types: [String: CType] = [:]
      for cursor in unit.declarations where isType(cursor) {
        guard let name = name(of: cursor, in: unit), wanted.contains(name),
          let position = SourcePosition(LibClang.getCursorLocation(cursor))
        else { continue }
        let kind = ClangTypeKind.kind(ofDeclaration: cursor)
        guard let first = types[name] else {
          let module = modules.first { position.path.hasPrefix($0.folder + "/") }?.name
          types[name] = CType(kind: kind, position: position, module: module)
          continue
        }
        if first.conflict == nil, first.kind != kind { types[name]?.conflict = position }
      }
      return types
    }

    private static func isType(_ cursor: CXCursor) -> Bool {
      switch LibClang.getCursorKind(cursor) {
      case CXCursor_TypedefDecl, CXCursor_EnumDecl, CXCursor_StructDecl, CXCursor_UnionDecl: true
      default: false
      }
    }

    /// Returns the name in Swift, which an attribute may change.
    private static func name(of cursor: CXCursor, in unit: ClangUnit) -> String? {
      let location = LibClang.getCursorLocation(cursor)
      if LibClang.isInSystemHeader(location) == 0,
        let renamed = ClangTypeKind.argument(of: "swift_name", on: cursor)
      {
        return renamed
      }
      let spelling = String(consuming: LibClang.getCursorSpelling(cursor))
      if !spelling.isEmpty { return spelling }
      // libclang gives a second declaration of an enum no name; the source text has it.
      return LibClang.isInvalidDeclaration(cursor) != 0 ? unit.word(at: location) : nil
    }
  }
#endif
