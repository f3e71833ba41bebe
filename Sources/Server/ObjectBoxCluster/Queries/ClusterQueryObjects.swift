public import ObjectBox

/// The results of a query as a sequence, read in batches of 500 through a cursor on the server.
///
/// Each iteration is a new search. It sees one version of the objects from its beginning to its
/// end. It holds a connection of the cluster until it ends or its iterator is released; in a
/// transaction it uses the transaction's connection.
public struct ClusterQueryObjects<E>: AsyncSequence
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object.
  public typealias Element = E

  let query: ClusterQuery<E>

  /// Reads the results one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: ClusterQuery<E>
    private var cursor: QueryCursor?
    private var batch: [E] = []
    private var index = 0

    init(_ query: ClusterQuery<E>) {
      self.query = query
    }

    /// Returns the next result; nil at the end.
    ///
    /// Throws `ObjectBoxError` and ``ClusterError``.
    public mutating func next() async throws -> E? {
      if index == batch.count {
        let cursor = try await openCursor()
        guard let rows = try await cursor.next() else { return nil }
        batch = try query.decoded(rows)
        index = 0
        try await query.include(in: batch)
        if batch.isEmpty { return nil }
      }
      defer { index += 1 }
      return batch[index]
    }

    private mutating func openCursor() async throws -> QueryCursor {
      if let cursor { return cursor }
      // Outside a transaction, the cursor opens its own.
      try query.check()
      let run = try await query.run()
      let cursor = QueryCursor(
        try run.objects(offset: 0, limit: 0),
        after: try run.wordChecks(),
        in: query.source
      )
      self.cursor = cursor
      return cursor
    }
  }

  /// Begins an iteration; ``AsyncIterator/next()`` reads the first object.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query) }
}

extension ClusterQuery {
  /// Returns the results as a sequence, for more objects than memory can hold.
  ///
  ///     for try await person in people.query().objects() { show(person) }
  ///
  /// - Returns: The results in the order of the query.
  public func objects() -> ClusterQueryObjects<E> { ClusterQueryObjects(query: self) }

  /// Passes the results to a block until it returns false.
  ///
  /// - Parameter body: Gets a new instance; returns whether to continue.
  /// - Throws: `ObjectBoxError`, ``ClusterError``, and the errors of the block.
  public func visit(_ body: (E) async throws -> Bool) async throws {
    var iterator = objects().makeAsyncIterator()
    while let object = try await iterator.next() {
      guard try await body(object) else { return }
    }
  }
}
