/// The annotations that exist, and the finding for one that does not.
enum AnnotationNames {
  static let ofTypes: Set<String> = [
    "entity", "Entity", "name", "sync", "uid", "externalName", "uniqueTogether", "indexTogether",
  ]

  /// Those of which each one on a declaration counts.
  static let repeatable = Set(CompoundIndexRule.names)

  static let ofVariables: Set<String> = [
    "backlink", "convert", "date-nano", "flex", "name", "id", "id-companion", "index", "transient",
    "type", "uid", "unique", "hnswIndex", "externalName", "externalType", "syncClock",
    "syncPrecedence", "onDelete", "collation",
  ]

  /// Returns the findings about the annotations of a type, and of the variables of an entity:
  /// unknown names, and what the parser could not read.
  static func check(_ type: ParsedType) -> [Diagnostic] {
    var findings =
      type.annotations.diagnostics
      + unknown(type.annotations, known: ofTypes, on: "'\(type.qualifiedName)'")
      + misspelt(
        type.annotations,
        given: type.isEntity ? ["entity"] : [],
        on: "'\(type.qualifiedName)'"
      ).filter { $0.isEntity || type.isEntity }.map(\.finding)
    if type.isEntity {
      for variable in type.variables {
        findings += variable.annotations.diagnostics
        findings += misspelt(
          variable.annotations,
          on: "'\(type.qualifiedName).\(variable.name)'"
        ).map(\.finding)
        findings += unknown(
          variable.annotations,
          known: ofVariables,
          on: "'\(type.qualifiedName).\(variable.name)'"
        )
      }
    }
    return findings
  }

  /// Returns a finding for each comment that names an annotation which is not given, with a misspelt
  /// prefix, and whether it is meant to make an entity.
  private static func misspelt(
    _ annotations: Annotations,
    given: Set<String> = [],
    on element: String
  ) -> [(finding: Diagnostic, isEntity: Bool)] {
    annotations.misspelt.compactMap { misspelt in
      let names = misspelt.names.map { $0.lowercased() }
      let given = given.union(annotations.names.map { $0.lowercased() })
      if given.isSuperset(of: names) { return nil }
      let finding = misspelt.finding(prefix: annotations.prefix, on: element)
      return (finding, names.contains("entity"))
    }
  }

  /// Returns a finding for each annotation that is none of the known ones.
  static func unknown(
    _ annotations: Annotations,
    known: Set<String>,
    on element: String
  ) -> [Diagnostic] {
    annotations.items.filter { !known.contains($0.key) }.map { name, item in
      let suggestion = EditDistance.suggestion(for: name, in: known)
      // The right word beside the misspelt one would then stand there twice.
      let fix = suggestion.flatMap { annotations.has($0.word) ? nil : $0 }
        .map { FixIt.replace(name, at: item.name, by: $0) }
      return Diagnostic(
        .unknownAnnotation(name, on: element, nearest: suggestion?.word),
        at: item.name,
        fixIts: fix.map { [$0] } ?? []
      )
    }
  }
}

extension DiagnosticMessage {
  static func unknownAnnotation(_ name: String, on element: String, nearest: String?) -> Self {
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "remove it, or correct its name"
    return Self(.error, "unknown annotation '\(name)' on \(element); \(advice)")
  }
}
