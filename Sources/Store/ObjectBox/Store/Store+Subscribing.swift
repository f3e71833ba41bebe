extension Store {
  /// Subscribes a listener to commits, until its token or this store instance ends.
  ///
  /// - Parameters:
  ///   - listener: Kept until the subscription ends, but not by the token.
  ///   - interest: Selects the commits.
  ///   - onEnd: Called once, at the end.
  /// - Returns: The token.
  package func subscribe(
    _ listener: any CommitListener,
    to interest: CommitInterest,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken {
    let token = openStore.commits.subscribe(
      listener,
      to: interest,
      owner: ObjectIdentifier(self),
      onEnd: onEnd
    )
    if interest.includesObjects { transactions.openTransaction?.beginNoting() }
    // If the store was closed meanwhile, it has ended its other subscriptions.
    if isClosed { token.invalidate() }
    return token
  }
}
