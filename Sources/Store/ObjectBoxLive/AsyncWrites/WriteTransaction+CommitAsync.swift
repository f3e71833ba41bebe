public import ObjectBox

extension WriteTransaction {
  /// Requests the commit and returns at once; the writer thread waits for the disk.
  ///
  /// The changes become visible, also to the caller, when they are on disk. Only in a block of
  /// `Store.write`, the call itself waits for the disk.
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with asynchronous writes that are
  ///     queued behind. After a crash, all or none of the group are stored.
  ///   - onComplete: Called in the transaction's isolation when the commit is on disk, or with the
  ///     error. Without it, failures go to `Store.Configuration.onUnheardFailure`.
  /// - Returns: The ID of the commit, for `cancelAsyncWrite`, which only suppresses `onComplete`.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction` when it has ended.
  @discardableResult
  public func commitAsyncWrite(
    isGroupingAllowed: Bool = false,
    onComplete: (((any Error)?) -> Void)? = nil
  ) throws -> AsyncTransactionID {
    try checkCanEnd()
    guard onComplete == nil || ending.canCallBack else {
      throw ObjectBoxError.asyncWriteNotSchedulable(
        message:
          "onComplete cannot be called: the transaction was begun outside of any actor; begin it "
          + "in one, or leave onComplete out"
      )
    }
    end()
    return ending.commitLater(
      isGroupingAllowed: isGroupingAllowed,
      isHeard: onComplete != nil,
      onComplete: ending.canCallBack
        ? follower?.following(onComplete) ?? onComplete : onComplete
    )
  }
}
