internal import Foundation
package import ObjectBox
package import ObjectBoxCluster
internal import ObjectBoxDynamic
internal import ObjectBoxLive
package import ObjectBoxSync

/// The content of a store's browser.
package struct StoreFileContent: BrowserContent {
  package let shape: Store
  /// The path of the file.
  private let path: String
  private let maximumSize: Int

  /// - Parameters:
  ///   - store: The store, which must stay open.
  ///   - path: The path of its file, as the page shows it.
  ///   - maximumSize: The size limit in bytes, for the statistics.
  package init(_ store: Store, at path: String, maximumSize: Int) {
    shape = store
    self.path = path
    self.maximumSize = maximumSize
  }

  package var label: ContentLabel {
    let name = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
    return ContentLabel(name: name, address: path, isDatabase: false)
  }

  package func reading<T>(_ body: (any ContentVersion) throws -> T) throws -> T {
    try shape.readingStored { try body(StoreContentVersion(store: shape, version: $0)) }
  }

  package func statistics() throws -> String { try StatsReport(shape, at: path, maximumSize).json }

  package func synchronization() throws -> SyncStatus? { try SyncStatus.read(shape) }

  package func synchronizationCounts() throws -> SyncStatus.Counts? {
    try SyncStatus.counts(of: shape)
  }

  package func follower() throws -> any ContentFollower {
    StoreFollower(follower: try CommitFollower(shape))
  }

  // MARK: Changes

  package func put(_ edit: DynamicEdit) throws -> UInt64 {
    guard let index = schema.index(ofEntity: edit.entity) else {
      throw ObjectBoxError.illegalArgument(message: "the store has no entity \(edit.entity)")
    }
    return try shape.writingStored { writing in
      let missing = try edit.targets.indices.filter { index in
        let target = edit.targets[index]
        return try !shape.box(named: schema.name(ofEntity: target.entity)).contains(Id(target.id))
      }
      var isThere = false
      if let id = edit.id {
        isThere = try reading { version in
          try version.forRecord(schema.entities[index], id, in: shape) {
            try edit.check($0, missing)
          }
        }
      }
      if !isThere { try edit.check(nil, missing) }
      let id = try edit.id ?? writing.nextID(entity: index)
      try writing.put(entity: index, id: id, keepsOthers: edit.id != nil, edit.fill)
      return id
    }
  }

  package func remove(_ ids: [UInt64], of entity: EntitySchema) throws -> Int {
    Int(try shape.box(named: entity.name).remove(ids.map { Id($0) }))
  }

  package func relate(
    _ relation: RelationSchema,
    of id: UInt64,
    in entity: EntitySchema,
    add added: [UInt64],
    remove removed: [UInt64]
  ) throws {
    let box = try shape.box(named: entity.name)
    try shape.runInTransaction {
      try box.add(added.map { Id($0) }, to: relation.title, of: Id(id))
      try box.remove(removed.map { Id($0) }, from: relation.title, of: Id(id))
    }
  }
}

/// A version of a store, read in the thread's transaction.
private struct StoreContentVersion: ContentVersion {
  let store: Store
  let version: StoredVersion

  var number: String { "\(version.number)" }

  func counts() throws -> [(count: Int, isEstimate: Bool)] {
    try store.schema.entities.indices.map { (try version.count(entity: $0), false) }
  }

  func count(of query: DynamicQuery) throws -> Int { try query.count() }

  func plan(of query: DynamicQuery, limit: Int) throws -> String { try query.explain(limit: limit) }

  func forEachRecord(
    of query: DynamicQuery,
    after id: UInt64?,
    limit: Int,
    _ body: (RecordReader) throws -> Void
  ) throws {
    if let id { return try query.forEachRecord(after: id, limit: limit, body) }
    try query.forEachRecord(limit: limit, body)
  }

  func forEachScoredRecord(
    of query: DynamicQuery,
    offset: Int,
    limit: Int,
    _ body: (RecordReader, _ score: Double) throws -> Void
  ) throws { try query.forEachScoredRecord(offset: offset, limit: limit, body) }
}

/// Follows the commits of all processes to a store.
private struct StoreFollower: ContentFollower {
  var follower: CommitFollower
  private var isFirst = true

  init(follower: CommitFollower) { self.follower = follower }

  mutating func next() throws -> String {
    if isFirst {
      isFirst = false
      return "\(try follower.current.version())"
    }
    return "\(try follower.next().version())"
  }
}
