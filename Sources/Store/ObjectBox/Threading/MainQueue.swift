internal import Dispatch

/// The main queue as one instance: on some systems each use of `DispatchQueue.main` makes a new
/// instance.
enum MainQueue {
  private static let queue = DispatchQueue.main
  private static let key: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    queue.setSpecific(key: key, value: ())
    return key
  }()

  /// True if the caller runs on the main queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// Returns the shared instance for the main queue, and other queues unchanged.
  static func shared(_ other: DispatchQueue) -> DispatchQueue {
    other.getSpecific(key: key) == nil ? other : queue
  }
}
