/// The annotations that exist, and the finding for one that does not.
enum AnnotationNames {
  static let ofTypes: Set<String> = ["entity", "Entity", "name", "sync", "uid", "externalName"]

  static let ofVariables: Set<String> = [
    "backlink", "convert", "date-nano", "flex", "name", "id", "id-companion", "index", "transient",
    "type", "uid", "unique", "hnswIndex", "externalName", "externalType", "syncClock",
    "syncPrecedence",
  ]

  /// Returns a finding for each unknown name on a type, and on the variables of an entity.
  static func check(_ type: ParsedType) -> [Diagnostic] {
    var findings = unknown(type.annotations, known: ofTypes, on: "'\(type.qualifiedName)'")
    if EntityRule.isEntity(type) {
      for variable in type.variables {
        findings += unknown(
          variable.annotations,
          known: ofVariables,
          on: "'\(type.qualifiedName).\(variable.name)'"
        )
      }
    }
    return findings
  }

  private static func unknown(
    _ annotations: Annotations,
    known: Set<String>,
    on element: String
  ) -> [Diagnostic] {
    annotations.items.filter { !known.contains($0.key) }.map { name, item in
      Diagnostic(
        .unknownAnnotation(name, on: element, nearest: nearest(to: name, in: known)),
        at: item.position
      )
    }
  }

  /// Returns the known name that a misspelt one most likely means.
  private static func nearest(to name: String, in known: Set<String>) -> String? {
    func distance(_ other: String) -> (Int, Int) {
      // Case counts only between words that are equally near without it.
      (
        EditDistance.between(other.lowercased(), name.lowercased()),
        EditDistance.between(other, name)
      )
    }
    guard let best = known.sorted().min(by: { distance($0) < distance($1) }),
      distance(best).0 <= max(1, name.count / 3)
    else { return nil }
    return best
  }
}

extension DiagnosticMessage {
  static func unknownAnnotation(_ name: String, on element: String, nearest: String?) -> Self {
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "remove it, or correct its name"
    return Self(.error, "unknown annotation '\(name)' on \(element); \(advice)")
  }
}
