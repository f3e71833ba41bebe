/// A change in the server log, as the triggers write it.
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
  /// A change of pairs has the source object's values at its statement, which can be outdated when it commits. They
  /// show only what a device may have.
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

  /// Passes the values before the change to a body, then the values after it that differ.
  ///
  /// It is in this module, since another module would run the generic lists unspecialized. It takes an address, since a
  /// copy of an entry retains its lists: that took a third of the time of matching a change.
  ///
  /// - Parameters:
  ///   - entry: The entry; it must not change during the call.
  ///   - body: Gets a property and a value.
  /// - Returns: False for a change of pairs, which has no values.
  package static func forEachValue(
    of entry: UnsafePointer<LogEntry>,
    _ body: (PropertyUID, PropertyValue) -> Void
  ) -> Bool {
    if case nil = entry.pointee.before, case nil = entry.pointee.after { return false }
    let before = entry.pointee.before?.elements ?? []
    let after = entry.pointee.after?.elements ?? []
    before.withUnsafeBufferPointer { before in
      for place in before.indices { body(before[place].property, before[place].value) }
      after.withUnsafeBufferPointer { after in
        for place in after.indices {
          // Most changes leave the compared values as they are.
          if place < before.count, before[place].property == after[place].property,
            before[place].value == after[place].value
          {
            continue
          }
          body(after[place].property, after[place].value)
        }
      }
    }
    return true
  }
}
