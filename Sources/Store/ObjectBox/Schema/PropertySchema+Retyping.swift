extension PropertySchema {
  /// Returns the steps, for errors, that keep or drop the values of a property if its stored type differs from its type
  /// in the model.
  ///
  /// - Parameters:
  ///   - stored: The type of the stored values.
  ///   - name: The name of the stored property, which the annotation `migratedFrom` takes.
  ///   - entity: The entity in the model.
  /// - Returns: A part of a sentence, without a full stop.
  package func adviceOnRetyping(
    from stored: PropertyType,
    named name: String,
    in entity: EntitySchema
  ) -> String {
    // The generator rejects `migratedFrom` for relations and in synchronized entities.
    let canMigrate =
      stored != .relation && type != .relation
      && entity.flags & EntityFlags.syncEnabled.rawValue == 0
    let way =
      canMigrate
      ? "annotate the property with `objectbox: migratedFrom = \"\(name)\"` and run the generator"
      : "restore the type as well, and copy the values into a new property in a write"
    return
      "to keep the values, restore model.json as it was before the type changed, \(way); to start "
      + "anew, which loses the values, annotate the property with `objectbox: uid` instead and follow "
      + "what the generator says"
  }
}
