internal import ObjectBox

/// The subscribers to a cluster's commits, and the single log reader that serves them.
struct CommitSubscribers {
  typealias Subscriber = AsyncStream<ClusterCommit>.Continuation

  private var subscribers: [UInt64: Subscriber] = [:]
  private var lastSubscriber: UInt64 = 0
  /// Callers that wait for the first reading of the log.
  private var waiting: [CheckedContinuation<Void, any Error>] = []
  /// The active reader; nil when there is none.
  private var reader: UInt64?
  private var lastReader: UInt64 = 0
  /// True once the active reader has read the log.
  private var isReading = false
  private(set) var isClosed = false

  var all: [Subscriber] { Array(subscribers.values) }

  /// Adds a subscriber, and returns its number.
  mutating func add(_ subscriber: Subscriber) -> UInt64 {
    lastSubscriber += 1
    subscribers[lastSubscriber] = subscriber
    return lastSubscriber
  }

  /// Removes a subscriber.
  mutating func remove(_ number: UInt64) { subscribers[number] = nil }

  /// Closes, and returns the callers that wait for a first reading, which will not happen.
  mutating func close() -> [CheckedContinuation<Void, any Error>] {
    isClosed = true
    return takeWaiting()
  }

  /// Returns the number of a reader that must begin now; nil when a reader is active.
  mutating func beginReading() -> UInt64? {
    guard reader == nil else { return nil }
    lastReader += 1
    reader = lastReader
    return lastReader
  }

  /// Returns true if a reader should continue, and ends it otherwise; an ended reader never
  /// continues.
  mutating func goesOn(_ number: UInt64) -> Bool {
    guard reader == number else { return false }
    if !subscribers.isEmpty, !isClosed { return true }
    reader = nil
    isReading = false
    return false
  }

  /// Makes a caller wait for the first reading.
  ///
  /// - Returns: False when the log is already being read: the caller need not wait.
  mutating func wait(_ caller: CheckedContinuation<Void, any Error>) -> Bool {
    guard !isReading else { return false }
    waiting.append(caller)
    return true
  }

  /// Records that the log was read, and returns the callers that waited for it.
  mutating func didRead() -> [CheckedContinuation<Void, any Error>] {
    isReading = true
    return takeWaiting()
  }

  /// Removes and returns the waiting callers.
  mutating func takeWaiting() -> [CheckedContinuation<Void, any Error>] {
    defer { waiting = [] }
    return waiting
  }
}
