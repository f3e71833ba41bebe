public import ObjectBox

/// The results of a query and their changes, for one loop.
///
/// The observation begins when the sequence is made. It ends with the sequence and its loop, its
/// token, the task, or the store instance. The first element contains the initial results; each
/// later element, all changes since the previous one. A slow loop neither blocks other code nor
/// keeps a version alive: it gets the sum of the changes.
///
/// Only one loop: several loops would share the elements.
public struct ChangeSequence<E>: AsyncSequence, Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A change, or the initial results.
  public typealias Element = CollectionChange<ObservedResults<E>>
  /// Never fails.
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

  /// The observation's token, for writes that leave it out.
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
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The change.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      guard let step = await steps.next(isolation: actor) else { return nil }
      return step.change(of: ObservedResults<E>(step, nil, store))
    }
  }
}
