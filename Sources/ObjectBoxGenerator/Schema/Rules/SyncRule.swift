/// The flags for an entity's `sync` annotation.
enum SyncRule {
  static func flags(of type: ParsedType) -> (flags: EntityFlags, diagnostics: [Diagnostic]) {
    guard let item = type.annotations["sync"] else { return ([], []) }
    guard case .dictionary(let options) = item.value else { return (.syncEnabled, []) }
    var flags: EntityFlags = .syncEnabled
    var diagnostics: [Diagnostic] = []
    for (key, value) in options.sorted(by: { $0.key < $1.key }) {
      if key == "sharedGlobalIds", case .boolean(let isOn) = value {
        if isOn { flags.insert(.sharedGlobalIds) }
      } else {
        let place = item.keyPlace(key)
        let fixIts =
          options["sharedGlobalIds"] == nil
          ? FixIt.correction(of: key, at: place, among: Annotation.keys("sync")) : []
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
