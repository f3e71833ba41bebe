public import Dispatch
internal import Foundation

/// A queue that runs one job at a time, in the order in which jobs are added.
///
/// It replaces the serial dispatch queues of Realm's API: a dispatch queue does not tell whether it is
/// serial, this type always is. It is an executor as well, so an actor can run on it:
///
///     actor Writer {
///       let queue = SerialQueue(label: "writer")
///       nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
///     }
///
/// A class, since it has an identity.
public final class SerialQueue: SerialExecutor, Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// The dispatch queue below; jobs that are sent to it directly run on this queue as well.
  public let dispatchQueue: DispatchQueue

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: A name for debuggers.
  ///   - target: The queue that runs the jobs, such as a global queue; nil for the system's choice. Jobs of
  ///     this queue never overlap, wherever they run.
  public init(label: String = "SerialQueue", target: DispatchQueue? = nil) {
    dispatchQueue = DispatchQueue(label: label, target: target)
    dispatchQueue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// True on the queue.
  public var isCurrent: Bool { Self.currentIdentifier == ObjectIdentifier(self) }

  /// The queue that the caller runs on.
  static var currentIdentifier: ObjectIdentifier? { DispatchQueue.getSpecific(key: key) }

  /// Adds a job and returns at once.
  ///
  /// - Parameter job: The work.
  public func async(_ job: @escaping @Sendable () -> Void) {
    dispatchQueue.async(execute: job)
  }

  /// Adds a job and waits until it is done; stops the process on the queue itself.
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

  /// Stops the process when the caller runs elsewhere.
  public func checkIsolated() {
    precondition(isCurrent, "this code belongs to a serial queue, and runs elsewhere")
  }
}
