public import ObjectBox

/// The results of a query and their changes, for one loop.
///
/// The observation begins when the sequence is made, and ends with the sequence and its loop, with its
/// token, with the task, and with the store instance. The first element has the initial results, each later
/// one all changes since the element before. A slow loop neither blocks other code nor keeps a version
/// alive: it gets the sum of all changes.
///
/// For one loop: several loops would share the elements.
public struct ChangeSequence<E>: AsyncSequence, Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A change, or the initial results.
  public typealias Element = CollectionChange<ObservedResults<E>>
  /// None.
  public typealias Failure = Never

  private let loop: ChangeLoop<SelectionTracker<E>>
  private weak let store: Store?

  init(_ query: Query<E>, _ properties: [any ObservedProperty<E>]?) throws {
    let store = query.box.store
    let selection = query.selection.copy
    let tracker = try SelectionTracker(selection, query.box, properties: properties)
    loop = try ChangeLoop(store, tracker, beginsAtOnce: false)
    self.store = store
  }

  /// The observation, for writes that leave it out.
  public var token: NotificationToken { loop.token }

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(steps: loop.makeIterator(), store: store)
  }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var steps: ChangeLoop<SelectionTracker<E>>.Iterator
    fileprivate weak let store: Store?

    /// Waits for the next change; nil at the end.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// Waits for the next change, and computes it on the caller's actor; nil at the end.
    ///
    /// - Parameter actor: The caller's.
    /// - Returns: The change.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let step = await steps.next(isolation: actor) else { return nil }
      return step.change(of: ObservedResults<E>(step, nil, store))
    }
  }
}
