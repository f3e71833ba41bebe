/// Compares two versions of a model.
///
/// Elements with the same UID are the same.
package enum ModelComparison {
  /// Returns every difference, with its effect on stored data.
  ///
  /// The order is the new model's: each entity, then its properties and relations. Elements that
  /// are gone come last. Retired UIDs and the pool of new UIDs are not compared, since no store
  /// holds them.
  package static func differences(
    from old: ModelDocument,
    to new: ModelDocument
  ) -> [ModelDifference] {
    let (before, after) = (ModelSide(model: old), ModelSide(model: new))
    return ModelPair(old: old, new: new, before: before, after: after).differences
  }
}
