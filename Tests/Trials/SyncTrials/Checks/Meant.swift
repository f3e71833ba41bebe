import ObjectBoxSyncProtocol

/// The objects that the program meant with an operation.
struct Meant {
  enum Object {
    /// An object that the transaction made, whatever the server has made of it.
    case made(ObjectKey, TransactionToken)
    /// A confirmed object.
    case row(ObjectIdentity)
  }

  let object: Object
  /// The target of a pair or of a to-one relation.
  let target: Object?
}
