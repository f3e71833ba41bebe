/// A digest of the rows of the system table that describe the other tables.
///
/// It is the CRC-32C of all keys and values in order, each after its size as 4 bytes.
package struct SchemaDigest {
  package static let key = "digest"
  package static let sequencePrefix = "sequence/"

  private var state = UInt32.max

  /// The digest of no rows.
  package init() {}

  /// Adds a row, unless it is the digest itself or an ID sequence, which changes with the objects.
  package mutating func add(_ key: [UInt8], _ value: [UInt8]) {
    guard !key.elementsEqual(Self.key.utf8), !key.starts(with: Self.sequencePrefix.utf8) else {
      return
    }
    add(key)
    add(value)
  }

  private mutating func add(_ bytes: [UInt8]) {
    let size = ByteCoder.bytes(of: UInt32(truncatingIfNeeded: bytes.count))
    state = CRC32C.state(CRC32C.state(state, size), bytes)
  }

  package var value: UInt32 { ~state }
}
