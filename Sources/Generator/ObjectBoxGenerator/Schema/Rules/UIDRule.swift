/// The request of a `uid` annotation.
enum UIDRule {
  /// Reads the annotation.
  ///
  /// `isShared` is true for a property of a base, which several entities may have.
  static func request(
    _ annotations: Annotations,
    on element: String,
    isShared: Bool = false
  ) -> (request: UIDRequest, place: SourceSpan?, diagnostics: [Diagnostic]) {
    guard let item = annotations["uid"] else { return (.none, nil, []) }
    switch item.value {
    case .bare, .integer(1): return (.tell, item.whole, [])
    case .integer(let number) where number > 0:
      let uid = UInt64(number)
      return (isShared ? .shared([uid]) : .value(uid), item.whole, [])
    case .list(let values) where isShared:
      let uids = values.compactMap { value -> UInt64? in
        if case .integer(let number) = value, number > 1 { UInt64(number) } else { nil }
      }
      guard !uids.isEmpty, uids.count == values.count, Set(uids).count == uids.count else {
        return (.none, nil, [Diagnostic(.invalidUIDs(on: element), at: item.valuePlace)])
      }
      return (.shared(uids), item.whole, [])
    default:
      let finding = Diagnostic(.invalidUID(on: element), at: item.valuePlace)
      return (.none, nil, [finding])
    }
  }

  /// Returns the annotation with UIDs: one number, or a list for the entities of a base.
  static func text(of uids: [UInt64]) -> String {
    let list = uids.map { "\($0)" }.joined(separator: ", ")
    return "uid = " + (uids.count == 1 ? list : "[\(list)]")
  }
}

extension DiagnosticMessage {
  static func invalidUIDs(on element: String) -> Self {
    "the uids of \(element) are not different positive numbers; write `uid = [N, M]`, or `uid` alone "
      + "to be told them"
  }

  static func invalidUID(on element: String) -> Self {
    "the uid of \(element) is no positive number; write \(Annotation.usage("uid"))"
  }
}
