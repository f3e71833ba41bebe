internal import CObjectBoxIsolation

/// Tells on which actor the caller runs.
///
/// It compares executors, never threads: on Linux the main actor runs on changing threads.
package enum CurrentActor {
  /// True if the caller runs on the given actor.
  package static func isIt(_ actor: any Actor) -> Bool {
    // Safe: a frozen type of two words, the executor object and its implementation.
    let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    if objectbox_is_current_executor(executor.0, executor.1) != 0 { return true }
    // A job that was sent to the dispatch queue of an actor's executor runs on the actor, but
    // outside of any task.
    if let queue = SerialQueue.currentIdentifier, UInt(bitPattern: queue) == executor.0 {
      return true
    }
    return actor === MainActor.shared && MainQueue.isCurrent
  }
}
