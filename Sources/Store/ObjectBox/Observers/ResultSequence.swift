/// The objects of a box or the results of a query, read again after each commit that changed the
/// entity.
///
/// The first element contains the objects at the beginning of the loop. One element follows for
/// each commit that put or removed objects of the entity; a slow loop skips to the newest. The
/// loop's own thread reads the objects when the loop asks for them, so they never cross threads.
///
/// The sequence ends when the store instance closes or the task is cancelled. Each loop has its own
/// subscription. The sequence does not keep the store open.
///
///     for try await people in box.changes { show(people) }
public struct ResultSequence<E>: AsyncSequence, Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// All objects, in the order of their IDs or of the query.
  public typealias Element = [E]
  /// An error of reading.
  public typealias Failure = ObjectBoxError

  let source: ResultSource<E>

  /// Begins a subscription.
  public func makeAsyncIterator() -> Iterator { Iterator(source) }

  /// One loop over the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: ResultSource<E>
    private let token: NotificationToken?
    private var signals: AsyncStream<Void>.Iterator

    init(_ source: ResultSource<E>) {
      self.source = source
      let (signals, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1)
      )
      self.signals = signals.makeAsyncIterator()
      token = source.subscribe(
        CommitSignal { continuation.yield() },
        onEnd: { continuation.finish() }
      )
      continuation.yield()
      if token == nil { continuation.finish() }
      continuation.onTermination = { [weak token] _ in token?.invalidate() }
    }

    /// Waits for the next change and reads the objects; nil at the end.
    ///
    /// Throws ``ObjectBoxError`` when they cannot be read.
    public mutating func next() async throws(ObjectBoxError) -> [E]? {
      try await next(isolation: nil)
    }

    /// Waits for the next change and reads the objects, on the caller's actor; nil at the end.
    ///
    /// Throws ``ObjectBoxError`` when they cannot be read.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ObjectBoxError) -> [E]? {
      guard await signals.next(isolation: actor) != nil else { return nil }
      return try source.read()
    }
  }
}

extension Box {
  /// All objects, now and after each commit that changed them.
  public var changes: ResultSequence<E> { ResultSequence(source: ResultSource(self)) }
}

extension Query {
  /// The results, now and after each commit that changed objects of the entity.
  ///
  /// Each search uses the query's parameters at that time. Setting a parameter makes no element.
  ///
  ///     let query = try notes.query { Note.isPinned == true }.build()
  ///     for try await pinned in query.results { print(pinned.map(\.title)) }
  public var results: ResultSequence<E> { ResultSequence(source: ResultSource(self)) }
}
