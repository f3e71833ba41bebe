/// A range of IDs of one entity whose objects are compared together.
package struct DigestRange: Hashable, Comparable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The range's position: its first ID divided by the width of ranges.
  package let index: UInt64

  /// Creates the range that contains a key.
  package init(containing key: ObjectKey, width: UInt64) {
    self.entity = key.entity
    self.index = key.id / max(width, 1)
  }

  /// Creates the range at a position.
  package init(entity: EntityUID, index: UInt64) {
    self.entity = entity
    self.index = index
  }

  /// Orders ranges by entity, then by position.
  package static func < (left: Self, right: Self) -> Bool {
    left.entity != right.entity ? left.entity < right.entity : left.index < right.index
  }
}

/// Hashes of the objects in ranges of IDs.
package struct RangeDigests: Hashable, Sendable {
  /// The number of IDs in a range.
  package let width: UInt64
  /// The sum of the objects' hashes by range; ranges without objects are left out.
  package private(set) var sums: [DigestRange: UInt64]

  /// Creates digests.
  ///
  /// - Parameters:
  ///   - width: The number of IDs in a range, at least 1.
  ///   - sums: The sums so far.
  package init(width: UInt64, sums: [DigestRange: UInt64] = [:]) {
    self.width = width
    self.sums = sums
  }

  /// Adds an object.
  package mutating func add(_ row: Row, at key: ObjectKey) {
    sums[DigestRange(containing: key, width: width), default: 0] &+= row.digest(at: key)
  }

  /// Returns the ranges that differ from those of a device.
  package func differing(from device: Self) -> Set<DigestRange> {
    var ranges: Set<DigestRange> = []
    for (range, sum) in sums where device.sums[range] != sum { ranges.insert(range) }
    guard ProtocolRule.digestsOfEmptyRanges.holds else { return ranges }
    for range in device.sums.keys where sums[range] == nil { ranges.insert(range) }
    return ranges
  }
}
