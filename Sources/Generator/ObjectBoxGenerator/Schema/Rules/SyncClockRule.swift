/// Checks `syncClock`, `syncPrecedence` and `id-companion`, and sets their flags.
enum SyncClockRule {
  private static let kinds: [(name: String, flag: PropertyFlags)] = [
    ("syncClock", .syncClock), ("syncPrecedence", .syncPrecedence),
  ]

  /// Sets the flags of an entity's properties.
  static func apply(
    to properties: inout [SchemaProperty],
    of type: ParsedType,
    _ entity: EntityFlags
  ) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for (name, flag) in kinds {
      var first: SchemaProperty?
      for place in properties.indices {
        guard
          let variable = type.variables.first(where: { $0.position == properties[place].position }),
          let item = variable.annotations[name]
        else { continue }
        let property = properties[place]
        let reason: String?
        var notes: [Diagnostic] = []
        if kinds.allSatisfy({ variable.annotations.has($0.name) }) {
          // ``AnnotationRule`` reports the pair.
          if name == "syncClock" { first = first ?? property }
          continue
        }
        if !entity.contains(.syncEnabled) {
          reason = "the entity is not annotated with 'sync'"
        } else if entity.contains(.syncPropertyClocks) {
          reason = "the entity has 'propertyClocks'; only one of them can decide"
        } else if property.type != .long || property.isID {
          reason = "it is for Int64"
        } else if let first {
          reason = "'\(first.name)' of the entity has it already"
          notes = [Diagnostic(.earlierDeclaration, at: first.position)]
        } else {
          reason = nil
          properties[place].flags.insert(flag)
        }
        first = first ?? property
        guard let reason else { continue }
        let element = property.declaration(in: type.qualifiedName)
        let message = DiagnosticMessage.unusableAnnotation(name, of: element, reason)
        diagnostics.append(Diagnostic(message, at: item.name, notes: notes))
      }
    }
    return diagnostics
  }

  /// Sets the flag of a property with the annotation `id-companion`.
  static func applyCompanion(
    _ stored: StoredVariable,
    to property: inout SchemaProperty
  ) -> [Diagnostic] {
    guard let item = stored.annotations["id-companion"] else { return [] }
    guard property.type == .date || property.type == .dateNano else {
      let element = stored.declaration(of: property)
      let reason = "it is for Date"
      return [Diagnostic(.unusableAnnotation("id-companion", of: element, reason), at: item.name)]
    }
    property.flags.insert(.idCompanion)
    return []
  }
}
