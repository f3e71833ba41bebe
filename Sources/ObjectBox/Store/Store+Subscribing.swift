extension Store {
  /// Subscribes a listener to commits until its token, or this instance of the store, ends.
  ///
  /// - Parameters:
  ///   - listener: Not kept by the token.
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
    // A store that was closed meanwhile has ended its subscriptions before it had this one.
    if isClosed { token.invalidate() }
    return token
  }
}
