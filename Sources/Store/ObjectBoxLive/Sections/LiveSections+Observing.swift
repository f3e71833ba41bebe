public import ObjectBox
public import Observation

extension LiveSections {
  /// Calls a handler with the sections, and again when they have changed with the view.
  ///
  ///     token = try sections.observe { change in
  ///       if case .update(_, let changes) = change { list.show(changes) }
  ///     }
  ///
  /// The handler is never called during a commit. One call covers all commits that the view has
  /// passed. At the beginning of the view's own write it is called for earlier commits of others.
  ///
  /// - Parameters:
  ///   - properties: The properties whose changes count as modifications; nil for all. Insertions,
  ///     deletions and moves always count.
  ///   - handler: Called in the view's isolation with these sections; may write.
  /// - Returns: The token that ends the observation and retains the view meanwhile; keep it.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `observerAfterChanges`
  ///   in a write transaction that has changed something, `illegalArgument` for a property that the
  ///   model lacks.
  /// - Complexity: Each call runs the query, and reads the keys of changed objects. The observer
  ///   keeps the key of each object in memory.
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (SectionedChange<LiveSections<E, Key>>) -> Void
  ) throws -> NotificationToken {
    try results.checkValid()
    let box = Box<E>(store: live.store)
    let selection = try SelectionTracker(results.selection, box, properties: properties)
    let tracker = SectionTracker(selection, order, live.store.forReading())
    return try live.observe(tracker, beginsAtOnce: false) { step in
      handler(step.changes.map { .update(self, $0) } ?? .initial(self))
    }
  }

  /// As ``observe(properties:_:)``; passes the view's actor, which is not retained.
  ///
  /// - Parameters:
  ///   - actor: The actor that the view belongs to.
  ///   - properties: The properties whose changes count as modifications; nil for all.
  ///   - handler: Gets the actor, whose state it may use, and these sections; may write.
  /// - Returns: The token that ends the observation and retains the view meanwhile; keep it.
  /// - Throws: As ``observe(properties:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, SectionedChange<LiveSections<E, Key>>) -> Void
  ) throws -> NotificationToken {
    try observe(properties: properties, calling(handler, on: actor))
  }
}

/// `withObservationTracking` distinguishes reads of the number of sections, and of the sections with their keys
/// and objects. It calls `onChange` in the isolation of the view, after the view has moved to a version in
/// which that part differs.
///
/// Members that are read through the handles count by themselves.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension LiveSections: Observable {}

extension LiveSections {
  /// Remembers a read that Observation tracks.
  ///
  /// - Parameters:
  ///   - part: The part that was read.
  ///   - value: Its value.
  ///   - read: Reads the part of sections with the same selection.
  func track<V: Equatable>(
    _ part: ReadPart,
    _ value: V,
    _ read: @escaping (LiveSections<E, Key>) -> V
  ) {
    let (selection, generation, order) = (results.selection, results.generation, order)
    live.reads?.track(part, of: .results(readNumber), in: live) { [weak self] live in
      // Invalid sections keep their last objects.
      if live.generation != generation { return true }
      if let self { return read(self) == value }
      let results = LiveResults<E>(selection, in: live, generation)
      return read(LiveSections(results, order)) == value
    }
  }
}
