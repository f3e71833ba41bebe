internal import ObjectBoxCommandLine

extension Annotations {
  /// Returns a finding for each unknown annotation, with the nearest known name as advice.
  func unknown(among known: Set<String>, on element: String) -> [Diagnostic] {
    items.filter { !known.contains($0.key) }.map { name, item in
      let suggestion = EditDistance.suggestion(for: name, in: known)
      // No fix when the declaration already has the suggested annotation.
      let fix = suggestion.flatMap { has($0.word) ? nil : $0 }
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
    return "unknown annotation '\(name)' on \(element); \(advice)"
  }
}
