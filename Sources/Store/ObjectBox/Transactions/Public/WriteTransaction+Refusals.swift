extension WriteTransaction {
  /// Does not compile: an instance can be changed directly.
  @available(
    *,
    unavailable,
    message: """
      change the instance itself, and store it by 'transaction.put(_:)'; 'modify' takes an ID \
      or a live object
      """
  )
  public func modify<E: EntityInspectable, R>(
    _ entity: E,
    _ change: (inout E) throws -> R
  ) throws -> R? { nil }
}
