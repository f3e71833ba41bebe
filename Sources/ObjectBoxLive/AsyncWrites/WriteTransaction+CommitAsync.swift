public import ObjectBox

extension WriteTransaction {
  /// Asks for the commit and returns at once; the writer thread waits for the disk.
  ///
  /// The changes are visible, also to the caller, once they are on disk. In a block of `Store.write`, and
  /// only there, the call itself waits for the disk.
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with the asynchronous writes that follow,
  ///     where those wait already. After a crash either all of the group are there or none.
  ///   - onComplete: Called in the isolation of the transaction once the commit is on disk, or with the
  ///     error. Without it `Store.Configuration.onUnheardFailure` is told of a failure.
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
