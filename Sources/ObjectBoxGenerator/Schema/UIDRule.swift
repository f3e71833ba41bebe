/// What the `uid` annotation asks for.
enum UIDRule {
  static func request(
    _ annotations: Annotations,
    on element: String
  ) -> (request: UIDRequest, diagnostics: [Diagnostic]) {
    guard let item = annotations["uid"] else { return (.none, []) }
    switch item.value {
    case .bare, .integer(1): return (.tell, [])
    case .integer(let number) where number > 0: return (.value(UInt64(number)), [])
    default:
      return (.none, [Diagnostic(.invalidUID(on: element), at: item.position)])
    }
  }
}

extension DiagnosticMessage {
  static func invalidUID(on element: String) -> Self {
    Self(
      .error,
      "the uid of \(element) is no positive number; write `uid = N`, or `uid` alone to be told one"
    )
  }
}
