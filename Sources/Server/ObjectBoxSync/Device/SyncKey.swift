internal import ObjectBoxSyncProtocol

/// A key of a ``SyncTable``: the letter of its kind, then big-endian numbers, so that keys sort by their numbers.
struct SyncKey: CustomStringConvertible {
  private(set) var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ kind: SyncTable.Kind) { bytes = [kind.rawValue] }

  init(_ kind: SyncTable.Kind, _ number: UInt64) {
    bytes = Array(unsafeUninitializedCapacity: 9) { room, count in
      room[0] = kind.rawValue
      Self.set(number, in: room, at: 1)
      count = 9
    }
  }

  init(_ kind: SyncTable.Kind, _ first: UInt64, _ second: UInt64) {
    bytes = Array(unsafeUninitializedCapacity: 17) { room, count in
      room[0] = kind.rawValue
      Self.set(first, in: room, at: 1)
      Self.set(second, in: room, at: 9)
      count = 17
    }
  }

  init(_ kind: SyncTable.Kind, _ key: ObjectKey) { self.init(kind, key.entity.value, key.id) }

  private static func set(
    _ number: UInt64,
    in room: UnsafeMutableBufferPointer<UInt8>,
    at place: Int
  ) {
    UnsafeMutableRawBufferPointer(room)
      .storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt64.self)
  }

  /// Returns true if another key has the same kind and the same first number.
  func hasSameStart(as key: UnsafeRawBufferPointer) -> Bool {
    guard key.count >= 9, bytes.count >= 9, key[0] == bytes[0] else { return false }
    return bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
        == key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    }
  }

  mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ key: ObjectKey) {
    append(key.entity.value)
    append(key.id)
  }

  /// Returns one of the numbers; 0 if the key is shorter.
  func number(_ index: Int) -> UInt64 {
    bytes.dropFirst(1 + 8 * index).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns an object whose entity is the number with the given index.
  func object(at index: Int = 0) -> ObjectKey {
    ObjectKey(entity: EntityUID(number(index)), id: number(index + 1))
  }

  /// The kind and the numbers.
  var description: String {
    let kind = bytes.first.flatMap(SyncTable.Kind.init).map { "\($0)" } ?? "of an unknown kind"
    let numbers = (0..<bytes.count / 8).map { "\(number($0))" }
    return "'\(([kind] + numbers).joined(separator: " "))'"
  }
}
