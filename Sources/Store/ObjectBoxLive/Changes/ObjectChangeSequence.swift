public import ObjectBox

/// The changes of one object, for one loop.
///
/// The observation begins when the sequence is made. It ends with the sequence and its loop, its
/// token, the task, the store instance, or the object, whose last element is `deleted`. If a write
/// that leaves the sequence out removes the object, the sequence ends without that element.
///
/// Each element contains all changes since the previous one. A slow loop neither blocks other code
/// nor keeps a version alive: it gets the sum of the changes.
///
/// Only one loop: several loops would share the elements.
public struct ObjectChangeSequence: AsyncSequence, Sendable {
  /// A change of the object.
  public typealias Element = ObjectChange
  /// Never fails.
  public typealias Failure = Never

  private let loop: ChangeLoop<ObjectTracker>

  init(_ store: Store, _ tracker: ObjectTracker) throws {
    loop = try ChangeLoop(store, tracker, beginsAtOnce: true)
  }

  /// The observation's token, for writes that leave it out.
  public var token: NotificationToken { loop.token }

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator { Iterator(steps: loop.makeIterator()) }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var steps: ChangeLoop<ObjectTracker>.Iterator

    /// Waits for the next change; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// Waits for the next change, and computes it on the caller's actor; nil at the end.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The change.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await steps.next(isolation: actor)
    }
  }
}
