public import ObjectBox

// Calls that programs for other databases make on live handles. They do not compile, and the
// compiler says what to write instead.

extension WriteTransaction {
  /// Does not compile: the object of a live handle is already stored.
  @available(
    *,
    unavailable,
    message: """
      a live object is stored already: change it by 'transaction.modify(object) { $0.name = … \
      }'
      """
  )
  public func put<E>(_ object: LiveObject<E>) throws {}

  /// Does not compile: the object of a frozen handle is already stored.
  @available(
    *,
    unavailable,
    message: """
      a frozen object is stored already: thaw it, and change it by 'transaction.modify(object) \
      { $0.name = … }'
      """
  )
  public func put<E>(_ object: FrozenObject<E>) throws {}
}

extension LiveObject {
  /// Does not compile: thaw a frozen object first.
  @available(
    *,
    unavailable,
    message: """
      the target is frozen: thaw it first, 'set(\\.customer, to: try customer.thaw(in: live))'
      """
  )
  public func set<T>(_ relation: KeyPath<E, ToOne<T>>, to target: FrozenObject<T>) throws {}
}

extension FrozenObject {
  /// Does not compile: a frozen object does not change.
  @available(
    *,
    unavailable,
    message: """
      a frozen object does not change: thaw it, and call 'set' of the live object in a write
      """
  )
  public func set<T, Target>(_ relation: KeyPath<E, ToOne<T>>, to target: Target) throws {}
}

extension LiveStore {
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
