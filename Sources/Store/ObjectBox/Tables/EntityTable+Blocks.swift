internal import Synchronization

/// IDs that synchronization has reserved for new objects of this store, so that devices rarely
/// choose the same ID.
extension EntityTable {
  /// The reserved IDs that are left, in the order of their use.
  package var blocks: [Range<UInt64>] { idBlocks.copy }

  /// Changes the reserved IDs; if there are none, new objects get IDs of the sequence.
  package func changeBlocks(_ change: (inout [Range<UInt64>]) -> Void) {
    idBlocks.withLock { blocks in
      change(&blocks)
      blocks.removeAll(where: \.isEmpty)
      hasBlocks.store(!blocks.isEmpty, ordering: .releasing)
    }
  }

  /// Gives out the next ID: the first reserved ID that no object has, or else the next ID of the sequence.
  ///
  /// - Parameter isTaken: Returns whether an object has an ID. Copies of a store have the same
  ///   reserved IDs.
  /// - Returns: The ID.
  /// - Throws: Errors of `isTaken`; errors as for `takeID`.
  func takeFreeID(_ isTaken: (UInt64) throws -> Bool) throws -> UInt64 {
    while hasBlocks.load(ordering: .acquiring), let id = takeBlockID() {
      // No object has an ID above the highest one.
      if id <= highestID, try isTaken(id) { continue }
      raise(to: id)
      return id
    }
    return try takeID()
  }

  private func takeBlockID() -> UInt64? {
    idBlocks.withLock { blocks in
      guard let first = blocks.first else { return nil }
      let id = first.lowerBound
      if first.count == 1 { blocks.removeFirst() } else { blocks[0] = id + 1..<first.upperBound }
      return id
    }
  }
}
