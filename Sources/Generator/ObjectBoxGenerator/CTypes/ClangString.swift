#if OBJECTBOX_LIBCLANG
  internal import CObjectBoxClang

  extension String {
    /// Copies a string of libclang and frees it.
    init(consuming string: CXString) {
      defer { LibClang.disposeString(string) }
      self = LibClang.getCString(string).map { String(cString: $0) } ?? ""
    }
  }

  extension SourcePosition {
    /// Makes the position of a location; inside of a macro, the position of the macro's use.
    ///
    /// Nil outside of files.
    init?(_ location: CXSourceLocation) {
      var file: CXFile?
      var line: UInt32 = 0
      var column: UInt32 = 0
      LibClang.getExpansionLocation(location, &file, &line, &column, nil)
      guard let file else { return nil }
      let path = String(consuming: LibClang.getFileName(file))
      // libclang puts "./" before relative paths.
      self.init(
        path: path.hasPrefix("./") ? String(path.dropFirst(2)) : path,
        line: Int(line),
        column: Int(column)
      )
    }
  }
#endif
