/// Compares two versions of a model; elements are the same when their UIDs are.
package enum ModelComparison {
  /// Returns every difference, with its effect on stored data.
  ///
  /// The order is that of the new model, each entity followed by its properties and relations, then
  /// the elements that are gone. Retired UIDs and the pool of new ones are no differences: no store holds them.
  package static func differences(
    from old: ModelDocument,
    to new: ModelDocument
  ) -> [ModelDifference] {
    let (before, after) = (ModelSide(model: old), ModelSide(model: new))
    return ModelPair(old: old, new: new, before: before, after: after).differences
  }
}
