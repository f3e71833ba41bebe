/// The rows that a transaction is applied to, as far as the caller has loaded them.
///
/// A database answers from the rows that it has read so far; the conflict function reports what else it needs, see
/// ``Needs``. A store on a device answers everything.
package protocol RowSource {
  /// Returns the object with the given key.
  func row(at key: ObjectKey) throws -> Loaded<Row?>
  /// Returns true if an object had the given key and was removed.
  func hasTombstone(at key: ObjectKey) throws -> Loaded<Bool>
  /// Returns the object that has the given unique values.
  func holder(of unique: UniqueKey) throws -> Loaded<ObjectKey?>
  /// Returns the objects with pairs that lead to the given object.
  func sources(ofPairsTo target: ObjectKey) throws -> Loaded<[ObjectKey]>
  /// Returns the outcome of a transaction that made objects; nil if it had no effect or is unknown.
  func outcome(of maker: TransactionToken) throws -> Loaded<MakerOutcome?>
  /// Returns an unused ID of the entity, a different one for each index.
  func freshID(of entity: EntityUID, index: Int) throws -> Loaded<UInt64>
}

/// An answer of a ``RowSource``.
package enum Loaded<Value: Sendable>: Sendable {
  /// The database's answer.
  case value(Value)
  /// The answer is not loaded yet.
  case missing
}

/// The objects of a transaction that got other identities.
package struct MakerOutcome: Hashable, Sendable {
  /// The changed identities; other objects of the transaction have the keys that it gave them.
  private let identities: [ObjectKey: ObjectIdentity?]

  /// Creates the outcome of a transaction with effects.
  package init(_ identities: [NewIdentity]) {
    self.identities = Dictionary(identities.map { ($0.made, $0.identity) }) { first, _ in first }
  }

  /// Returns the final identity of an object by the key that its transaction gave it: nil if the identity is unchanged,
  /// and a nil within the result if the object was not made.
  package func identity(of made: ObjectKey) -> ObjectIdentity?? { identities[made] }

  /// One of the changed identities, for trials that remove a rule.
  var first: ObjectIdentity?? { identities.first?.value }
}
