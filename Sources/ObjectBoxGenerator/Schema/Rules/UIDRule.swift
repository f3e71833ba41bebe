/// The request of a `uid` annotation.
enum UIDRule {
  static func request(
    _ annotations: Annotations,
    on element: String
  ) -> (request: UIDRequest, place: SourceSpan?, diagnostics: [Diagnostic]) {
    guard let item = annotations["uid"] else { return (.none, nil, []) }
    switch item.value {
    case .bare, .integer(1): return (.tell, item.whole, [])
    case .integer(let number) where number > 0: return (.value(UInt64(number)), item.whole, [])
    default:
      let finding = Diagnostic(.invalidUID(on: element), at: item.valuePlace)
      return (.none, nil, [finding])
    }
  }
}

extension DiagnosticMessage {
  static func invalidUID(on element: String) -> Self {
    "the uid of \(element) is no positive number; write \(Annotation.usage("uid"))"
  }
}
