internal import Foundation

/// UUIDs as 16 bytes, in the order in which RFC 4122 writes them: byte order is the order of the texts.
enum UUIDCodec {
  /// What a property without a value reads as when its type is not optional.
  static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  static func bytes(of uuid: UUID) -> [UInt8] {
    withUnsafeBytes(of: uuid.uuid) { Array($0) }
  }

  /// Returns nil unless there are 16 bytes: others are no UUID.
  @inline(__always)
  static func uuid(in bytes: UnsafeRawBufferPointer) -> UUID? {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
