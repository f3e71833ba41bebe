extension [Range<UInt64>] {
  /// Takes the first ID; nil when there is none.
  mutating func takeFirstID() -> UInt64? {
    guard let first else { return nil }
    if first.count == 1 {
      removeFirst()
    } else {
      self[0] = first.lowerBound + 1..<first.upperBound
    }
    return first.lowerBound
  }
}

/// The put of an object that another object refers to.
struct QueuedRow {
  /// Encodes the object.
  let store: () throws -> Void
  /// Sets the object's ID and relations, once all objects that it refers to are encoded.
  let finish: () throws -> Void
}

/// The objects of a relation that replace all others.
struct ReplacedRelation {
  /// The entity of the related objects.
  let entity: UInt32
  var kept: Set<UInt64> = []
}
