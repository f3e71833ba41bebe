public import Dispatch
internal import Foundation

/// A queue that runs one job at a time, in the order in which jobs are added.
///
/// It replaces the serial dispatch queues of Realm's API. A dispatch queue does not show whether it
/// is serial; this type always is. It is also an executor, so an actor can run on it:
///
///     actor Writer {
///       let queue = SerialQueue(label: "writer")
///       nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
///     }
public final class SerialQueue: SerialExecutor, Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// The underlying dispatch queue; jobs that are sent to it directly also run on this queue.
  public let dispatchQueue: DispatchQueue

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: A name for debuggers.
  ///   - target: The dispatch queue that runs the jobs, such as a global queue; nil for the
  ///     system's choice. Jobs of this queue never overlap on any target.
  public init(label: String = "SerialQueue", target: DispatchQueue? = nil) {
    dispatchQueue = DispatchQueue(label: label, target: target)
    dispatchQueue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// True if the caller runs on the queue.
  public var isCurrent: Bool { Self.currentIdentifier == ObjectIdentifier(self) }

  /// The identity of the serial queue that the caller runs on; nil for none.
  static var currentIdentifier: ObjectIdentifier? { DispatchQueue.getSpecific(key: key) }

  /// Adds a job and returns at once.
  ///
  /// - Parameter job: The work.
  public func async(_ job: @escaping @Sendable () -> Void) {
    dispatchQueue.async(execute: job)
  }

  /// Adds a job and waits until it is done; called on the queue itself, it stops the process.
  ///
  /// - Parameter job: The work.
  /// - Returns: The job's result.
  /// - Throws: The job's error.
  public func sync<T>(_ job: () throws -> T) rethrows -> T {
    try dispatchQueue.sync(execute: job)
  }

  // MARK: As an executor

  /// Runs a job of a task; called by the language's runtime.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    dispatchQueue.async { job.runSynchronously(on: executor) }
  }

  /// Returns the executor of actors that run on the queue.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Stops the process if the caller does not run on the queue.
  public func checkIsolated() {
    precondition(isCurrent, "this code belongs to a serial queue, and runs elsewhere")
  }
}
