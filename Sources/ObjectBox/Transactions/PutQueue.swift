/// A put in a ``PutQueue``.
protocol QueuedPut {
  /// Writes the record; this may add puts to the queue.
  func store() throws
  /// Runs `postPut`, once everything that the record refers to is stored.
  func finish() throws
}

/// The puts of new objects that other puts reach through relations.
///
/// Such an object gets its ID when it is reached, and is stored after the object that refers to it.
/// A long chain of objects therefore does not grow the stack, and a cycle ends.
final class PutQueue {
  /// The content of the queue.
  struct State {
    /// New objects whose put has begun, and that do not have their IDs yet.
    ///
    /// Kept alive, because a released object's identity could be reused.
    fileprivate var known: [ObjectIdentifier: (object: AnyObject, id: UInt64)] = [:]
    fileprivate var waiting: [any QueuedPut] = []

    var isEmpty: Bool { known.isEmpty && waiting.isEmpty }
  }

  var state = State()
  private var isRunning = false

  /// True when puts wait.
  var isWaiting: Bool { !state.waiting.isEmpty }

  /// Returns the ID under which an object is being put; nil if its put has not begun.
  func id(of object: AnyObject) -> UInt64? { state.known[ObjectIdentifier(object)]?.id }

  /// Notes the ID of an object that is being put, until the ID is set in the object.
  func note(_ object: AnyObject, id: UInt64) {
    state.known[ObjectIdentifier(object)] = (object, id)
  }

  /// Forgets an object whose ID is set, or is about to be set.
  func forget(_ object: AnyObject) {
    state.known[ObjectIdentifier(object)] = nil
  }

  /// Adds a put for the next `run`.
  func add(_ put: any QueuedPut) {
    state.waiting.append(put)
  }

  /// Runs the waiting puts, and the puts that they add.
  ///
  /// All records are stored first. Then the puts are finished in reverse order. A nested call does
  /// nothing: the outer call runs its puts.
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
