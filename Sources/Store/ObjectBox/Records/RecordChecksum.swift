internal import CObjectBoxRecords

/// The checksums at the ends of an entity's records, which reveal damaged and misplaced records.
///
/// A checksum is the CRC-32C of the entity's UID, the object's ID and the bytes of the record. A
/// processor instruction computes it. It uses the UID of the entity because a restored entity may
/// have another ID.
package struct RecordChecksum: Hashable, Sendable {
  /// The size of a checksum in bytes.
  package static let size = 4
  /// The maximum size in bytes of a record that is checked each time a value is read in place.
  package static let sizeCheckedInPlace = 1024

  /// The state of the CRC after the UID.
  private let seed: UInt32

  package init(entityUID: UInt64) {
    seed = CRC32C.state(.max, withUnsafeBytes(of: entityUID.littleEndian) { [UInt8]($0) })
  }

  private func value(_ bytes: UnsafeRawPointer, _ count: Int, id: UInt64) -> UInt32 {
    obx_record_checksum(seed, id, bytes, count)
  }

  /// Writes the checksum of the first `count` bytes after these bytes.
  func write(behind count: Int, of record: UnsafeMutableRawPointer, id: UInt64) {
    record.storeBytes(
      of: value(record, count, id: id).littleEndian,
      toByteOffset: count,
      as: UInt32.self
    )
  }

  /// Replaces the checksum of a record whose values have changed.
  package func update(_ record: UnsafeMutableRawBufferPointer, id: UInt64) {
    guard let base = record.baseAddress, record.count >= Self.size else { return }
    write(behind: record.count - Self.size, of: base, id: id)
  }

  /// Returns whether the last bytes of a record are its checksum.
  package func isRight(_ record: UnsafeRawPointer, size: Int, id: UInt64) -> Bool {
    let count = size - Self.size
    guard count >= 0 else { return false }
    let found = UInt32(littleEndian: record.loadUnaligned(fromByteOffset: count, as: UInt32.self))
    return found == value(record, count, id: id)
  }
}

/// Computes the CRC-32C of a few bytes, on any processor.
enum CRC32C {
  /// Returns the state after some bytes; the first state has all bits set.
  static func state(_ crc: UInt32, _ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { obx_crc32c_by_table(crc, $0.baseAddress, $0.count) }
  }
}
