/// A change in the hub's log, as triggers write it.
package struct LogEntry: Hashable, Sendable {
  /// The number of the changing transaction.
  package let transaction: UInt64
  /// The changed object.
  package let key: ObjectKey
  /// The values of the scopes' properties before the change; nil for an insert.
  package let before: PropertyList<PropertyValue>?
  /// The values of the scopes' properties after the change; nil for a removal.
  package let after: PropertyList<PropertyValue>?

  /// Creates an entry.
  ///
  /// A change of pairs has the values of the source object at its statement, which can be too old
  /// when it commits. They only tell what a device may have.
  package init(
    transaction: UInt64,
    key: ObjectKey,
    before: PropertyList<PropertyValue>?,
    after: PropertyList<PropertyValue>?
  ) {
    self.transaction = transaction
    self.key = key
    self.before = before
    self.after = after
  }
}
