extension ToMany {
  /// Adds the object of a live handle, for `WriteTransaction.modify`.
  ///
  /// - Parameter object: Of the store that the relation belongs to.
  /// - Throws: ``ObjectBoxError``: `invalidated` when the object is gone, `differentStore`,
  ///   `wrongIsolation`.
  public func append(_ object: LiveObject<S>) throws {
    let value = try object.value()
    try box?.store.checkSame(as: object.live.store)
    // The protocol changes collections in variables; this one is a class.
    var relation = self
    relation.append(value)
  }

  /// Refuses an object that does not go along with changes.
  ///
  /// - Parameter object: An object of a snapshot.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func append(_ object: FrozenObject<S>) throws {
    throw FrozenError.make("an object of a snapshot cannot be added to a relation")
  }
}
