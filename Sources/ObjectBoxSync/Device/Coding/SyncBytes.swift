internal import ObjectBoxSyncProtocol

/// Writes values of the protocol as bytes of the table `sync`; numbers are big-endian, so that keys
/// are in the order of their numbers.
struct SyncBytes {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Begins with the letter of a kind of rows.
  init(_ kind: SyncTable.Kind) { bytes.append(kind.rawValue) }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ isTrue: Bool) { append(isTrue ? 1 as UInt8 : 0) }

  mutating func append(_ key: ObjectKey) {
    append(key.entity.value)
    append(key.id)
  }

  mutating func append(_ bits: Identifier128) {
    append(bits.high)
    append(bits.low)
  }

  mutating func append(raw more: [UInt8]) { bytes += more }

  /// Appends a flag whether there is a value, and the value.
  mutating func append<T>(_ value: T?, _ body: (inout Self, T) -> Void) {
    append(value != nil)
    if let value { body(&self, value) }
  }

  /// Appends the number of elements, and each of them.
  mutating func append<T>(_ values: some Collection<T>, _ body: (inout Self, T) -> Void) {
    append(UInt32(values.count))
    for value in values { body(&self, value) }
  }
}

/// Reads what ``SyncBytes`` has written.
struct SyncBytesReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8], at place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(SyncTable.Damage) -> T
  {
    let size = MemoryLayout<T>.size
    guard bytes.count - place >= size else { throw SyncTable.Damage() }
    var value: T = 0
    for byte in bytes[place..<place + size] {
      value = (size == 1 ? 0 : value << 8) | T(truncatingIfNeeded: byte)
    }
    place += size
    return value
  }

  mutating func flag() throws(SyncTable.Damage) -> Bool { try number(UInt8.self) != 0 }

  mutating func key() throws(SyncTable.Damage) -> ObjectKey {
    ObjectKey(entity: EntityUID(try number()), id: try number())
  }

  mutating func identifier() throws(SyncTable.Damage) -> Identifier128 {
    Identifier128(high: try number(), low: try number())
  }

  mutating func token() throws(SyncTable.Damage) -> TransactionToken {
    TransactionToken(try identifier())
  }

  mutating func raw(_ count: Int) throws(SyncTable.Damage) -> [UInt8] {
    guard count >= 0, bytes.count - place >= count else { throw SyncTable.Damage() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func optional<T>(
    _ body: (inout Self) throws(SyncTable.Damage) -> T
  ) throws(SyncTable.Damage) -> T? {
    try flag() ? try body(&self) : nil
  }

  mutating func list<T>(
    _ body: (inout Self) throws(SyncTable.Damage) -> T
  ) throws(SyncTable.Damage) -> [T] {
    let count = Int(try number(UInt32.self))
    // Each element has a byte at least.
    guard count <= bytes.count - place else { throw SyncTable.Damage() }
    var values: [T] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }
}
