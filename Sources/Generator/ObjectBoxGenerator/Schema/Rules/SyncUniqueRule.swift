/// Checks that `unique` with `merge` is on synchronized entities only: the server merges.
enum SyncUniqueRule {
  static func check(
    _ properties: [SchemaProperty],
    of type: ParsedType,
    isSynchronized: Bool
  ) -> [Diagnostic] {
    if isSynchronized { return [] }
    return properties.compactMap { property in
      guard property.flags.contains(.uniqueOnConflictMerge),
        let variable = type.variables.first(where: { $0.position == property.position }),
        let item = variable.annotations["unique"]
      else { return nil }
      let message = DiagnosticMessage.invalidUnique(
        property.declaration,
        "'merge' is for entities annotated with 'sync'",
        in: "entity '\(type.qualifiedName)'"
      )
      return Diagnostic(message, at: item.valuePlace(of: "onConflict"))
    }
  }
}
