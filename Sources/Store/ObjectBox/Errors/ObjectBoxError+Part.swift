extension ObjectBoxError {
  /// Throws `illegalArgument` unless a part of results can be asked for.
  ///
  /// All queries, of stores and of clusters, have this rule: the error of a negative number would
  /// otherwise be a wrong page.
  ///
  /// - Parameters:
  ///   - offset: The number of results to skip.
  ///   - limit: The number of results to return; 0 for all.
  /// - Throws: ``illegalArgument(message:)`` for a negative number.
  package static func checkPart(offset: Int = 0, limit: Int = 0) throws {
    if offset < 0 {
      throw illegalArgument(
        message: "offset: \(offset) is negative; use 0 to begin with the first result"
      )
    }
    if limit < 0 { throw illegalArgument(message: "limit: \(limit) is negative; use 0 for all") }
  }
}
