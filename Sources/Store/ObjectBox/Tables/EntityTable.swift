internal import Synchronization

/// One entity of an open store: its schema, records, indexes and ID sequence.
///
/// Boxes and transactions share its sequence.
package final class EntityTable: Sendable {
  /// The index in ``StoreFile/tables``.
  package let number: Int
  package let schema: EntitySchema
  package let records: RecordTable
  /// The indexes over a single property.
  let indexes: [IndexDefinition]
  /// The indexes over several properties.
  let compoundIndexes: [IndexDefinition]
  /// All indexes, over one and over several properties.
  package let allIndexes: [IndexDefinition]
  let links: EntityLinks
  /// The indexes of vectors and words.
  package let derivedIndexes: [any DerivedIndexDefinition]
  /// True if programs may choose IDs beyond the sequence.
  let acceptsForeignIDs: Bool

  // The highest ID that was given out; write transactions, asynchronous puts and ID reservation
  // raise it.
  private let lastID: Atomic<UInt64>
  /// IDs up to `lastID` that are reserved for asynchronous puts of this process; the next ID is
  /// last.
  private let reserved = Guarded<[UInt64]>([])
  /// IDs for new objects that are used before the sequence, see `takeFreeID`.
  let idBlocks = Guarded<[Range<UInt64>]>([])
  let hasBlocks = Atomic<Bool>(false)
  /// Raw value of `RelationKinds`; 255 until the first object has been examined.
  private let keptRelationKinds = Atomic<UInt8>(255)

  init(
    number: Int,
    schema: EntitySchema,
    records: RecordTable,
    indexes: [IndexDefinition],
    compoundIndexes: [IndexDefinition],
    links: EntityLinks,
    derivedIndexes: [any DerivedIndexDefinition],
    lastID: UInt64
  ) {
    self.number = number
    self.schema = schema
    self.records = records
    self.indexes = indexes
    self.compoundIndexes = compoundIndexes
    allIndexes = indexes + compoundIndexes
    self.links = links
    self.derivedIndexes = derivedIndexes
    self.lastID = Atomic(lastID)
    acceptsForeignIDs = schema.properties.contains { $0.has(.id) && $0.has(.idSelfAssignable) }
  }

  package var name: String { schema.name }

  package var hasIndexes: Bool { !allIndexes.isEmpty }

  /// The nearest-neighbour indexes.
  package var vectorIndexes: [VectorIndexDefinition] {
    derivedIndexes.compactMap { $0 as? VectorIndexDefinition }
  }

  /// Raw value of the kinds of relations that objects have in memory; nil until the first object
  /// has been examined.
  var relationKinds: UInt8? {
    let kinds = keptRelationKinds.load(ordering: .relaxed)
    return kinds == 255 ? nil : kinds
  }

  /// Keeps the kinds of relations that objects have in memory.
  func keepRelationKinds(_ kinds: UInt8) {
    keptRelationKinds.store(kinds, ordering: .relaxed)
  }

  /// The largest ID of an object; the next number is a marker.
  package static let maximumID = UInt64.max - 1

  /// The highest ID that was given out.
  package var highestID: UInt64 { lastID.load(ordering: .relaxed) }

  /// Gives out the next ID.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when no IDs are left.
  func takeID() throws -> UInt64 {
    var last = lastID.load(ordering: .relaxed)
    // Compare and exchange: at the last ID, plain additions of several threads would overflow to 0.
    while last < Self.maximumID {
      let (isTaken, found) = lastID.weakCompareExchange(
        expected: last,
        desired: last + 1,
        ordering: .relaxed
      )
      if isTaken { return last + 1 }
      last = found
    }
    throw ObjectBoxError.illegalState(
      message:
        "cannot put a new '\(name)': its IDs are used up, since \(last) has been used, the greatest there is; "
        + "put it under a free ID of your own"
    )
  }

  /// Raises the sequence to an ID that was given out elsewhere.
  ///
  /// It cannot use `Atomic.max`, which compares signed numbers: the upper half of all IDs would
  /// count as negative.
  package func raise(to id: UInt64) {
    var last = lastID.load(ordering: .relaxed)
    while last < id {
      let (isRaised, found) = lastID.weakCompareExchange(
        expected: last,
        desired: id,
        ordering: .relaxed
      )
      if isRaised { return }
      last = found
    }
  }

  /// Adds IDs for `takeReservedID`.
  func addReserved(_ ids: Range<UInt64>) {
    reserved.withLock { $0.insert(contentsOf: ids.reversed(), at: 0) }
  }

  /// Returns the smallest reserved ID, once; nil if there is none.
  func takeReservedID() -> UInt64? { reserved.withLock { $0.popLast() } }

  /// Admits an ID that the program chose, and raises the sequence to it.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the ID was never given out and the
  ///   entity does not accept such IDs.
  func admit(id: UInt64) throws {
    let last = lastID.load(ordering: .relaxed)
    guard id > last else { return }
    guard id <= Self.maximumID else {
      throw ObjectBoxError.illegalArgument(
        message: "\(id) is no ID of an object; the greatest is \(Self.maximumID)"
      )
    }
    guard acceptsForeignIDs else {
      throw ObjectBoxError.illegalArgument(
        message: "ID is higher or equal to internal ID sequence: \(id) (vs. \(last + 1)); put "
          + "'\(name)' with ID 0 to get a new one, or declare `id = { \"assignable\": true }`"
      )
    }
    raise(to: id)
  }
}
