package import ObjectBox
package import ObjectBoxCluster
internal import ObjectBoxDynamic

/// The outcome of a finished copy.
package struct CopyOutcome: Sendable {
  package var objects = 0
  package var pairs = 0
  /// True when it continued an interrupted copy.
  package var wentOn = false
}

/// Copies one version of a store into a database.
///
/// The rows are read back and compared with the store's rows before the database can be opened.
package struct CopyIntoDatabase {
  /// The size in bytes from which a batch is stored.
  private static let batchSize = 4 << 20
  package var batchCount = 20_000

  private let store: Store
  private let configuration: Cluster.Configuration
  private let progress: (_ done: Int, _ total: Int) throws -> Void

  /// Prepares a copy.
  ///
  /// - Parameters:
  ///   - store: The store, which other processes may write to meanwhile.
  ///   - configuration: The database.
  ///   - progress: Gets the number of rows stored or compared, and the total. If it throws, the
  ///     copy ends and can be continued later.
  package init(
    _ store: Store,
    to configuration: Cluster.Configuration,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) {
    self.store = store
    self.configuration = configuration
    self.progress = progress
  }

  /// Copies everything.
  ///
  /// - Returns: How much was copied.
  /// - Throws: ``ClusterError``, ``ObjectBoxError``, ``Failure`` when the rows differ at the end.
  ///   The database then stays marked as incomplete, and the same copy can continue.
  package func run() throws -> CopyOutcome {
    try store.readingStored { version in
      let schema = store.schema
      let source = "\(store.directoryPath) version \(version.number)"
      let move = try Waiting.run { [configuration] in
        try await MovingIn(try await MovingDatabase(configuration), schema, source: source)
      }
      var run = Run(
        version: version,
        schema: schema,
        move: move,
        batchCount: batchCount,
        progress: progress
      )
      return try run.run()
    }
  }

  /// The state of a copy.
  private struct Run {
    let version: StoredVersion
    let schema: StoreSchema
    let move: MovingIn
    let batchCount: Int
    let progress: (Int, Int) throws -> Void
    var total = 0
    var done = 0

    private var relations: [RelationSchema] { schema.entities.flatMap(\.relations) }

    mutating func run() throws -> CopyOutcome {
      for entity in schema.entities.indices { total += try version.count(entity: entity) }
      for relation in relations { total += try version.linkCount(relation: relation.identity.id) }
      // Once to store and once to compare.
      total *= 2
      var outcome = CopyOutcome(wentOn: move.goesOn)
      var objects: [MovingChecksum] = []
      var pairs: [MovingChecksum] = []
      for entity in schema.entities.indices { objects.append(try copy(entity: entity)) }
      for relation in relations { pairs.append(try copy(relation: relation.identity.id)) }
      outcome.objects = objects.reduce(0) { $0 + $1.count }
      outcome.pairs = pairs.reduce(0) { $0 + $1.count }
      try compare(objects, pairs)
      var lastIDs: [UInt64: UInt64] = [:]
      for (index, entity) in schema.entities.enumerated() {
        lastIDs[entity.identity.uid] = try version.lastID(entity: index)
      }
      try Waiting.run { [move, lastIDs] in try await move.finish(lastIDs: lastIDs) }
      return outcome
    }

    private mutating func advance(_ count: Int) throws {
      done += count
      try progress(done, total)
    }

    private mutating func copy(entity: Int) throws -> MovingChecksum {
      var objects = try Waiting.run { [move] in try await move.objects(entity: entity) }
      var told = 0
      try version.forEachObject(entity: entity) { record in
        try objects.add(record)
        if objects.count >= batchCount || objects.sizeInBytes >= CopyIntoDatabase.batchSize {
          objects = try send(objects)
        }
        if objects.checksum.count - told >= min(1_000, batchCount) {
          try advance(objects.checksum.count - told)
          told = objects.checksum.count
        }
      }
      objects = try send(objects)
      try advance(objects.checksum.count - told)
      return objects.checksum
    }

    private func send(_ objects: MovingObjects) throws -> MovingObjects {
      try Waiting.run { [move] in
        var objects = objects
        try await move.store(&objects)
        return objects
      }
    }

    private mutating func copy(relation id: UInt32) throws -> MovingChecksum {
      var pairs = try Waiting.run { [move] in try await move.pairs(relation: id) }
      var told = 0
      try version.forEachLink(relation: id) { source, target in
        pairs.add(source: source, target: target)
        guard pairs.checksum.count - told >= batchCount else { return }
        pairs = try send(pairs)
        try advance(pairs.checksum.count - told)
        told = pairs.checksum.count
      }
      pairs = try send(pairs)
      try advance(pairs.checksum.count - told)
      return pairs.checksum
    }

    private func send(_ pairs: MovingPairs) throws -> MovingPairs {
      try Waiting.run { [move] in
        var pairs = pairs
        try await move.store(&pairs)
        return pairs
      }
    }

    /// Reads all rows back.
    private mutating func compare(
      _ objects: [MovingChecksum],
      _ pairs: [MovingChecksum]
    ) throws {
      let reading = DatabaseReading(move.reading())
      for (entity, expected) in objects.enumerated() {
        let found = try reading.checksum(entity: entity) { try advance($0) }
        try check(found, expected, "'\(schema.entities[entity].name)'")
      }
      for (relation, expected) in zip(relations, pairs) {
        let found = try reading.checksum(relation: relation.identity.id) { try advance($0) }
        try check(found, expected, "relation \(relation.identity.id)")
      }
    }

    private func check(
      _ found: MovingChecksum,
      _ expected: MovingChecksum,
      _ title: String
    ) throws {
      guard found != expected else { return }
      try Waiting.run { [move] in try await move.startAnew() }
      throw Failure(
        found.count == expected.count
          ? "the rows of \(title) in the database differ from the objects of the store; run the same command again, "
            + "which starts anew"
          : "the database has \(found.count.counted("row")) of \(title), and the store \(expected.count); run the "
            + "same command again, which starts anew"
      )
    }
  }
}

/// Reads a database while this thread waits.
struct DatabaseReading {
  let source: MovingOut

  init(_ source: MovingOut) {
    self.source = source
  }

  /// Passes the records of an entity to a body, in batches.
  func forEachBatch(
    entity: Int,
    records: Bool = true,
    _ body: (_ records: [MovingRecord], _ count: Int) throws -> Void
  ) throws -> MovingChecksum {
    var objects = try source.objects(entity: entity)
    while !objects.isAtEnd {
      let before = objects.checksum.count
      let (state, found) = try Waiting.run { [source, objects] in
        var objects = objects
        let found = try await source.next(&objects, records: records)
        return (objects, found)
      }
      objects = state
      try body(found, objects.checksum.count - before)
    }
    return objects.checksum
  }

  /// Passes the pairs of a relation to a body, in batches.
  func forEachBatch(
    relation id: UInt32,
    _ body: (_ pairs: [(source: UInt64, target: UInt64)]) throws -> Void
  ) throws -> MovingChecksum {
    var checksum = MovingChecksum()
    var last = (source: UInt64(0), target: UInt64(0))
    while true {
      let pairs = try Waiting.run { [source, last] in
        try await source.pairs(relation: id, after: last)
      }
      guard let end = pairs.last else { return checksum }
      for pair in pairs { checksum.add(source: pair.source, target: pair.target) }
      try body(pairs)
      last = end
    }
  }

  func checksum(entity: Int, _ advance: (Int) throws -> Void) throws -> MovingChecksum {
    try forEachBatch(entity: entity, records: false) { try advance($1) }
  }

  func checksum(relation id: UInt32, _ advance: (Int) throws -> Void) throws -> MovingChecksum {
    try forEachBatch(relation: id) { try advance($0.count) }
  }
}
