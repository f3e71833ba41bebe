internal import CObjectBoxIsolation
internal import Dispatch

/// The actor that the caller runs on.
///
/// Actors are asked by their executors, never by threads: on Linux the main actor runs on several, one after
/// the other.
enum CurrentActor {
  /// True for code that runs on an actor now.
  static func isIt(_ actor: any Actor) -> Bool {
    // A frozen type of two words: what runs the jobs, and how.
    let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    if objectbox_is_current_executor(executor.0, executor.1) != 0 { return true }
    // Jobs that were sent to a dispatch queue and belong to the actor on it, which no task knows of.
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
