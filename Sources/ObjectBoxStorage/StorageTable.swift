internal import CObjectBoxLMDB

/// A named table of an environment; a handle that stays valid until the environment closes.
package struct StorageTable: Hashable, Sendable {
  /// The form of a table's keys and values.
  package enum Kind: Sendable {
    /// Keys are native 8-byte object IDs, values are bytes.
    case objects
    /// Keys are bytes in their order, each with a sorted set of 8-byte object IDs.
    case index
    /// Keys and values are bytes.
    case plain
  }

  let handle: UInt32

  static func flags(of kind: Kind) -> UInt32 {
    switch kind {
    case .objects: UInt32(MDB_INTEGERKEY)
    case .index: UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
    case .plain: 0
    }
  }
}
