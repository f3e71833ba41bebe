internal import CObjectBoxLMDB

/// A named table of an environment; the handle is valid until the environment closes.
package struct StorageTable: Hashable, Sendable {
  /// The form of a table's keys and values.
  package enum Kind: Sendable {
    /// Keys are native 8-byte object IDs; values are bytes.
    case objects
    /// Keys are bytes, in their order; each has a sorted set of 8-byte object IDs.
    case index
    /// Keys and values are bytes.
    case plain
  }

  let handle: UInt32
  /// Nil for a name that is too long for a read transaction.
  let name: TableName?

  /// The flags of LMDB for a kind.
  package static func flags(of kind: Kind) -> UInt32 {
    switch kind {
    case .objects: UInt32(MDB_INTEGERKEY)
    case .index: UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
    case .plain: 0
    }
  }
}

/// The name of a table, of at most 16 bytes; read transactions read no tables with longer names.
///
/// Has no references, so copying a table costs nothing.
struct TableName: Hashable, Sendable {
  private static let capacity = 16

  private var words: (UInt64, UInt64) = (0, 0)
  private let count: Int

  init?(_ name: String) {
    count = name.utf8.count
    guard count <= Self.capacity else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: name.utf8) }
  }

  static func == (a: Self, b: Self) -> Bool { a.count == b.count && a.words == b.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  /// Passes the bytes of the name to a body.
  func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
    withUnsafeBytes(of: words) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
