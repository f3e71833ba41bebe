internal import ObjectBoxSyncProtocol

extension SyncBytes {
  mutating func append(_ time: HybridTime) {
    append(time.milliseconds)
    append(time.counter)
  }

  mutating func append(_ stamp: Stamp) {
    append(stamp.precedence)
    append(stamp.time)
    append(stamp.token.bits)
  }

  mutating func append(_ reference: ObjectReference) {
    append(reference.key)
    append(reference.identity.birth.bits)
    append(reference.maker) { $0.append($1.bits) }
  }

  mutating func append(_ value: PropertyValue) {
    switch value {
    case .null: append(0 as UInt8)
    case .integer(let number):
      append(1 as UInt8)
      append(number)
    case .double(let bits):
      append(2 as UInt8)
      append(bits)
    case .bytes(let bytes):
      append(3 as UInt8)
      append(UInt32(bytes.count))
      append(raw: bytes)
    case .target(let reference):
      append(4 as UInt8)
      append(reference)
    }
  }

  mutating func append(_ values: PropertyList<PropertyValue>) {
    append(values.elements) {
      $0.append($1.property.value)
      $0.append($1.value)
    }
  }

  /// Appends the part of a row that its record lacks.
  mutating func append(marksOf row: Row) {
    append(row.birth.bits)
    append(row.stamp)
    append(row.stamps.elements) {
      $0.append($1.property.value)
      $0.append($1.value)
    }
    append(row.pairs) {
      $0.append($1.relation.value)
      $0.append($1.target)
      $0.append($1.dot.bits)
    }
  }

  mutating func append(_ row: Row) {
    append(marksOf: row)
    append(row.values)
  }
}

extension SyncBytesReader {
  mutating func time() throws(SyncTable.Damage) -> HybridTime {
    HybridTime(milliseconds: try number(), counter: try number())
  }

  mutating func stamp() throws(SyncTable.Damage) -> Stamp {
    Stamp(precedence: try number(), time: try time(), token: try token())
  }

  mutating func reference() throws(SyncTable.Damage) -> ObjectReference {
    let key = try key()
    let birth = BirthMark(try number())
    guard let maker = try optional({ (reader) throws(SyncTable.Damage) in try reader.token() })
    else { return ObjectReference(ObjectIdentity(key: key, birth: birth)) }
    return ObjectReference(key, madeBy: maker)
  }

  mutating func value() throws(SyncTable.Damage) -> PropertyValue {
    switch try number(UInt8.self) {
    case 0: return .null
    case 1: return .integer(try number())
    case 2: return .double(bits: try number())
    case 3: return .bytes(try raw(Int(try number(UInt32.self))))
    case 4: return .target(try reference())
    default: throw SyncTable.Damage()
    }
  }

  mutating func values() throws(SyncTable.Damage) -> PropertyList<PropertyValue> {
    PropertyList(
      try list { (reader) throws(SyncTable.Damage) in
        (PropertyUID(try reader.number()), try reader.value())
      }
    )
  }

  /// Reads the part of a row that its record lacks.
  mutating func marks() throws(SyncTable.Damage) -> Row {
    let birth = BirthMark(try number())
    let stamp = try stamp()
    let stamps = try list { (reader) throws(SyncTable.Damage) in
      (PropertyUID(try reader.number()), try reader.stamp())
    }
    let pairs = try list { (reader) throws(SyncTable.Damage) in
      Pair(
        relation: PropertyUID(try reader.number()),
        target: try reader.key(),
        dot: try reader.token()
      )
    }
    return Row(
      birth: birth,
      values: PropertyList(),
      stamp: stamp,
      stamps: PropertyList(stamps),
      pairs: pairs
    )
  }

  mutating func row() throws(SyncTable.Damage) -> Row {
    var row = try marks()
    row.values = try values()
    return row
  }
}
