internal import ObjectBox

/// The state of an observer of one object.
struct ObjectTracker: ObserverTracker {
  let interest: ChangeInterest
  private let table: EntityTable
  private let id: UInt64
  private let properties: PropertySet
  /// The record at the last version; nil before the beginning and after the removal of the object.
  private var record: [UInt8]?

  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init<E>(_ id: EntityId<E>, in box: Box<E>, properties: [any ObservedProperty<E>]?) throws {
    table = try box.table()
    self.id = id.value
    interest = .object(table: table.number, id: id.value)
    self.properties = try PropertySet(properties, in: table.schema)
  }

  /// True after the removal of the object; a new object with the same ID is not followed.
  var isOver: Bool { record == nil }

  private func record(at pin: PinnedRead) throws -> [UInt8]? {
    try pin.reading {
      guard let transaction = ThreadContext.current.state(for: pin.transactions).current else {
        return nil
      }
      return try table.bytes(of: id, in: transaction.storage)
    }
  }

  /// Throws ``ObjectBoxError/unmanagedObject(message:)`` when the object does not exist.
  mutating func begin(at pin: PinnedRead) throws -> ObjectChange? {
    record = try record(at: pin)
    guard record != nil else {
      throw ObjectBoxError.unmanagedObject(
        message:
          "there is no object of '\(table.name)' with ID \(id) to observe; put it first"
      )
    }
    return nil
  }

  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> ObjectChange? {
    guard let old = record else { return nil }
    let new = try record(at: pin)
    record = new
    // Silent changes alone are not a step; in a mixed commit the two kinds cannot be separated.
    guard changes != nil else { return nil }
    guard let new else { return .deleted }
    let differences = try difference(old, new)
    return differences.isEmpty ? nil : .change(differences)
  }

  private func difference(_ old: [UInt8], _ new: [UInt8]) throws -> [PropertyChange] {
    try old.withUnsafeBytes { old in
      try new.withUnsafeBytes { new in
        let old = try table.records.reader(old, id: id)
        let new = try table.records.reader(new, id: id)
        return table.schema.properties.enumerated().compactMap { index, property in
          let propertyID = property.identity.id
          guard properties.contains(PropertySet(index: index)),
            !RecordDifference.isEqual(old, new, propertyID: propertyID)
          else { return nil }
          return PropertyChange(
            name: property.name,
            oldValue: old.value(of: property),
            newValue: new.value(of: property)
          )
        }
      }
    }
  }
}
