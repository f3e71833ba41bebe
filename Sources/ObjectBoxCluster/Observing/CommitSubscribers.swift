internal import ObjectBox

/// The subscribers of a cluster's commits, and the one reader of the log that serves them.
struct CommitSubscribers {
  typealias Subscriber = AsyncStream<ClusterCommit>.Continuation

  private var subscribers: [UInt64: Subscriber] = [:]
  private var lastSubscriber: UInt64 = 0
  /// Callers that wait for the first reading of the log.
  private var waiting: [CheckedContinuation<Void, any Error>] = []
  /// The reader that serves the subscribers; nil when none does.
  private var reader: UInt64?
  private var lastReader: UInt64 = 0
  /// True once the reader has read the log.
  private var isReading = false
  private(set) var isClosed = false

  /// All subscribers.
  var all: [Subscriber] { Array(subscribers.values) }

  /// Adds a subscriber, and returns its number.
  mutating func add(_ subscriber: Subscriber) -> UInt64 {
    lastSubscriber += 1
    subscribers[lastSubscriber] = subscriber
    return lastSubscriber
  }

  /// Removes a subscriber.
  mutating func remove(_ number: UInt64) { subscribers[number] = nil }

  /// Ends the reader, and returns the callers that wait for its first reading, which does not come any more.
  mutating func close() -> [CheckedContinuation<Void, any Error>] {
    isClosed = true
    return takeWaiting()
  }

  /// Returns the number of the reader that has to begin now; nil when one serves the subscribers already.
  mutating func beginReading() -> UInt64? {
    guard reader == nil else { return nil }
    lastReader += 1
    reader = lastReader
    return lastReader
  }

  /// Returns whether a reader is to go on, and ends it otherwise; a reader that has ended never goes on.
  mutating func goesOn(_ number: UInt64) -> Bool {
    guard reader == number else { return false }
    if !subscribers.isEmpty, !isClosed { return true }
    reader = nil
    isReading = false
    return false
  }

  /// Lets a caller wait for the first reading.
  ///
  /// - Returns: False when the log is being read, so that there is nothing to wait for.
  mutating func wait(_ caller: CheckedContinuation<Void, any Error>) -> Bool {
    guard !isReading else { return false }
    waiting.append(caller)
    return true
  }

  /// Notes that the log was read, and returns the callers that waited for that.
  mutating func didRead() -> [CheckedContinuation<Void, any Error>] {
    isReading = true
    return takeWaiting()
  }

  /// Returns the callers that wait, which no longer do.
  mutating func takeWaiting() -> [CheckedContinuation<Void, any Error>] {
    defer { waiting = [] }
    return waiting
  }
}
