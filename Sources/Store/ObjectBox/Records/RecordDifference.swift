internal import ObjectBoxStorage

/// A set of properties, by their indexes in the schema of the entity.
///
/// The last bit stands for all indexes from 63 on.
package struct PropertySet: OptionSet, Hashable, Sendable {
  package var rawValue: UInt64

  package static let all = Self(rawValue: .max)

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  package init(index: Int) {
    rawValue = 1 << UInt64(min(index, 63))
  }
}

/// Finds the properties that differ between two records of an object.
package enum RecordDifference {
  /// Returns the properties whose values differ; the two records may have different layouts.
  static func properties(
    _ old: RecordReader,
    _ new: RecordReader,
    of entity: EntitySchema
  ) -> PropertySet {
    var changed = PropertySet()
    for (index, property) in entity.properties.enumerated()
    where !isEqual(old, new, propertyID: property.identity.id) {
      changed.formUnion(PropertySet(index: index))
    }
    return changed
  }

  package static func isEqual(
    _ old: RecordReader,
    _ new: RecordReader,
    propertyID: UInt32
  ) -> Bool {
    let (first, second) = (old.field(propertyID: propertyID), new.field(propertyID: propertyID))
    switch second.kind {
    case .objectID: return true
    case .absent: return first.kind == .absent
    case .float32, .float64:
      // Compared as bit patterns: a NaN must equal itself.
      return old.double(first)?.bitPattern == new.double(second)?.bitPattern
    case .integer8, .integer16, .integer32, .integer64:
      return old.integer(first) == new.integer(second)
    case .variable, .firstVariable:
      guard let a = old.bytes(first), let b = new.bytes(second) else {
        return old.bytes(first) == nil && new.bytes(second) == nil
      }
      return ByteSearch.areEqual(a, b)
    }
  }
}
