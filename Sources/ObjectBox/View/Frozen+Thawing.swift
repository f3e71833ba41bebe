extension FrozenObject {
  /// Returns the object in the live view of the caller's isolation.
  ///
  /// - Parameter isolation: Where it is to be used; the caller's.
  /// - Returns: Nil when the object is not there in the version that the view shows, which may be another one.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`.
  public func thaw(isolation: isolated (any Actor)? = #isolation) throws -> LiveObject<E>? {
    try thaw(in: try snapshot.thaw(isolation: isolation))
  }
}

extension FrozenResults {
  /// Returns what is found in the live view of the caller's isolation.
  ///
  /// - Parameter isolation: Where it is to be used; the caller's.
  /// - Returns: Nil when they are those of a relation whose object is not there.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`.
  public func thaw(isolation: isolated (any Actor)? = #isolation) throws -> LiveResults<E>? {
    try thaw(in: try snapshot.thaw(isolation: isolation))
  }
}
