extension Store {
  /// Does not compile: a write block cannot suspend, because all other writers would wait for it.
  @available(
    *,
    unavailable,
    message: """
      the block of a write cannot suspend, since it holds the write lock: 'await' before the write, \
      and use the result in the block
      """
  )
  @discardableResult
  public func write<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) async throws -> R
  ) async throws -> R {
    // Never called.
    throw CancellationError()
  }
}
