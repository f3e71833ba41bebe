/// The flags for an entity's `sync` annotation.
enum SyncFlagsRule {
  private static let options: [String: EntityFlags] = [
    "sharedGlobalIds": .sharedGlobalIds, "propertyClocks": .syncPropertyClocks,
    "resolve": .syncResolve,
  ]

  static func flags(of type: ParsedType) -> (flags: EntityFlags, diagnostics: [Diagnostic]) {
    guard let item = type.annotations["sync"] else { return ([], []) }
    guard case .dictionary(let options) = item.value else {
      // Other words are accepted, as by ObjectBox Swift 5.3.
      guard case .text(let word) = item.value, word == "counter" || Self.options[word] != nil else {
        return (.syncEnabled, [])
      }
      let message = DiagnosticMessage.invalidSync(word, entity: type.qualifiedName)
      return (.syncEnabled, [Diagnostic(message, at: item.valuePlace)])
    }
    var flags: EntityFlags = .syncEnabled
    var diagnostics: [Diagnostic] = []
    for (key, value) in options.sorted(by: { $0.key < $1.key }) {
      if let flag = Self.options[key], case .boolean(let isOn) = value {
        if isOn { flags.insert(flag) }
      } else {
        let place = item.keyPlace(key)
        let unused = Annotation.keys("sync").subtracting(options.keys)
        let fixIts = FixIt.correction(of: key, at: place, among: unused)
        let message = DiagnosticMessage.invalidSync(key, entity: type.qualifiedName)
        diagnostics.append(Diagnostic(message, at: place, fixIts: fixIts))
      }
    }
    return (flags, diagnostics)
  }
}

extension DiagnosticMessage {
  static func invalidSync(_ key: String, entity: String) -> Self {
    "the sync annotation of entity '\(entity)' has '\(key)', which is unknown or no Boolean; "
      + "write \(Annotation.usage("sync"))"
  }
}
