/// A change of the type of a property that keeps its UID, so that stores of the old model are
/// refused.
struct Retyping: Hashable {
  /// The annotation that keeps the values, without the prefix.
  ///
  /// Nil if the property begins or ceases to be the ID, and where `migratedFrom` is refused: for
  /// relations and in synchronized entities.
  let annotation: String?
  /// True if the property is the ID in one of the versions.
  let isID: Bool
  /// True if clusters keep the values, since PostgreSQL rewrites the table.
  let isWidening: Bool

  /// Compares two versions of a property; nil if both have one type, or types of the same bytes.
  ///
  /// `entity` is the owner in the new model.
  init?(
    from old: ModelDocument.Property,
    to new: ModelDocument.Property,
    of entity: ModelDocument.Entity
  ) {
    let effect = DataEffect.ofType(old, new)
    guard effect == .retyped || effect == .widened else { return nil }
    isWidening = effect == .widened
    isID = old.flags.union(new.flags).contains(.id)
    let canMigrate = [old.type, new.type].map { $0.flatMap(SchemaPropertyType.init) }
      .allSatisfy { $0 != nil && $0 != .relation }
    annotation =
      canMigrate && !isID && !entity.flags.contains(.syncEnabled)
      ? "migratedFrom = \"\(old.name)\"" : nil
  }
}
