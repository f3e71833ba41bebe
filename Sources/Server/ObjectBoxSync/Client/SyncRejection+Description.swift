extension SyncRejection: CustomStringConvertible {
  /// The parts that the server has not accepted, with their causes, in words.
  public var description: String {
    (isWhole ? "the transaction was rejected: " : "without effect: ")
      + parts.map(\.description).joined(separator: "; ")
  }
}

extension SyncRejection.Part: CustomStringConvertible {
  /// The object or the property, and the cause in words.
  public var description: String {
    let place = entity + (property.map { ".\($0)" } ?? "")
    let object = [entity.isEmpty ? nil : "'\(place)'", id == 0 ? nil : "with ID \(id)"]
      .compactMap(\.self).joined(separator: " ")
    return (object.isEmpty ? "" : object + ": ") + reason.words + (message.map { ": \($0)" } ?? "")
  }
}

extension SyncRejection.Reason {
  fileprivate var words: String {
    switch self {
    case .unique: "another object has the unique value"
    case .permission: "the user may not write the object"
    case .unknownEntity: "the server does not synchronize the entity"
    case .counter: "a counter was set, or another property was incremented"
    case .value: "the server's database cannot store a value"
    case .restricted: "a delete rule forbids the removal"
    case .expired: "the transaction is so old that the server may have decided it before"
    case .resolution: "the server's function that resolves conflicts threw an error"
    case .removed: "the object was removed before"
    case .otherObject: "another object has the ID now"
    case .older: "a later write of the object has won"
    case .targetMissing: "the target of a relation does not exist"
    case .resolved: "the server has resolved a conflict with another value"
    }
  }
}
