extension Store {
  /// Waits until the asynchronous puts and removals so far are written or dropped.
  ///
  /// Inside a write transaction of the calling thread they cannot be written: then it does not wait.
  ///
  /// - Returns: True when all are done; `droppedAsyncWrites` in ``statistics`` tells if all were written.
  ///   False when the store is closed, or not all could be waited for.
  @discardableResult
  public func awaitAsyncSubmitted() -> Bool {
    !isClosed && openStore.writer.waitForRecords(isUntilEmpty: false)
  }

  /// Waits until no asynchronous put or removal is left, including writes that are added meanwhile.
  ///
  /// Inside a write transaction of the calling thread they cannot be written: then it does not wait.
  ///
  /// - Returns: True when all are done; `droppedAsyncWrites` in ``statistics`` tells if all were written.
  ///   False when the store is closed, or not all could be waited for.
  @discardableResult
  public func awaitAsyncCompleted() -> Bool {
    !isClosed && openStore.writer.waitForRecords(isUntilEmpty: true)
  }
}
