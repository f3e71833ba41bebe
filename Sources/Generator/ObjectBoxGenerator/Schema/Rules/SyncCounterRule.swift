/// Checks `sync = counter`, and sets its flag.
enum SyncCounterRule {
  /// Sets the flags of an entity's counters.
  ///
  /// - Parameters:
  ///   - properties: The entity's properties.
  ///   - type: The entity's type.
  ///   - isSynchronized: True if the type is annotated with `sync`.
  ///   - indexes: The entity's compound indexes.
  /// - Returns: The findings.
  static func apply(
    to properties: inout [SchemaProperty],
    of type: ParsedType,
    isSynchronized: Bool,
    _ indexes: [SchemaCompoundIndex]
  ) -> [Diagnostic] {
    let excluded = Annotation.named("sync")?.excluded ?? []
    var diagnostics: [Diagnostic] = []
    for place in properties.indices {
      let property = properties[place]
      // ``AnnotationRule`` reports the annotation on IDs and relations, and in combination with others.
      guard !property.isID, property.type != .relation,
        let variable = type.variables.first(where: { $0.position == property.position }),
        let item = variable.annotations["sync"], !excluded.contains(where: variable.annotations.has)
      else { continue }
      let reason: String
      var valuePlace: SourceSpan?
      if item.value != .text("counter") {
        reason = "a property has `sync = counter` only"
        valuePlace = item.valuePlace
      } else if !isSynchronized {
        reason = "the entity is not annotated with 'sync'"
      } else if property.type != .long || property.isOptional || property.conversion != nil {
        // Sums of narrower numbers could leave their range.
        reason = "it is for Int, Int64, UInt and UInt64"
      } else if indexes.contains(where: { $0.isUnique && $0.properties.contains(property.name) }) {
        reason = "the property is in 'uniqueTogether', and counting would make values equal"
      } else {
        properties[place].flags.insert(.syncCounter)
        continue
      }
      let element = property.declaration(in: type.qualifiedName)
      let message = DiagnosticMessage.unusableAnnotation("sync", of: element, reason)
      diagnostics.append(Diagnostic(message, at: valuePlace ?? item.name))
    }
    return diagnostics
  }
}
