/// A put that waits for its turn; see ``PutQueue``.
protocol QueuedPut {
  /// Writes the record, which may put more into the queue.
  func store() throws
  /// Does what follows once everything that the record refers to is stored.
  func finish() throws
}

/// The puts of objects that a put meets on its way: targets of relations that were never stored.
///
/// Such an object gets its ID as soon as it is met, and is stored after the object that refers to it.
/// So a chain of any length takes no more stack than one object, and a circle ends where it began.
///
/// A class, since the puts of one write transaction share it.
final class PutQueue {
  /// The content of the queue.
  struct State {
    /// New objects that are being put and do not know their IDs yet.
    ///
    /// The queue keeps them, so that no other object can take their identity.
    fileprivate var known: [ObjectIdentifier: (object: AnyObject, id: UInt64)] = [:]
    fileprivate var waiting: [any QueuedPut] = []

    var isEmpty: Bool { known.isEmpty && waiting.isEmpty }
  }

  var state = State()
  private var isRunning = false

  /// True when puts wait.
  var isWaiting: Bool { !state.waiting.isEmpty }

  /// Returns the ID that an object is being put under.
  func id(of object: AnyObject) -> UInt64? { state.known[ObjectIdentifier(object)]?.id }

  /// Keeps the ID that an object is being put under, until it knows it itself.
  func note(_ object: AnyObject, id: UInt64) {
    state.known[ObjectIdentifier(object)] = (object, id)
  }

  /// Forgets an object that knows its ID, or is about to.
  func forget(_ object: AnyObject) {
    state.known[ObjectIdentifier(object)] = nil
  }

  /// Adds a put, which happens with the next `run`.
  func add(_ put: any QueuedPut) {
    state.waiting.append(put)
  }

  /// Does the puts that wait, and those that they add.
  ///
  /// First all are stored; then they are finished, the ones met last first. Inside of itself it does
  /// nothing: the run that is under way does those puts as well.
  func run() throws {
    guard !isRunning, !state.waiting.isEmpty else { return }
    isRunning = true
    defer { isRunning = false }
    do {
      while !state.waiting.isEmpty {
        var stored: [any QueuedPut] = []
        while !state.waiting.isEmpty {
          let batch = state.waiting
          state.waiting = []
          for put in batch { try put.store() }
          stored += batch
        }
        while let put = stored.popLast() { try put.finish() }
      }
    } catch {
      clear()
      throw error
    }
  }

  /// Forgets everything, when a put did not succeed.
  func clear() {
    state = State()
  }
}
