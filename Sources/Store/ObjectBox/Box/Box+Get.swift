extension Box {
  // MARK: One object

  /// Returns the object with the given ID.
  ///
  /// - Parameter id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError`` when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<I: UntypedIdBase>(_ id: I) throws -> E? { try object(id: id.value) }

  /// Returns the object with the given ID.
  ///
  ///     if let note = try notes.get(id) { print(note.title) }
  ///
  /// - Parameter id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError`` when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get(_ id: EntityId<E>) throws -> E? { try object(id: id.value) }

  func object(id: UInt64) throws -> E? {
    try store.checkOpen()
    guard id != 0 else { return nil }
    if case .thread = store.source { return try objectOnThread(id) }
    return try store.readingSource { try objectOnThread(id) }
  }

  @inline(__always)
  private func objectOnThread(_ id: UInt64) throws -> E? {
    let transactions = store.transactions
    let table = try table()
    return try store.makingOnThread {
      try transactions.beginReading(id, of: table, on: $0)
    } object: {
      try E.entityBinding.object(of: $0, in: table, store)
    }
  }

  // MARK: Many objects

  /// Returns the objects with the given IDs, in the order of `ids`.
  ///
  ///     let ids = try notes.query { Note.isPinned == true }.build().findIds()
  ///     let firstTen = try notes.get(ids, maxCount: 10)
  ///
  /// - Parameters:
  ///   - ids: IDs; those without an object are left out.
  ///   - maxCount: How many objects to return at most; 0 for all.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError`` when the store is closed or a record cannot be decoded.
  /// - Complexity: O(*k* log *n*) for *k* IDs in a box of *n* objects.
  public func get<I: IdBase, C: Collection>(_ ids: C, maxCount: Int = 0) throws -> [E]
  where C.Element == I {
    guard !ids.isEmpty else {
      try store.checkOpen()
      return []
    }
    let ids = ids.map(\.value)
    guard maxCount > 0 else { return try objects(ids) }
    return try reading { table, transaction in
      try objects(by: E.entityBinding, ids, table, transaction, maxCount: maxCount)
    }
  }

  /// Reads in ascending order, in which neighbouring IDs share pages, then restores the order of
  /// `ids`.
  package func objects(_ ids: [UInt64]) throws -> [E] {
    try reading { table, transaction in
      let binding = E.entityBinding
      if isAscending(ids) { return try objects(by: binding, ids, table, transaction) }
      let scan = try RecordScan(table, in: transaction)
      var found = [E?](repeating: nil, count: ids.count)
      for index in ids.indices.sorted(by: { ids[$0] < ids[$1] }) {
        if let reader = try scan.record(id: ids[index]) {
          found[index] = try binding.object(of: reader, in: table, store)
        }
      }
      return found.compactMap(\.self)
    }
  }

  private func isAscending(_ ids: [UInt64]) -> Bool {
    zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Returns the first `maxCount` objects of those with the given IDs, in the order of `ids`.
  ///
  /// Generic over the binding, so that its type is looked up once instead of for each object.
  func objects<B: EntityBinding>(
    by binding: B,
    _ ids: [UInt64],
    _ table: EntityTable,
    _ transaction: Transaction,
    maxCount: Int = .max
  ) throws -> [E] where B.EntityType == E {
    var objects: [E] = []
    objects.reserveCapacity(min(ids.count, maxCount))
    let storage = transaction.storage
    // Opening a cursor costs more than looking up a few records.
    let scan = ids.count > 16 ? try RecordScan(table, in: transaction) : nil
    for id in ids where objects.count < maxCount {
      let record =
        try scan == nil ? table.record(id, in: storage) : scan?.record(id: id)
      guard let record else { continue }
      objects.append(try binding.object(of: record, in: table, store))
    }
    return objects
  }

  /// Returns the objects with the given IDs by their IDs.
  ///
  /// - Parameter ids: IDs; those without an object are left out.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError`` when the store is closed or a record cannot be decoded.
  public func getAsDictionary<C: Collection>(_ ids: C) throws -> [EntityId<E>: E]
  where C.Element == EntityId<E> {
    try dictionary(ids)
  }

  /// Returns the objects with the given IDs by their IDs.
  ///
  /// - Parameter ids: IDs; those without an object are left out.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError`` when the store is closed or a record cannot be decoded.
  public func getAsDictionary<I: UntypedIdBase, C: Collection>(_ ids: C) throws -> [I: E]
  where C.Element == I {
    try dictionary(ids)
  }

  private func dictionary<I: IdBase, C: Collection>(_ ids: C) throws -> [I: E]
  where C.Element == I {
    let objects = try objects(Array(Set(ids.lazy.map(\.value))))
    let binding = E.entityBinding
    return Dictionary(
      uniqueKeysWithValues: objects.map { (I(binding.entityId(of: $0)), $0) }
    )
  }

  // MARK: All objects

  /// Returns all objects, in the order of their IDs.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or a record cannot be decoded.
  ///
  ///     for note in try notes.all() { print(note.id, note.title) }
  public func all() throws -> [E] {
    try collectAll([E]())
  }

  /// Returns all objects, in the order of their IDs.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or a record cannot be decoded.
  public func allContiguous() throws -> ContiguousArray<E> {
    try collectAll(ContiguousArray<E>())
  }

  private func collectAll<C: RangeReplaceableCollection>(_ empty: C) throws -> C
  where C.Element == E {
    try reading { table, transaction in
      var objects = empty
      objects.reserveCapacity(try table.count(in: transaction.storage))
      try forEach(by: E.entityBinding, table, transaction) {
        objects.append($0)
        return true
      }
      return objects
    }
  }

  /// Passes all objects to a block until it returns false.
  ///
  /// Generic over the binding, so that its type is looked up once instead of for each object.
  func forEach<B: EntityBinding>(
    by binding: B,
    _ table: EntityTable,
    _ transaction: Transaction,
    _ body: (E) throws -> Bool
  ) throws where B.EntityType == E {
    var scan = try RecordScan(table, in: transaction)
    while let reader = try scan.next() {
      guard try body(binding.object(of: reader, in: table, store)) else { return }
    }
  }
}

extension Store {
  /// Makes an object from a record, in the thread's transaction.
  ///
  /// - Parameters:
  ///   - record: Begins the transaction and finds the record.
  ///   - make: Makes the object.
  /// - Returns: The object; nil without a record.
  /// - Throws: The errors of both blocks.
  @inline(__always)
  func makingOnThread<T>(
    _ record: (StoreThreadState) throws -> RecordReader?,
    object make: (RecordReader) throws -> T
  ) throws -> T? {
    try ThreadContext.withState(for: transactions) { state in
      guard let reader = try record(state) else {
        try transactions.end(state)
        return nil
      }
      let object: T
      do {
        object = try make(reader)
      } catch {
        try transactions.end(state)
        throw error
      }
      try transactions.end(state)
      return object
    }
  }
}
