public import ObjectBox

/// The changes of one object, for one loop.
///
/// The observation begins when the sequence is made, and ends with the sequence and its loop, with its
/// token, with the task, with the store instance, and with the object: `deleted` is the last element. When a
/// write that leaves the sequence out has removed the object, it ends without that element.
///
/// Each element has all changes since the element before. A slow loop neither blocks other code nor keeps a
/// version alive: it gets the sum of all changes.
///
/// For one loop: several loops would share the elements.
public struct ObjectChangeSequence: AsyncSequence, Sendable {
  /// A change of the object.
  public typealias Element = ObjectChange
  /// None.
  public typealias Failure = Never

  private let loop: ChangeLoop<ObjectTracker>

  init(_ store: Store, _ tracker: ObjectTracker) throws {
    loop = try ChangeLoop(store, tracker, beginsAtOnce: true)
  }

  /// The observation, for writes that leave it out.
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
    /// - Parameter actor: The caller's.
    /// - Returns: The change.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await steps.next(isolation: actor)
    }
  }
}
