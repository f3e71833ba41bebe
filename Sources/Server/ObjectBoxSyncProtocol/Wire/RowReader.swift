/// Reads the objects of a ``RowBatch`` one after the other.
package struct RowReader {
  /// The value of a property; bytes are not copied.
  package enum Field: Sendable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case double(bits: UInt64)
    /// The place of bytes.
    case bytes(Range<Int>)
    /// The place where the target of a to-one relation is written.
    case target(at: Int)
  }

  private var reader: WireReader
  private var left: Int
  /// The key of the object.
  package private(set) var key = ObjectKey(entity: EntityUID(0), id: 0)
  /// The properties of the object and those after it, in ascending order.
  package private(set) var properties: [PropertyUID] = []
  private var hasHead = false
  /// The origin ID of the object.
  package private(set) var originID = OriginID(0)
  /// The stamp of the object.
  package private(set) var stamp = Stamp.none
  /// True if the object has the same origin ID and stamp as the previous one, and neither of them has pairs or stamps
  /// of properties.
  package private(set) var hasSameVersions = false
  /// The stamps of single properties.
  package private(set) var stamps = PropertyList<Stamp>()
  /// The pairs from the object, in ascending order.
  package private(set) var pairs: [Pair] = []
  /// The values of the properties.
  package private(set) var fields: [Field] = []
  /// The greatest time of the objects' stamps so far.
  private(set) var latest = HybridTime.distantPast

  init(_ reader: WireReader, count: Int) {
    self.reader = reader
    left = count
  }

  /// The position after the last object.
  var end: WireReader { reader }

  /// Goes to the next object.
  ///
  /// - Returns: False after the last object.
  /// - Throws: ``WireError`` for malformed bytes.
  package mutating func next() throws(WireError) -> Bool {
    guard left > 0 else { return false }
    left -= 1
    let byte = try reader.byte()
    let parts = RowBatch.Content(rawValue: byte)
    guard parts.isSubset(of: .all), hasHead || parts.contains(.head) else {
      throw reader.error("\(byte) is no form of an object")
    }
    if parts.contains(.head) { try readHead() }
    let (id, isTooGreat) = key.id.addingReportingOverflow(try reader.number())
    guard !isTooGreat, id > key.id, id <= KeyRange.greatestID else {
      throw reader.error("an object has an ID that no object has there")
    }
    key = ObjectKey(entity: key.entity, id: id)
    // Most objects have only values.
    hasSameVersions = parts.isEmpty && stamps.isEmpty && pairs.isEmpty
    if !hasSameVersions { try readVersions(parts) }
    for index in fields.indices { fields[index] = try reader.field() }
    return true
  }

  private mutating func readHead() throws(WireError) {
    key = ObjectKey(entity: try reader.value(), id: 0)
    properties = try reader.values()
    for (property, next) in zip(properties, properties.dropFirst()) where property >= next {
      throw reader.error("the properties of objects are not in ascending order")
    }
    fields = Array(repeating: .null, count: properties.count)
    hasHead = true
    originID = OriginID(0)
    stamp = .none
  }

  private mutating func readVersions(_ parts: RowBatch.Content) throws(WireError) {
    if parts.contains(.originID) { originID = try reader.value() }
    if parts.contains(.stamp) {
      stamp = try reader.value()
      latest = max(latest, stamp.time)
    }
    if parts.contains(.stamps) {
      stamps = try reader.value()
      for element in stamps.elements { latest = max(latest, element.value.time) }
    } else if !stamps.isEmpty {
      stamps = PropertyList()
    }
    if parts.contains(.pairs) {
      pairs = try reader.pairs()
    } else if !pairs.isEmpty {
      pairs = []
    }
  }

  /// The object without its values; see ``Row/versions``.
  package var versions: Row {
    Row(originID: originID, values: PropertyList(), stamp: stamp, stamps: stamps, pairs: pairs)
  }

  /// Returns the object.
  ///
  /// - Throws: ``WireError`` for malformed bytes.
  package func row() throws(WireError) -> Row {
    var values = PropertyList<PropertyValue>()
    values.reserve(fields.count)
    for (property, field) in zip(properties, fields) {
      _ = values.append(try reader.value(of: field), at: property)
    }
    return Row(originID: originID, values: values, stamp: stamp, stamps: stamps, pairs: pairs)
  }
}

extension WireReader {
  /// Reads a value of a property without copying its bytes.
  fileprivate mutating func field() throws(WireError) -> RowReader.Field {
    switch try byte() {
    case PropertyValue.Kind.null: return .null
    case PropertyValue.Kind.integer: return .integer(try signed())
    case PropertyValue.Kind.double: return .double(bits: try bits())
    case PropertyValue.Kind.bytes:
      let count = try count()
      return .bytes(try skip(count))
    case PropertyValue.Kind.target:
      let place = offset
      _ = try value(ObjectReference.self)
      return .target(at: place)
    case let kind: throw error("\(kind) is no kind of a property's value")
    }
  }

  /// Returns the value that ``field()`` has read.
  fileprivate func value(of field: RowReader.Field) throws(WireError) -> PropertyValue {
    switch field {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .double(let bits): return .double(bits: bits)
    case .bytes(let place): return .bytes(self[place])
    case .target(let place):
      var reader = self
      reader.offset = place
      return .target(try reader.value())
    }
  }
}
