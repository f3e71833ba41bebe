internal import ObjectBoxSyncProtocol

/// The stored form of a waiting transaction's operations: objects with the same properties share one list of
/// properties, which takes most of the bytes of a message.
///
/// The number of operations comes first, then parts that begin with a ``Kind``. In a part of several objects, each
/// object has the difference of its ID to the previous object's ID, and its values; 0 ends the part.
enum StoredOperations {
  /// The byte before a transaction in this form.
  ///
  /// A transaction in the form of messages begins with its sequence number, which is not 0.
  static let form: UInt8 = 0

  /// The kinds of parts.
  enum Kind: UInt8 {
    /// One operation in the form of messages.
    case operation
    /// New objects with IDs of the device: the entity, the properties, the objects.
    case inserts
    /// New objects with IDs that the program chose.
    case chosenInserts
    /// Changed objects: the entity, their maker or origin ID, the changed properties, the objects.
    case updates
    /// Changed objects with bases: the properties of the bases come before the objects, and the values of each base
    /// after the object's values.
    case updatesWithBases

    init(_ origin: Operation.IDOrigin) { self = origin == .chosen ? .chosenInserts : .inserts }
  }

  /// Reads operations.
  static func read(from reader: inout WireReader) throws(WireError) -> [Operation] {
    let count = try reader.count()
    var operations: [Operation] = []
    while operations.count < count {
      let byte = try reader.byte()
      switch Kind(rawValue: byte) {
      case .operation: operations.append(try reader.value())
      case .inserts: try readInserts(.assigned, from: &reader, &operations)
      case .chosenInserts: try readInserts(.chosen, from: &reader, &operations)
      case .updates: try readUpdates(hasBases: false, from: &reader, &operations)
      case .updatesWithBases: try readUpdates(hasBases: true, from: &reader, &operations)
      case nil: throw reader.error("\(byte) is no kind of operations")
      }
    }
    guard operations.count == count else {
      throw reader.error("there are \(operations.count) operations in place of \(count)")
    }
    return operations
  }

  private static func readInserts(
    _ origin: Operation.IDOrigin,
    from reader: inout WireReader,
    _ operations: inout [Operation]
  ) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    let properties = try reader.ascendingProperties()
    var last: UInt64 = 0
    while let id = try reader.id(after: last) {
      last = id
      let values = try reader.values(of: properties)
      operations.append(.insert(ObjectKey(entity: entity, id: id), values, origin))
    }
  }

  private static func readUpdates(
    hasBases: Bool,
    from reader: inout WireReader,
    _ operations: inout [Operation]
  ) throws(WireError) {
    let entity = try reader.value(EntityUID.self)
    let maker = try reader.optional(TransactionToken.self)
    let originID: OriginID = if let maker { maker.originID } else { try reader.value() }
    let properties = try reader.ascendingProperties()
    let based = hasBases ? try reader.ascendingProperties() : nil
    var last: UInt64 = 0
    while let id = try reader.id(after: last) {
      last = id
      let key = ObjectKey(entity: entity, id: id)
      let reference =
        maker.map { ObjectReference(key, madeBy: $0) }
        ?? ObjectReference(ObjectIdentity(key: key, originID: originID))
      let values = try reader.values(of: properties)
      let base: PropertyList<PropertyValue>? =
        if let based { try reader.values(of: based) } else { nil }
      operations.append(.update(reference, values, base: base))
    }
  }
}

/// Values of objects that share a list of properties.
extension WireReader {
  /// Reads the properties of objects.
  mutating func ascendingProperties() throws(WireError) -> [PropertyUID] {
    let properties = try values(PropertyUID.self)
    for (property, next) in zip(properties, properties.dropFirst()) where property >= next {
      throw error("the properties of objects are not in ascending order")
    }
    return properties
  }

  /// Reads the ID of the next object; nil after the last one.
  mutating func id(after last: UInt64) throws(WireError) -> UInt64? {
    let difference = try number()
    if difference == 0 { return nil }
    let (id, isTooGreat) = last.addingReportingOverflow(difference)
    guard !isTooGreat, id <= UInt64(Int64.max) else {
      throw error("an ID is greater than that of any object")
    }
    return id
  }

  /// Reads the values of an object.
  mutating func values(
    of properties: [PropertyUID]
  ) throws(WireError) -> PropertyList<PropertyValue> {
    var values: [PropertyValue] = []
    values.reserveCapacity(properties.count)
    for _ in properties { values.append(try value()) }
    return PropertyList(ascending: properties) { values[$0] }
  }
}
