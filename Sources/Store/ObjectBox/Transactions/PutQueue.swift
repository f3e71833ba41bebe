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
  /// A new object that is being put, with the ID that it gets.
  ///
  /// Kept alive, because a released object's identity could be reused.
  private typealias Known = (object: AnyObject, id: UInt64)

  /// The content of the queue.
  private struct State {
    /// New objects that are being put and do not have their IDs yet.
    var known: [ObjectIdentifier: Known] = [:]
    var waiting: [any QueuedPut] = []

    var isEmpty: Bool { known.isEmpty && waiting.isEmpty }
  }

  /// A change of the content, with what restores the content before it.
  private enum Change {
    case known(ObjectIdentifier, before: Known?)
    case added
    case taken([any QueuedPut])
    case cleared(State)
  }

  /// A content of the queue, for ``restore(_:)``; while it lives, the queue notes its changes.
  ///
  /// A copy of the content would cost as much as the content at the next change. The many savepoints of a put
  /// that reaches many new objects would then copy all of them many times.
  final class Mark {
    fileprivate let count: Int
    private let queue: PutQueue

    fileprivate init(_ queue: PutQueue) {
      self.queue = queue
      count = queue.changes.count
      queue.markCount += 1
    }

    deinit {
      queue.markCount -= 1
      if queue.markCount > 0 { return }
      // Released after the change: deinitializers of objects may read relations.
      var old: [Change] = []
      swap(&old, &queue.changes)
    }
  }

  private var state = State()
  /// The changes since the oldest living mark.
  private var changes: [Change] = []
  private var markCount = 0
  private var isRunning = false

  package init() {}

  /// Returns a mark of the present content; nil if the queue is empty.
  var mark: Mark? { state.isEmpty ? nil : Mark(self) }

  /// Restores the content of a mark; nil empties the queue.
  func restore(_ mark: Mark?) {
    guard let mark else { return clear() }
    while changes.count > mark.count {
      switch changes.removeLast() {
      case .known(let identity, let before): state.known[identity] = before
      case .added: state.waiting.removeLast()
      case .taken(let before): state.waiting = before
      case .cleared(let before): state = before
      }
    }
  }

  private func note(_ change: @autoclosure () -> Change) {
    if markCount > 0 { changes.append(change()) }
  }

  private func set(_ known: Known?, _ identity: ObjectIdentifier) {
    note(.known(identity, before: state.known[identity]))
    state.known[identity] = known
  }

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
    set((identity, id), ObjectIdentifier(identity))
    return (id, false)
  }

  /// Forgets an object; its ID is set, or is about to be set.
  package func forget(_ object: AnyObject) {
    set(nil, ObjectIdentifier(object))
  }

  /// Returns an instance of a class as `AnyObject`; nil for a struct.
  package static func identity<E>(of object: E, isOfClass: Bool) -> AnyObject? {
    // Safe for instances of classes. A checked cast would cost more than the rest of the put.
    isOfClass ? unsafeBitCast(object, to: AnyObject.self) : nil
  }

  /// Adds a put for the next `run`.
  package func add(_ put: any QueuedPut) {
    note(.added)
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
          note(.taken(batch))
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
    note(.cleared(state))
    state = State()
  }
}
