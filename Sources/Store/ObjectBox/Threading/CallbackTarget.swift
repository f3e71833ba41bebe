package import Dispatch

/// An actor or queue on which blocks are called.
///
/// Blocks that are sent to one target run one at a time, in the order in which they were sent.
package enum CallbackTarget: Sendable {
  case actor(ActorMailbox)
  case queue(SerialQueue)
  case dispatchQueue(DispatchQueue)

  /// Makes a target for a caller's actor; nil outside of actors.
  package init?(_ actor: (any Actor)?) {
    guard let actor else { return nil }
    self = .actor(ActorMailbox.of(actor))
  }

  /// The identity of the actor or queue.
  var key: ObjectIdentifier {
    switch self {
    case .actor(let mailbox): ObjectIdentifier(mailbox.actor)
    case .queue(let queue): ObjectIdentifier(queue)
    case .dispatchQueue(let queue): ObjectIdentifier(queue)
    }
  }

  /// Sends a block and returns at once.
  package func send(_ block: @escaping @Sendable () -> Void) {
    switch self {
    case .actor(let mailbox): mailbox.send(block)
    case .queue(let queue): queue.async(block)
    case .dispatchQueue(let queue): queue.async(execute: block)
    }
  }
}

/// A mailbox of an actor: the blocks that were sent and have not run yet.
///
/// All senders to an actor share one mailbox, which lives as long as any of them needs it.
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

  /// Sends a block.
  ///
  /// Blocks keep their order, even if the tasks that run them overtake each other.
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
