public import ObjectBox
public import ObjectBoxGrouping

/// A section of a live view: a key, and the objects that had it when the section was taken.
///
/// As a collection it contains handles, in the order of the results. It may be used in the isolation
/// of its view only.
public struct LiveSection<E, Key: GroupValue>: RandomAccessCollection
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The value that the objects have in common.
  public let key: Key
  private let numbers: [UInt64]
  private let results: LiveResults<E>

  init(_ layout: SectionLayout, _ position: Int, _ results: LiveResults<E>) {
    key = Key.__value(of: GroupCell(layout.keys[position].content))
    numbers = layout.ids[position]
    self.results = results
  }

  /// The IDs of the objects, in order.
  public var ids: [EntityId<E>] { numbers.map { EntityId($0) } }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { numbers.count }

  /// The object at an index.
  ///
  /// Stops the process outside of the isolation of the view.
  public subscript(position: Int) -> LiveObject<E> { results.handle(numbers[position]) }
}
