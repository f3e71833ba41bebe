internal import Foundation
package import ObjectBox
package import ObjectBoxCluster
internal import ObjectBoxDynamic
package import ObjectBoxSync

/// The content of a database's browser.
///
/// Its calls wait for the server, so their thread must not be one that runs Swift's tasks.
package final class DatabaseContent: BrowserContent {
  /// How long a request searches for a lost server.
  ///
  /// It is short, since the page shows the fault and asks again by itself.
  private static let reconnectTime = Duration.seconds(1)

  private let cluster: DynamicCluster
  package let shape: Store
  package let label: ContentLabel
  /// True when the database may have changed since a follower read it.
  private let news: Guarded<Bool>

  /// Connects to a database.
  ///
  /// - Parameters:
  ///   - configuration: The address, and the schema of the tables.
  ///   - isWritable: False to make the server refuse all writes.
  /// - Throws: `ClusterError` when the server cannot be used, or the database has no objects of a cluster.
  package init(_ configuration: Cluster.Configuration, isWritable: Bool) throws {
    let news = Guarded(false)
    var configuration = configuration
    configuration.isReadOnly = !isWritable
    configuration.connectionLimit = 4
    configuration.reconnectTime = Self.reconnectTime
    configuration.statementTimeout = .seconds(60)
    configuration.applicationName = "objectbox browse"
    // A failed observer connection counts as news: the follower then finds the failure.
    configuration.onUnheardFailure = { _ in news.withLock { $0 = true } }
    cluster = try Waiting.run { [configuration] in try await DynamicCluster(configuration) }
    shape = try Store(schema: cluster.schema, configuration: ObjectSource.shapeConfiguration)
    label = ContentLabel(name: cluster.name, address: cluster.shownAddress, isDatabase: true)
    self.news = news
  }

  /// Closes the connections; no call may follow.
  package func close() {
    // The work never throws.
    try? Waiting.run { [cluster] in await cluster.close() }
    shape.close()
  }

  package func reading<T>(_ body: (any ContentVersion) throws -> T) throws -> T {
    do { return try inSnapshot { try body(DatabaseVersion(snapshot: $0)) } } catch {
      guard try Waiting.run({ [cluster] in try await cluster.fillWords(after: error) }) else {
        throw error
      }
      return try inSnapshot { try body(DatabaseVersion(snapshot: $0)) }
    }
  }

  private func inSnapshot<T>(_ body: (MovingOut) throws -> T) throws -> T {
    let snapshot = try Waiting.run { [cluster] in try await cluster.begin() }
    // A failure has ended the transaction too.
    defer { try? Waiting.run { [cluster] in await cluster.end(snapshot) } }
    return try body(snapshot)
  }

  package func statistics() throws -> String {
    try inSnapshot { snapshot in
      let report = try Waiting.run { try await snapshot.statistics() }
      return report.json(label, snapshot.snapshot)
    }
  }

  package func synchronization() -> SyncStatus? { nil }

  package func synchronizationCounts() -> SyncStatus.Counts? { nil }

  package func follower() throws -> any ContentFollower {
    let isTold = try Waiting.run { [cluster, news] in
      do {
        let commits = try await cluster.commits()
        // The task ends with the cluster.
        Task.detached {
          for await _ in commits { news.withLock { $0 = true } }
        }
        return true
      } catch ClusterError.serverReadOnly {
        // A replica does not support notifications.
        return false
      }
    }
    return DatabaseFollower(content: self, news: news, isTold: isTold)
  }

  // MARK: Changes

  package func put(_ edit: DynamicEdit) throws -> UInt64 {
    try Waiting.run { [cluster] in try await cluster.put(edit) }
  }

  package func remove(_ ids: [UInt64], of entity: EntitySchema) throws -> Int {
    let id = entity.identity.id
    return try Waiting.run { [cluster] in try await cluster.remove(ids, of: id) }
  }

  package func relate(
    _ relation: RelationSchema,
    of id: UInt64,
    in entity: EntitySchema,
    add added: [UInt64],
    remove removed: [UInt64]
  ) throws {
    let relation = relation.identity.id
    try Waiting.run { [cluster] in
      try await cluster.relate(relation, of: id, add: added, remove: removed)
    }
  }
}

/// A snapshot of a database.
private struct DatabaseVersion: ContentVersion {
  let snapshot: MovingOut

  var number: String { snapshot.snapshot }

  func counts() throws -> [(count: Int, isEstimate: Bool)] {
    try Waiting.run { [snapshot] in try await snapshot.objectCounts() }
  }

  func count(of query: DynamicQuery) throws -> Int { try snapshot.waitForCount(of: query) }

  func plan(of query: DynamicQuery, limit: Int) throws -> String {
    try snapshot.waitForPlan(of: query, limit: limit)
  }

  func forEachRecord(
    of query: DynamicQuery,
    after id: UInt64?,
    limit: Int,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try snapshot.forEachRecord(of: query, after: id, limit: limit, body)
  }

  func forEachScoredRecord(
    of query: DynamicQuery,
    offset: Int,
    limit: Int,
    _ body: (RecordReader, _ score: Double) throws -> Void
  ) throws {
    let found = try Waiting.run { [snapshot] in
      try await snapshot.scored(query, offset: offset, limit: limit)
    }
    for (record, score) in found { try record.reading { try body($0, score) } }
  }
}

/// Follows the commits of all programs to a database.
private struct DatabaseFollower: ContentFollower {
  /// The time between two checks for news, and between two reads of a server without notifications,
  /// in milliseconds.
  private static let intervals: (news: Int32, server: Int32) = (50, 1_000)

  let content: DatabaseContent
  let news: Guarded<Bool>
  /// False when the server sends no notifications.
  let isTold: Bool
  private var isKnown = false

  init(content: DatabaseContent, news: Guarded<Bool>, isTold: Bool) {
    self.content = content
    self.news = news
    self.isTold = isTold
  }

  mutating func next() throws -> String {
    if isKnown {
      if !isTold { try Interruption.wait(milliseconds: Self.intervals.server) }
      while isTold, !takeNews() { try Interruption.wait(milliseconds: Self.intervals.news) }
    }
    // After a failure, the next call reads at once.
    isKnown = false
    let version = try content.reading { $0.number }
    isKnown = true
    return version
  }

  private func takeNews() -> Bool {
    news.withLock { news in
      defer { news = false }
      return news
    }
  }
}
