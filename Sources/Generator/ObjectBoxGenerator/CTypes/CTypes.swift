/// C types of a run's properties, by their names in Swift.
package struct CTypes: Sendable {
  var types: [String: CType] = [:]
  /// False when the generator was built without libclang and cannot read headers.
  package var isReadable = CTypeReader.isAvailable
  /// Findings about the headers.
  package var diagnostics: [Diagnostic] = []
  /// Modules whose headers were given.
  package var modules: Set<String> = []
  /// True when single headers were given, whose modules are unknown.
  package var hasSingleHeaders = false

  /// Returns a type by its Swift name, with or without its module; nil when no header declares it.
  package subscript(_ name: String) -> CType? {
    types[Self.withoutModule(name)]
  }

  /// Returns Swift's name of a typedef's underlying number or Boolean; nil for other types.
  func scalar(_ name: String) -> String? {
    guard let type = self[name], type.conflict == nil, case .scalar(let scalar) = type.kind else {
      return nil
    }
    return scalar
  }

  /// Returns a type with raw values; nil for other types and for names with conflicting
  /// declarations.
  func enumeration(_ name: String) -> CEnumeration? {
    guard let type = self[name], type.conflict == nil, case .enumeration(let found) = type.kind
    else { return nil }
    return found
  }

  /// Returns `note_state` for `CNotes.note_state`.
  ///
  /// C types do not nest, so the last part is the type.
  static func withoutModule(_ name: String) -> String {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    return last.hasPrefix("`") && last.hasSuffix("`") ? String(last.dropFirst().dropLast()) : last
  }
}
