extension Applier {
  /// Returns the final identity of an object, or nil if it was not made.
  mutating func identity(of reference: ObjectReference) throws -> ObjectIdentity? {
    guard let maker = reference.maker, ProtocolRule.makers.holds else { return reference.identity }
    if maker == transaction.token {
      guard let place = identityPlaces[reference.key] else { return reference.identity }
      return identities[place].identity
    }
    guard let outcome = try overlay.outcome(of: maker) else { return nil }
    guard let new = outcome.identity(of: reference.key) else { return reference.identity }
    return new
  }

  /// Returns the object that the reference identifies, or the reason why there is none.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - withAddedPairs: False for a row that may lack pairs which the transaction has added.
  /// - Returns: The object or the reason.
  /// - Throws: Errors of the source.
  mutating func find(_ reference: ObjectReference, withAddedPairs: Bool = true) throws -> Found {
    guard let identity = try identity(of: reference) else {
      return .missing(reference.key, .deleted, nil)
    }
    let found =
      withAddedPairs
      ? try overlay.row(at: identity.key) : try overlay.rowWithoutAddedPairs(at: identity.key)
    guard let row = found else {
      return .missing(identity.key, .deleted, identity)
    }
    if row.originID != identity.originID, ProtocolRule.originIDs.holds {
      return .missing(identity.key, .otherObject, identity)
    }
    return .object(identity.key, row)
  }

  /// Returns the object that an operation changes, or nil after reporting why there is none.
  mutating func findToWrite(
    _ reference: ObjectReference,
    withAddedPairs: Bool = true
  ) throws -> (key: ObjectKey, row: Row)? {
    switch try find(reference, withAddedPairs: withAddedPairs) {
    case .object(let key, let row):
      mean(key)
      return (key, row)
    case .missing(let key, let reason, _):
      drop(key, reason)
      return nil
    }
  }

  /// Replaces the targets among values by their IDs, and missing targets by 0.
  ///
  /// A device does not see all objects, so it checks only whether the target was made.
  mutating func resolveTargets(
    of values: PropertyList<PropertyValue>,
    in key: ObjectKey
  ) throws -> PropertyList<PropertyValue> {
    var result = values
    for element in values.elements {
      guard case .target(let target) = element.value else { continue }
      var id: UInt64 = 0
      switch (try find(target), side) {
      case (.object(let key, _), _): id = key.id
      case (.missing(_, _, let identity?), .device): id = identity.key.id
      case (.missing, _): drop(key, .targetMissing)
      }
      result[element.property] = .integer(Int64(bitPattern: id))
    }
    return result
  }
}

/// The result of following a reference.
enum Found {
  case object(ObjectKey, Row)
  /// The key where the object should be, the reason, and the identity if the object was ever made.
  case missing(ObjectKey, DroppedOperation.Reason, ObjectIdentity?)
}
