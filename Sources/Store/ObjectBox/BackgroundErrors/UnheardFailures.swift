internal import Dispatch
internal import Foundation
internal import Synchronization

/// Reports failures to the handler of a store's configuration, and counts them.
///
/// A handler may block and use the store, so it runs on a queue of its own, and the store never
/// waits for it. Failures of a handler's own writes go to standard error. Otherwise a handler that
/// answers each failure with a failing write would loop.
package final class UnheardFailures: Sendable {
  private static let isHandlerQueue = DispatchSpecificKey<Bool>()

  private let handler: (@Sendable (UnheardFailure) -> Void)?
  private let directory: String
  private let queue: DispatchQueue?
  private let failureCount = Atomic<Int>(0)
  private let droppedWriteCount = Atomic<Int>(0)

  init(directory: String, handler: (@Sendable (UnheardFailure) -> Void)?) {
    self.directory = directory
    self.handler = handler
    queue = handler.map { _ in DispatchQueue(label: "ObjectBox unheard failures") }
    queue?.setSpecific(key: Self.isHandlerQueue, value: true)
  }

  /// Number of failures so far.
  var count: Int { failureCount.load(ordering: .relaxed) }
  /// Number of dropped asynchronous puts and removals.
  var droppedWrites: Int { droppedWriteCount.load(ordering: .relaxed) }

  /// True while the calling thread runs a handler.
  package static var isInHandler: Bool { DispatchQueue.getSpecific(key: isHandlerQueue) ?? false }

  /// Reports a failure.
  ///
  /// The caller may hold the write lock, but no other lock.
  ///
  /// - Parameters:
  ///   - operation: The work that failed.
  ///   - entityName: The entity; nil if the work does not concern a single entity.
  ///   - ids: The IDs of the objects; empty if they are unknown.
  ///   - error: The reason.
  ///   - isOfHandler: True if a handler requested the work.
  package func tell(
    _ operation: UnheardFailure.Operation,
    of entityName: String? = nil,
    ids: [UInt64] = [],
    _ error: any Error,
    isOfHandler: Bool = UnheardFailures.isInHandler
  ) {
    let failure = UnheardFailure(
      operation: operation,
      entityName: entityName,
      ids: ids,
      directory: directory,
      error: StoreError.shown(error, location: directory)
    )
    failureCount.add(1, ordering: .relaxed)
    if operation == .asyncPut || operation == .asyncRemoval {
      droppedWriteCount.add(1, ordering: .relaxed)
    }
    guard let handler, let queue, !isOfHandler else {
      FileHandle.standardError.write(Data("ObjectBox: \(failure)\n".utf8))
      return
    }
    queue.async { handler(failure) }
  }
}
