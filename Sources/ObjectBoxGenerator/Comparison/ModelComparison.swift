/// Compares two versions of a model; elements are the same when their UIDs are.
package enum ModelComparison {
  /// Returns every difference, with what it does to stored data.
  ///
  /// The order is that of the new model, each entity followed by its properties and relations, then
  /// what is gone. Retired UIDs and the pool of new ones are no differences: no store holds them.
  package static func differences(
    from old: ModelDocument,
    to new: ModelDocument
  ) -> [ModelDifference] {
    ModelPair(old: old, new: new, models: ComparedModels(old: old, new: new)).differences
  }
}
