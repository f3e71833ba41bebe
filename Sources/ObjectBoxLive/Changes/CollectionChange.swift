internal import ObjectBox

/// A change of an observed collection.
///
/// Applying the deletions to the old collection from the last to the first, and then the insertions in their
/// order, gives the new one. An object that has moved, since a value of the order has changed, counts as
/// deleted and inserted.
public enum CollectionChange<Results> {
  /// The collection at the beginning of the observation; the first change.
  case initial(Results)
  /// The collection has changed.
  ///
  /// - `deletions`: positions in the old collection.
  /// - `insertions`: positions in the new collection.
  /// - `modifications`: positions in the old collection of objects that stay, and of which a property has, or
  ///   may have, another value.
  ///
  /// All are ascending. The collection is the new one.
  case update(Results, deletions: [Int], insertions: [Int], modifications: [Int])

  /// The collection after the change.
  public var results: Results {
    switch self {
    case .initial(let results), .update(let results, _, _, _): results
    }
  }
}

extension CollectionChange: Sendable where Results: Sendable {}
