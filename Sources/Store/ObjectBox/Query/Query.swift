/// A search for objects that can run any number of times, with changing parameters.
///
/// Results are always current: each call searches again, in the thread's open transaction or in its
/// own. One thread at a time may use a query. Its subscriptions search on other threads, with the
/// parameters at the time of each search.
///
/// Searches that test 200,000 objects or more use as many threads as there are processors: counts,
/// results without a limit, and sums of a property. The process shares these threads. Objects are
/// made on the calling thread.
///
///     let query = try notes.query { Note.stars > 3 && Note.title.startsWith("A") }.build()
///     let count = try query.count()
///     let found = try query.find()
public class Query<E>: CustomDebugStringConvertible
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  package let box: Box<E>
  private let table: EntityTable
  /// The look-up for ``findFirst()``, made on first use; `.some(nil)` when the selection has
  /// another form.
  @exclusivity(unchecked) private var knownLookup: KeyLookup??
  /// The selection with the current parameters.
  @exclusivity(unchecked) package var selection: ParameterizedSelection
  /// The relations that are loaded with the results, as in the selection.
  let inclusions: [RelationInclusion]
  private let skipsDamagedObjects: Bool
  /// IDs of the damaged objects that the last call skipped, ascending; empty unless the query was
  /// built with ``QueryBuilder/skippingDamagedObjects()``.
  ///
  /// A call that ends early, such as one with a limit, finds only some of them.
  public private(set) var skippedIds: [EntityId<E>] = []

  init(box: Box<E>, _ table: EntityTable, _ selection: Selection) {
    self.box = box
    self.table = table
    self.selection = ParameterizedSelection(selection)
    inclusions = selection.inclusions
    skipsDamagedObjects = selection.skipsDamagedObjects
  }

  /// Makes a query; throws when the selection does not fit the entity.
  @usableFromInline
  convenience init(checking selection: Selection, in box: Box<E>) throws {
    let table = try box.table()
    try selection.check(on: table, in: box.store.file)
    self.init(box: box, table, selection)
  }

  var entity: EntitySchema { table.schema }

  private var keyLookup: KeyLookup? {
    if let knownLookup { return knownLookup }
    // Parameters do not change the form of the selection.
    let lookup = KeyLookup(selection.copy, in: table)
    knownLookup = .some(lookup)
    return lookup
  }

  // MARK: Objects

  /// Returns the results, in the order of the query or by ascending ID.
  ///
  ///     let page = try notes.query().ordered(by: Note.title).build().find(offset: 20, limit: 10)
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a negative number, others when the store is
  ///   closed or cannot be read.
  public func find(offset: Int = 0, limit: Int = 0) throws -> [E] {
    // Shares the storage of the contiguous array.
    Array(try findContiguous(offset: offset, limit: limit))
  }

  /// Returns the results, as ``find(offset:limit:)`` does.
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a negative number, others when the store is
  ///   closed or cannot be read.
  public func findContiguous(offset: Int = 0, limit: Int = 0) throws -> ContiguousArray<E> {
    try including { try collect(ContiguousArray<E>(), offset: offset, limit: limit) }
  }

  /// Returns the IDs of the results, in the order of ``find(offset:limit:)``.
  ///
  ///     let ids = try notes.query { Note.isPinned == true }.build().findIds()
  ///     let allExist = try notes.contains(ids)
  ///
  /// - Parameters:
  ///   - offset: How many results to skip at the beginning.
  ///   - limit: How many to return at most; 0 for all.
  /// - Returns: IDs.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a negative number, others when the store is
  ///   closed or cannot be read.
  public func findIds(offset: Int = 0, limit: Int = 0) throws -> [EntityId<E>] {
    try executing { execution, _ in
      EntityId.all(try execution.ids(offset: offset, limit: limit))
    }
  }

  /// Returns the first result; nil when there is none.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  ///
  ///     let best = try notes.query().ordered(by: Note.stars, flags: .descending)
  ///       .build().findFirst()
  public func findFirst() throws -> E? {
    inclusions.isEmpty ? try first() : try firstIncluding()
  }

  // Separate: its variable looks up type metadata, which costs as much as the search.
  @inline(never)
  private func firstIncluding() throws -> E? {
    try including { ContiguousArray(try first().map { [$0] } ?? []) }.first
  }

  private func first() throws -> E? {
    if let keyLookup, !skipsDamagedObjects {
      if let lone = selection.lone { return try box.first(by: keyLookup, lone.condition) }
      if case .property(let condition)? = selection.copy.condition {
        return try box.first(by: keyLookup, condition)
      }
    }
    return try firstOfRun()
  }

  // Separate: its variable looks up type metadata, which costs as much as the search.
  @inline(never)
  private func firstOfRun() throws -> E? {
    let binding = E.entityBinding
    var first: E?
    try executing { execution, _ in
      guard execution.orders.isEmpty else {
        first = try box.objects(try execution.ids(offset: 0, limit: 1)).first
        return
      }
      try execution.forEach { record in
        first = try binding.object(of: record, in: table, box.store)
        return false
      }
    }
    return first
  }

  /// Returns the only result; nil when there is none.
  ///
  /// Throws ``ObjectBoxError/nonUniqueResult(message:)`` when there are several, others when the
  /// store is closed or cannot be read.
  ///
  ///     let ada = try authors.query { Author.email == "ada@example.org" }.build().findUnique()
  public func findUnique() throws -> E? {
    let found = try find(limit: 2)
    guard found.count < 2 else { throw ObjectBoxError.severalResults(of: entity.name) }
    return found.first
  }

  /// Returns the number of results.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read. Makes no objects.
  ///
  ///     let pinned = try notes.query { Note.isPinned == true }.build().count()
  public func count() throws -> Int {
    try executing { execution, _ in try execution.count() }
  }

  /// Returns the number of results, up to a limit at which counting stops.
  ///
  ///     let hasMany = try notes.query { Note.isPinned == true }.build().count(limit: 100) == 100
  ///
  /// - Parameter limit: The greatest number to return; 0 to count all.
  /// - Returns: The number of results, at most the limit.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a negative number, others when the store is
  ///   closed or cannot be read.
  public func count(limit: Int) throws -> Int {
    try ObjectBoxError.checkPart(limit: limit)
    return try executing { execution, _ in try execution.count(limit: limit) }
  }

  /// Removes the results and returns their number.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed, read-only or full.
  ///
  ///     let removed = try notes.query { Note.stars == 0 }.build().remove()
  @discardableResult
  public func remove() throws -> UInt64 {
    try box.store.checkOpen()
    return try box.store.inTransaction(isWritable: true) { _, _ in
      try box.removeMany(try findIds().map(\.value))
    }
  }

  // MARK: How

  package func executing<T>(
    _ given: Selection? = nil,
    _ body: (QueryExecution, Transaction) throws -> T
  ) throws -> T {
    let present = given ?? selection.copy
    return try skippingDamaged { skipped in
      try box.reading { table, transaction in
        let execution = try QueryExecution(
          present.condition,
          orders: present.orders,
          table: table,
          transaction: transaction,
          skipped: skipped
        )
        return try body(execution, transaction)
      }
    }
  }

  /// Runs a body with the list that collects damaged objects; nil if the query does not skip them.
  func skippingDamaged<T>(_ body: (SkippedObjects?) throws -> T) throws -> T {
    guard skipsDamagedObjects else { return try body(nil) }
    let skipped = SkippedObjects()
    defer { skippedIds = skipped.ids.sorted().map { EntityId($0) } }
    return try body(skipped)
  }

  // Generic, so that the array's type is looked up once instead of for each object.
  private func collect<C: RangeReplaceableCollection>(
    _ empty: C,
    offset: Int,
    limit: Int
  ) throws -> C where C.Element == E {
    let binding = E.entityBinding
    let store = box.store
    var objects = empty
    try ObjectBoxError.checkPart(offset: offset, limit: limit)
    if let keyLookup, keyLookup.isUnique, offset == 0, !skipsDamagedObjects {
      if let object = try first() { objects.append(object) }
      return objects
    }
    return try executing { execution, _ in
      guard let isDescending = execution.isDescendingByID else {
        let ids = try execution.ids(offset: offset, limit: limit)
        objects.append(contentsOf: try box.objects(ids))
        return objects
      }
      if !isDescending, offset == 0, limit == 0 {
        let isSplit = try execution.forEachInThreads {
          objects.append(try binding.object(of: $0, in: table, store))
        }
        if isSplit { return objects }
      }
      var skipped = 0
      var count = 0
      try execution.forEach(backwards: isDescending) { record in
        if skipped < offset {
          skipped += 1
          return true
        }
        objects.append(try binding.object(of: record, in: table, store))
        count += 1
        return count != limit
      }
      return objects
    }
  }

  /// The type, the entity and the conditions with their current parameters.
  public var debugDescription: String { "<ObjectBox.Query \"\(describeConditions())\">" }
}
