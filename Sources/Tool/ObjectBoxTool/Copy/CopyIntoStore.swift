internal import Foundation
internal import ObjectBox
package import ObjectBoxCluster
internal import ObjectBoxDynamic

/// Copies one snapshot of a database into a new store.
///
/// The store is made in a folder next to its own, `STORE.copying`. Once all objects were read back
/// and compared, the folder gets the name of the store. An interrupted copy continues there.
package struct CopyIntoStore {
  private let configuration: Cluster.Configuration
  private let location: StoreLocation
  private let maximumSizeInKilobytes: UInt64?
  private let progress: (_ done: Int, _ total: Int) throws -> Void

  /// Prepares a copy.
  ///
  /// - Parameters:
  ///   - configuration: The database, which programs may write to meanwhile.
  ///   - location: The place of the new store.
  ///   - maximumSizeInKilobytes: The greatest size of its file in KiB; nil for 256 GiB.
  ///   - progress: Gets the number of rows stored or compared, and the total. If it throws, the
  ///     copy ends and can be continued later.
  package init(
    _ configuration: Cluster.Configuration,
    to location: StoreLocation,
    maximumSizeInKilobytes: UInt64? = nil,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) {
    self.configuration = configuration
    self.location = location
    self.maximumSizeInKilobytes = maximumSizeInKilobytes
    self.progress = progress
  }

  /// The folder of an incomplete copy.
  package var workingDirectory: String { location.directory + ".copying" }

  /// Copies everything.
  ///
  /// - Returns: How much was copied.
  /// - Throws: ``ClusterError``, ``ObjectBoxError``, ``Failure``. There is then no store at the
  ///   location.
  package func run() throws -> CopyOutcome {
    try checkIsFree()
    let source = try Waiting.run { [configuration] in
      try await MovingOut(try await MovingDatabase(configuration))
    }
    let (total, lastIDs) = try Waiting.run {
      (try await source.count(), try await source.lastIDs())
    }
    var working = try StoreLocation(workingDirectory)
    working.encryption = location.encryption
    var wentOn = working.fileSize != nil
    while true {
      let store = try open(working, source.schema)
      defer { store.close() }
      var run = Run(
        store: store,
        source: source,
        wentOn: wentOn,
        expectedCount: total,
        progress: progress
      )
      do {
        let outcome = try run.run(lastIDs: lastIDs)
        store.close()
        try FileManager.default.moveItem(atPath: workingDirectory, toPath: location.directory)
        return outcome
      } catch is Changed where wentOn {
        // Objects changed between the interrupted copy and this one.
        try store.closeAndDeleteAllFiles()
        wentOn = false
      } catch let changed as Changed {
        throw Failure(
          "\(changed.title) of the new store differs from the database; other programs may have written values that "
            + "no property holds. The incomplete copy is in '\(workingDirectory)'"
        )
      }
    }
  }

  /// Thrown when the store differs from the database at the end.
  private struct Changed: Error {
    var title: String
  }

  private func checkIsFree() throws {
    let path = location.directory
    guard FileManager.default.fileExists(atPath: path) else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    guard names.isEmpty else {
      throw Failure("'\(path)' has files already; name a folder that is new or empty")
    }
    try FileManager.default.removeItem(atPath: path)
  }

  private func open(_ working: StoreLocation, _ schema: StoreSchema) throws -> Store {
    let configuration = working.configuration(maximumSizeInKilobytes: maximumSizeInKilobytes)
    // Located again: a copy that starts again has removed the files.
    guard try StoreLocation(workingDirectory).fileSize != nil else {
      return try Store(schema: schema, configuration: configuration)
    }
    let store = try Store(existing: configuration)
    guard store.schema == schema else {
      store.close()
      throw Failure(
        "'\(workingDirectory)' has an incomplete copy of another schema; remove it"
      )
    }
    return store
  }

  /// The state of a copy.
  private struct Run {
    let store: Store
    let source: MovingOut
    let wentOn: Bool
    let expectedCount: Int
    let progress: (Int, Int) throws -> Void
    var done = 0

    private var schema: StoreSchema { source.schema }
    private var relations: [RelationSchema] { schema.entities.flatMap(\.relations) }

    mutating func run(lastIDs: [UInt64: UInt64]) throws -> CopyOutcome {
      let reading = DatabaseReading(source)
      var outcome = CopyOutcome(wentOn: wentOn)
      var objects: [MovingChecksum] = []
      var pairs: [MovingChecksum] = []
      for entity in schema.entities.indices {
        // Each batch is one transaction, in the order of IDs.
        let last = try store.readingStored { try $0.lastID(entity: entity) }
        objects.append(
          try reading.forEachBatch(entity: entity) { records, count in
            let new = records.drop { $0.id <= last }
            if !new.isEmpty { try put(new, entity: entity) }
            try advance(count)
          }
        )
      }
      for relation in relations {
        let id = relation.identity.id
        pairs.append(
          try reading.forEachBatch(relation: id) { pairs in
            try store.writingStored { writing in
              for pair in pairs {
                try writing.relate(relation: id, source: pair.source, target: pair.target)
              }
            }
            try advance(pairs.count)
          }
        )
      }
      outcome.objects = objects.reduce(0) { $0 + $1.count }
      outcome.pairs = pairs.reduce(0) { $0 + $1.count }
      guard outcome.objects + outcome.pairs == expectedCount else {
        throw Failure(
          "the database has \(expectedCount.counted("row")), of which \(outcome.objects + outcome.pairs) have IDs of "
            + "objects; give the others IDs from 1"
        )
      }
      try compare(objects, pairs)
      try store.writingStored { writing in
        for (index, entity) in schema.entities.enumerated() {
          if let last = lastIDs[entity.identity.uid] {
            try writing.raiseLastID(entity: index, to: last)
          }
        }
      }
      return outcome
    }

    private mutating func advance(_ count: Int) throws {
      done += count
      try progress(done, 2 * expectedCount)
    }

    private func put(_ records: ArraySlice<MovingRecord>, entity: Int) throws {
      try store.writingStored { writing in
        for record in records {
          try writing.put(entity: entity, id: record.id) { set in
            try record.forEachValue { set($0, $1) }
          }
        }
      }
    }

    /// Compares the store with the database's checksums.
    private mutating func compare(
      _ objects: [MovingChecksum],
      _ pairs: [MovingChecksum]
    ) throws {
      try store.readingStored { version in
        for (entity, expected) in objects.enumerated() {
          var found = MovingChecksum()
          try version.forEachObject(entity: entity) { record in
            source.add(record, entity: entity, to: &found)
            if found.count % 1_000 == 0 { try advance(1_000) }
          }
          try advance(found.count % 1_000)
          guard found == expected else {
            throw Changed(title: "'\(schema.entities[entity].name)'")
          }
        }
        for (relation, expected) in zip(relations, pairs) {
          var found = MovingChecksum()
          try version.forEachLink(relation: relation.identity.id) { source, target in
            found.add(source: source, target: target)
          }
          try advance(found.count)
          guard found == expected else {
            throw Changed(title: "relation \(relation.identity.id)")
          }
        }
      }
    }
  }
}
