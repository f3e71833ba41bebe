extension FrozenObject {
  /// Returns the object in the live view of the caller's isolation.
  ///
  /// - Parameters:
  ///   - isolation: Where it is to be used; the caller's.
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: Nil when the object is not there in the version that the view shows, which may be another one.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveObject<E>? {
    try thaw(in: try snapshot.thaw(isolation: isolation, file: file, line: line))
  }
}

extension FrozenResults {
  /// Returns what is found in the live view of the caller's isolation.
  ///
  /// - Parameters:
  ///   - isolation: Where it is to be used; the caller's.
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: Nil when they are those of a relation whose object is not there.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveResults<E>? {
    try thaw(in: try snapshot.thaw(isolation: isolation, file: file, line: line))
  }
}
