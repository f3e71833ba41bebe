/// An isolation in which blocks are called back: an actor or a serial queue.
///
/// Blocks sent to one isolation run one at a time, in the order in which they were sent.
package enum CallbackTarget: Sendable {
  case actor(ActorMailbox)
  case queue(SerialQueue)

  /// The actor of a caller; nil outside of actors.
  package init?(_ actor: (any Actor)?) {
    guard let actor else { return nil }
    self = .actor(ActorMailbox.of(actor))
  }

  /// The identity of the actor or queue.
  var key: ObjectIdentifier {
    switch self {
    case .actor(let mailbox): ObjectIdentifier(mailbox.actor)
    case .queue(let queue): ObjectIdentifier(queue)
    }
  }

  /// Sends a block and returns at once.
  package func send(_ block: @escaping @Sendable () -> Void) {
    switch self {
    case .actor(let mailbox): mailbox.send(block)
    case .queue(let queue): queue.async(block)
    }
  }
}

/// The blocks sent to an actor that have not run yet.
///
/// A class, since all senders to an actor share one as long as any of them needs it.
package final class ActorMailbox: Sendable {
  private static let mailboxes = WeakTable<ObjectIdentifier>()

  let actor: any Actor
  private let blocks = Guarded<[@Sendable () -> Void]>([])

  private init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Returns the mailbox of an actor.
  static func of(_ actor: any Actor) -> ActorMailbox {
    mailboxes.object(ObjectIdentifier(actor)) { ActorMailbox(actor) }
  }

  /// Sends a block; blocks keep their order, also when the tasks that carry them overtake each other.
  func send(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
    Task { await Self.run(in: actor) { self.runNext() } }
  }

  private static func run(in actor: isolated any Actor, _ body: @Sendable () -> Void) {
    body()
  }

  private func runNext() {
    let block = blocks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    block?()
  }
}

/// A value of one isolation that other threads carry without touching it.
///
/// Invariant of `@unchecked Sendable`: only code of that isolation reads `value`.
package struct IsolationBound<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}
