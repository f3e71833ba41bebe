/// A broken promise that the checker found.
struct Wrong: Error {
  let claim: String
  let details: String

  init(_ claim: String, _ details: String = "") {
    self.claim = claim
    self.details = details
  }
}

/// Returns a value's description without module and type names of identities.
func brief(_ value: Any) -> String {
  var text = "\(value)"
  for name in [
    "ObjectBoxSyncProtocol.", "Identifier128", "TransactionToken", "DeviceIdentity", "OriginID",
    "PropertyUID", "EntityUID", "ObjectIdentity", "DroppedOperation.", "Operation.", "bits: ",
    "value: ",
    "identity: ",
  ] {
    text = text.split(separator: name, omittingEmptySubsequences: false).joined()
  }
  return text
}
