internal import ObjectBox

/// A change of an observed collection.
///
/// To get the new collection from the old one, apply the deletions from last to first, then the
/// insertions in order. An object that has moved, because a value of the order changed, counts as
/// deleted and inserted.
public enum CollectionChange<Results> {
  /// The initial collection; always the first change.
  case initial(Results)
  /// The collection has changed; it is passed in its new state.
  ///
  /// - `deletions`: positions in the old collection.
  /// - `insertions`: positions in the new collection.
  /// - `modifications`: positions in the old collection of remaining objects with a property that
  ///   has, or may have, another value.
  ///
  /// All lists ascend.
  case update(Results, deletions: [Int], insertions: [Int], modifications: [Int])

  /// The collection after the change.
  public var results: Results {
    switch self {
    case .initial(let results), .update(let results, _, _, _): results
    }
  }
}

extension CollectionChange: Sendable where Results: Sendable {}
