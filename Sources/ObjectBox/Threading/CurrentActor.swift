internal import CObjectBoxIsolation
internal import Dispatch

/// The actor that the caller runs on.
///
/// Actors are compared by their executors, never by threads: on Linux the main actor runs on several
/// threads, one after the other.
package enum CurrentActor {
  /// True when the caller runs on an actor.
  package static func isIt(_ actor: any Actor) -> Bool {
    // A frozen type of two words: the executor object and its implementation.
    let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    if objectbox_is_current_executor(executor.0, executor.1) != 0 { return true }
    // Jobs sent to the dispatch queue of an actor's executor run on the actor, but outside of any task.
    if let queue = SerialQueue.currentIdentifier, UInt(bitPattern: queue) == executor.0 {
      return true
    }
    return actor === MainActor.shared && isOnMainQueue
  }

  private static let mainQueueKey: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) != nil }
}
