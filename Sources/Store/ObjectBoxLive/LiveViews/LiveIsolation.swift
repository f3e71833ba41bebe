internal import ObjectBox

/// The isolation of a live view: an actor, a serial queue, or a thread with its task.
///
/// Does not retain the actor, since actors hold live views.
enum LiveIsolation: Sendable {
  /// A weak reference to an actor.
  struct Isolated: Sendable {
    weak let actor: (any Actor)?
  }

  case actor(Isolated)
  case queue(SerialQueue)
  /// Code outside of actors: a thread, and the task that runs on it, which may resume on other
  /// threads.
  case thread(ThreadIdentity, CurrentTask?)

  /// The isolation of a caller: its actor, or else its serial queue or thread.
  init(_ actor: (any Actor)?) {
    if let actor {
      self = .actor(Isolated(actor: actor))
    } else {
      self = .thread(ThreadContext.current.identity, CurrentTask())
    }
  }

  /// The identity of the actor, queue, task or thread, valid while it exists.
  var key: ObjectIdentifier? {
    switch self {
    case .actor(let isolated): isolated.actor.map { ObjectIdentifier($0) }
    case .queue(let queue): ObjectIdentifier(queue)
    case .thread(let thread, let task): task?.key ?? ObjectIdentifier(thread)
    }
  }

  /// Returns whether code of this isolation may share a view of another isolation with the same
  /// key.
  ///
  /// A task may have the key of an earlier task that has ended.
  func shares(with other: LiveIsolation) -> Bool {
    guard key == other.key else { return false }
    switch (self, other) {
    case (.thread(let own, let task), .thread(let thread, let otherTask)):
      return own === thread && task == otherTask
    case (.thread, _), (_, .thread): return false
    default: return true
    }
  }

  /// True when jobs can be sent to the isolation.
  var canCallBack: Bool {
    if case .thread = self { false } else { true }
  }

  /// The executor of callbacks; nil for a thread, and for an actor that was released.
  var callbackTarget: CallbackTarget? {
    switch self {
    case .actor(let isolated): CallbackTarget(isolated.actor)
    case .queue(let queue): .queue(queue)
    case .thread: nil
    }
  }

  /// True when the calling code runs in this isolation.
  var isCurrent: Bool {
    switch self {
    case .actor(let isolated): isolated.actor.map(CurrentActor.isIt) ?? false
    case .queue(let queue): queue.isCurrent
    case .thread(let thread, let task):
      thread.isCurrent || (task != nil && task == CurrentTask())
    }
  }
}
