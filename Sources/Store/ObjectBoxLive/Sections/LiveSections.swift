public import ObjectBox
public import ObjectBoxGrouping

extension LiveResults {
  /// Divides the results into sections by a property, or by a function of one.
  ///
  ///     let notes = try live.query(Note.self).ordered(by: Note.title)
  ///     for section in try notes.sectioned(by: .by(Note.created, .month)) {
  ///       print(section.key ?? .distantPast, section.map(\.title))
  ///     }
  ///
  /// The sections are in the order of their keys: nulls first, texts by their bytes, NaN above all
  /// numbers. The objects of a section are in the order of the results. Each object is in one
  /// section, and no section is empty. For a property whose `collation` is `nocase`, the key is the
  /// text without case.
  ///
  /// - Parameters:
  ///   - key: A property, or a function of one such as `.by(Note.created, .month)` or
  ///     `.firstLetter(of: Note.title)`.
  ///   - descending: True to begin with the greatest key.
  /// - Returns: Sections, which move with the view.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `illegalArgument` for a
  ///   property that the model lacks.
  public func sectioned<K: GroupingKey>(
    by key: K,
    descending: Bool = false
  ) throws -> LiveSections<E, K.Value> where K.Entity == E {
    try checkValid()
    let order = SectionOrder(source: key.groupKey.source, isDescending: descending)
    try live.reading { store in _ = try order.keys(of: [], in: Box<E>(store: store)) }
    return LiveSections(self, order)
  }
}

/// The objects of a live view in sections by a key, such as a kind, a month or a first letter.
///
/// They change with the view: the query runs, and the key of each object is read from its record, on
/// the next use. Sections contain handles. A section that was taken keeps its objects; an index is
/// valid until the view moves.
///
/// They may be used in the isolation of their view only.
public final class LiveSections<E, Key: GroupValue>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The objects of all sections in their own order.
  public let results: LiveResults<E>
  let order: SectionOrder
  private var held = SectionLayout()
  /// The view's epoch when the sections were found; -1 for none.
  private var heldEpoch = -1
  /// The number of these sections among the view's results with tracked reads.
  private(set) lazy var readNumber = live.nextResultsNumber()

  init(_ results: LiveResults<E>, _ order: SectionOrder) {
    self.results = results
    self.order = order
  }

  /// The view that shows the objects.
  public var live: LiveStore { results.live }

  /// True when the view was invalidated, or the host of a relation is gone.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool { results.isInvalidated }

  /// Returns the object at a position, which must exist.
  ///
  /// Stops the process outside of the isolation of the view.
  public func object(at position: SectionPosition) -> LiveObject<E> {
    self[position.section][position.index]
  }

  /// Returns the sections; reads once for each version, and at each call inside a write.
  private func layout() throws -> SectionLayout {
    let ids = try results.numbers()
    let isWriting = live.store.isInWriteTransaction
    if !isWriting, heldEpoch == live.epoch { return held }
    let keys = try live.reading { try order.keys(of: ids, in: Box<E>(store: $0)) }
    let layout = SectionLayout(ids, in: order) { keys[$0] }
    if !isWriting {
      held = layout
      heldEpoch = live.epoch
    }
    return layout
  }

  /// The sections, or the last known ones when the view cannot be read.
  private var knownLayout: SectionLayout {
    live.requireIsolation()
    return (try? layout()) ?? held
  }

  /// Returns the sections or the last known ones; notes what is read of them when Observation tracks
  /// the read.
  private func knownLayout(for part: ReadPart) -> SectionLayout {
    let layout = knownLayout
    if live.isTrackingRead {
      if part == .count {
        track(part, layout.keys.count) { $0.knownLayout.keys.count }
      } else {
        track(part, layout) { $0.knownLayout }
      }
    }
    return layout
  }
}

extension LiveSections: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of sections; the last known number when the view was invalidated.
  ///
  /// Stops the process outside of the isolation of the view.
  public var endIndex: Int { knownLayout(for: .count).keys.count }

  /// The section at an index.
  public subscript(position: Int) -> LiveSection<E, Key> {
    LiveSection(knownLayout(for: .objects), position, results)
  }

  /// Returns an iterator over the current sections.
  public func makeIterator() -> AnyIterator<LiveSection<E, Key>> {
    let layout = knownLayout(for: .objects)
    var positions = layout.keys.indices.makeIterator()
    let results = results
    return AnyIterator { positions.next().map { LiveSection(layout, $0, results) } }
  }
}
