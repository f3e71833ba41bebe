internal import ObjectBoxSyncProtocol

/// Writes the hub's values of several parts as bytes.
struct HubBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) { bytes += number.bytes }

  mutating func append(_ bits: Identifier128) {
    append(bits.high)
    append(bits.low)
  }

  mutating func append(_ key: ObjectKey) {
    append(key.entity.value)
    append(key.id)
  }

  mutating func append(_ stamp: Stamp) {
    append(stamp.precedence)
    append(stamp.time.milliseconds)
    append(stamp.time.counter)
    append(stamp.token.bits)
  }
}

/// Reads what ``HubBytes`` has written.
struct HubBytesReader {
  private var bytes: ArraySlice<UInt8>
  private let title: String

  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - title: What they are, for errors.
  init(_ bytes: [UInt8], _ title: String) {
    self.bytes = bytes[...]
    self.title = title
  }

  var isAtEnd: Bool { bytes.isEmpty }

  func corrupt() -> HubError {
    .corrupt(
      message:
        "\(title) in the hub's tables has a form that this version does not know; update this program, or restore the row"
    )
  }

  mutating func number<T: FixedWidthInteger>(_ type: T.Type = T.self) throws -> T {
    let size = MemoryLayout<T>.size
    guard bytes.count >= size else { throw corrupt() }
    defer { bytes = bytes.dropFirst(size) }
    return bytes.prefix(size).reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
  }

  mutating func identifier() throws -> Identifier128 {
    Identifier128(high: try number(), low: try number())
  }

  mutating func key() throws -> ObjectKey {
    ObjectKey(entity: EntityUID(try number()), id: try number())
  }

  mutating func stamp() throws -> Stamp {
    let precedence: Int64 = try number()
    let milliseconds: Int64 = try number()
    let counter: UInt32 = try number()
    return Stamp(
      precedence: precedence,
      time: HybridTime(milliseconds: milliseconds, counter: counter),
      token: TransactionToken(try identifier())
    )
  }
}

extension Stamp {
  /// The stamp of objects that no device wrote.
  static let none = Stamp(
    time: .distantPast,
    token: TransactionToken(Identifier128(high: 0, low: 0))
  )

  /// The bytes in the hub's tables.
  var hubBytes: [UInt8] {
    var writer = HubBytes()
    writer.append(self)
    return writer.bytes
  }
}
