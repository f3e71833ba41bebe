public import ObjectBox

/// The results of a query, immediately and again after each commit that may have changed them, for one loop.
///
///     for try await people in people.query { .age > 17 }.results { show(people) }
///
/// Commits of all programs count. Several commits between two iterations of the loop count as one. A commit counts if
/// it changed objects of the query's entity, or of an entity that its links and included relations lead to.
public struct ClusterResults<E>: AsyncSequence
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The objects, in the order of the query.
  public typealias Element = [E]

  let query: ClusterQuery<E>

  /// Begins the loop.
  public func makeAsyncIterator() -> Iterator { Iterator(query: query) }

  /// The loop.
  public struct Iterator: AsyncIteratorProtocol {
    let query: ClusterQuery<E>
    private var news: AsyncStream<Void>.Iterator?

    init(query: ClusterQuery<E>) {
      self.query = query
    }

    /// Returns the results: immediately at the first call, later after a change; nil at the end.
    ///
    /// - Returns: New instances.
    /// - Throws: `ObjectBoxError` and ``ClusterError``, the same as ``ClusterQuery/find(offset:limit:)``.
    public mutating func next() async throws -> [E]? {
      if news != nil {
        guard await news?.next(isolation: #isolation) != nil else { return nil }
      } else {
        // Subscribe before the first search, so that no commit is missed between them.
        news = try await query.source.cluster.news(of: query.entityNames).makeAsyncIterator()
      }
      return try await query.find()
    }
  }
}

extension ClusterQuery {
  /// The results, immediately and again after each commit that may have changed them, as a sequence.
  ///
  /// One round trip for each result, and more for included relations. A transaction's query also
  /// returns the newest committed results here.
  public var results: ClusterResults<E> { ClusterResults(query: outsideOfTransaction) }

  private var outsideOfTransaction: Self {
    var copy = self
    copy.source = .newest(source.cluster)
    return copy
  }

  /// The names of the entities whose changes affect the query.
  var entityNames: Set<String> {
    let model = source.cluster.tables.model
    let ids =
      [E.entityInfo.entitySchemaId] + (selection.condition?.linkTargets ?? [])
      + inclusions.entities
    return Set(model.entities.filter { ids.contains($0.identity.id) }.map(\.name))
  }
}

extension Cluster {
  /// Returns a sequence with an element whenever objects of the entities may have changed.
  func news(of entities: Set<String>) async throws -> AsyncStream<Void> {
    let commits = try await changes.subscribe()
    let (news, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task.detached {
      for await commit in commits where commit.concerns(entities) { continuation.yield() }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return news
  }
}
