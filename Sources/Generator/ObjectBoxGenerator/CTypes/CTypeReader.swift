/// Reads the C types that properties need from headers.
package enum CTypeReader {
  /// False when the generator was built without libclang.
  package static var isAvailable: Bool {
    #if OBJECTBOX_LIBCLANG
      true
    #else
      false
    #endif
  }

  /// Reads the wanted types from the headers.
  ///
  /// Costs one compilation of all headers; without names, nothing is parsed.
  ///
  /// - Throws: ``FileFault`` when a given header or folder does not exist.
  package static func read(_ names: Set<String>, in headers: CHeaders) throws(FileFault) -> CTypes {
    let files = try CHeaderFinder.files(of: headers)
    var types = CTypes(
      modules: Set(headers.modules.map(\.name)),
      hasSingleHeaders: !headers.files.isEmpty
    )
    #if OBJECTBOX_LIBCLANG
      if names.isEmpty || files.isEmpty { return types }
      guard let unit = ClangUnit(including: files, folders: headers.searchFolders) else {
        types.diagnostics = [Diagnostic(.libclangGaveUp, at: nil)]
        return types
      }
      types.types = ClangTypeFinder.types(names, in: unit, modules: headers.modules)
      types.diagnostics = unit.diagnostics
    #endif
    return types
  }
}

extension DiagnosticMessage {
  static let libclangGaveUp = warning(
    "libclang could not read the C headers at all; their types stay unknown"
  )
}
