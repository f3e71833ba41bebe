/// A range of IDs of one entity.
package struct KeyRange: Hashable, Sendable {
  /// The greatest ID that an object can have.
  package static let greatestID = UInt64(Int64.max)

  /// The entity.
  package let entity: EntityUID
  /// The IDs, from 1 to ``greatestID``.
  package let ids: ClosedRange<UInt64>

  /// Creates a range.
  package init(_ entity: EntityUID, _ ids: ClosedRange<UInt64>) {
    self.entity = entity
    self.ids = ids
  }

  /// Creates the range of all IDs of an entity.
  package init(allOf entity: EntityUID) { self.init(entity, 1...Self.greatestID) }

  /// Returns true if the key is in the range.
  package func contains(_ key: ObjectKey) -> Bool {
    key.entity == entity && ids.contains(key.id)
  }

  /// Returns true if all keys of the range come before a key.
  package func ends(before key: ObjectKey) -> Bool {
    entity != key.entity ? entity < key.entity : ids.upperBound < key.id
  }

  /// Returns true if the range begins at a lower key than another one.
  package func begins(before other: Self) -> Bool {
    entity != other.entity ? entity < other.entity : ids.lowerBound < other.ids.lowerBound
  }

  /// Returns true if a range begins with the ID after this one.
  package func touches(_ next: Self) -> Bool {
    entity == next.entity && next.ids.lowerBound > ids.upperBound
      && next.ids.lowerBound - ids.upperBound == 1
  }
}

extension Array where Element == KeyRange {
  /// The ranges, with ranges that touch joined; they must be in ascending order.
  package var joined: Self {
    var joined: Self = []
    for range in self {
      if let last = joined.last, last.touches(range) {
        joined[joined.count - 1] = KeyRange(
          last.entity,
          last.ids.lowerBound...range.ids.upperBound
        )
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
