/// A put in a ``PutQueue``.
package protocol QueuedPut {
  /// Encodes and writes the object; this may add puts to the queue.
  func store() throws
  /// Sets the object's ID and relations, once everything that its record refers to is stored.
  func finish() throws
}

/// The puts of new objects that other puts reach through relations.
///
/// Such an object gets its ID when it is reached, and is stored after the object that refers to it.
/// A long chain of objects therefore does not grow the stack, and a cycle ends.
///
/// A transaction has one, and so has the write buffer of a cluster.
package final class PutQueue {
  /// The content of the queue.
  struct State {
    /// New objects that are being put and do not have their IDs yet.
    ///
    /// Kept alive, because a released object's identity could be reused.
    fileprivate var known: [ObjectIdentifier: (object: AnyObject, id: UInt64)] = [:]
    fileprivate var waiting: [any QueuedPut] = []

    var isEmpty: Bool { known.isEmpty && waiting.isEmpty }
  }

  var state = State()
  private var isRunning = false

  package init() {}

  /// True when puts wait.
  var isWaiting: Bool { !state.waiting.isEmpty }

  /// Returns the ID under which an object is being put; nil if its put has not begun.
  func id(of object: AnyObject) -> UInt64? { state.known[ObjectIdentifier(object)]?.id }

  /// Returns the ID to put an object under, and whether an earlier put of the object chose it.
  ///
  /// Notes the ID of a new instance of a class, until `forget`.
  ///
  /// - Parameters:
  ///   - object: An object that is put now, or later by this queue.
  ///   - given: Its own ID; 0 for a new object.
  ///   - isOfClass: Whether the object has identity.
  ///   - choose: Called unless the put of the object has begun.
  /// - Returns: The ID.
  /// - Throws: The error of `choose`.
  package func id<E>(
    of object: E,
    given: UInt64,
    isOfClass: Bool,
    _ choose: () throws -> UInt64
  ) rethrows -> (id: UInt64, isKnown: Bool) {
    guard given == 0, let identity = Self.identity(of: object, isOfClass: isOfClass) else {
      return (try choose(), false)
    }
    if let known = id(of: identity) { return (known, true) }
    let id = try choose()
    state.known[ObjectIdentifier(identity)] = (identity, id)
    return (id, false)
  }

  /// Forgets an object; its ID is set, or is about to be set.
  package func forget(_ object: AnyObject) {
    state.known[ObjectIdentifier(object)] = nil
  }

  /// Returns an instance of a class as `AnyObject`; nil for a struct.
  package static func identity<E>(of object: E, isOfClass: Bool) -> AnyObject? {
    // Safe for instances of classes. A checked cast would cost more than the rest of the put.
    isOfClass ? unsafeBitCast(object, to: AnyObject.self) : nil
  }

  /// Adds a put for the next `run`.
  package func add(_ put: any QueuedPut) {
    state.waiting.append(put)
  }

  /// Runs the waiting puts, and the puts that they add.
  ///
  /// All records are stored first. Then the puts are finished in reverse order. A nested call does
  /// nothing: the outer call runs its puts.
  package func run() throws {
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
  package func clear() {
    state = State()
  }
}
