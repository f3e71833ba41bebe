/// A put in a ``PutQueue``.
protocol QueuedPut {
  /// Writes the record, which may put more into the queue.
  func store() throws
  /// Runs `postPut`, once everything that the record refers to is stored.
  func finish() throws
}

/// The queue of puts of new objects that other puts reach through relations.
///
/// Such an object gets its ID when it is reached, and is stored after the object that refers to it. So the
/// stack does not grow with a chain of objects, and a cycle ends.
///
/// A class, since the puts of one write transaction share it.
final class PutQueue {
  /// The content of the queue.
  struct State {
    /// New objects in the middle of a put, without IDs of their own yet.
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

  /// Notes the ID of an object that is being put, until the object has it.
  func note(_ object: AnyObject, id: UInt64) {
    state.known[ObjectIdentifier(object)] = (object, id)
  }

  /// Forgets an object that has its ID, or is about to get it.
  func forget(_ object: AnyObject) {
    state.known[ObjectIdentifier(object)] = nil
  }

  /// Adds a put for the next `run`.
  func add(_ put: any QueuedPut) {
    state.waiting.append(put)
  }

  /// Runs the waiting puts, and the puts that these add.
  ///
  /// All are stored first; then they are finished in reverse order. A nested call does nothing: the outer run
  /// includes its puts.
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

  /// Empties the queue after a failed put.
  func clear() {
    state = State()
  }
}
