/// An observation whose steps are taken by one loop.
///
/// It begins when it is made, and ends with its life, with its token, with the task that takes the steps,
/// with the store instance, and when what is observed is gone and that has been told.
struct ChangeLoop<Tracker: ChangeTracking>: Sendable {
  /// Names the observation.
  let token: NotificationToken
  private let queue: ChangeQueue<Tracker>
  private let bell = Bell()

  /// - Parameters:
  ///   - store: What is observed; not kept.
  ///   - tracker: What of it.
  ///   - beginsAtOnce: True when nothing is told first, and changes from now on are told.
  /// - Throws: ``ObjectBoxError``: `closed`, `observerAfterChanges`, and what the tracker throws.
  init(_ store: Store, _ tracker: Tracker, beginsAtOnce: Bool) throws {
    try store.checkCanObserve()
    let queue = ChangeQueue(store.core, tracker)
    let bell = bell
    queue.setOnNews { bell.ring() }
    self.queue = queue
    token = store.subscribe(queue, to: tracker.interest.commits) {
      queue.end()
      bell.ring()
    }
    if beginsAtOnce { try queue.begin() }
  }

  /// Waits for the next step, and computes it on the caller's actor; nil at the end.
  func next(isolation actor: isolated (any Actor)?) async -> Tracker.Step? {
    let (queue, bell, token) = (queue, bell, token)
    while !Task.isCancelled, !queue.isAtEnd {
      // What cannot be read now stays for the next commit.
      if let (step, _) = queue.reading({ try queue.next() }) { return step }
      // It may be the last step that is not told.
      if queue.isAtEnd { break }
      await withTaskCancellationHandler {
        await bell.wait(isolation: actor)
      } onCancel: {
        token.invalidate()
      }
    }
    token.invalidate()
    return nil
  }
}
