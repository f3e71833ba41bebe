internal import ObjectBox
internal import ObjectBoxStorage

/// Checks a version of a store file: the structure of its pages, then the content of its tables.
///
/// Reads pages directly, without LMDB, so it can read a damaged file too.
struct StoreVerification {
  let image: StorageImage
  let head: StorageImage.Head
  let run: VerificationRun

  /// Runs the whole check.
  ///
  /// - Throws: `VerificationRun.Ended` when the check was ended; `StorageError` when memory is
  ///   short.
  func verify() throws {
    run.setFile(version: head.version, sizeInBytes: image.sizeInBytes)
    try Self.verifyHeads(of: image, run: run)
    try verifyPages()
    do {
      try verifyContent(in: try image.beginRead(head))
    } catch let error where !(error is VerificationRun.Ended) && run.has(.page) {
      // The damage is already reported.
      _ = run.end(isComplete: false)
    }
  }

  // MARK: Structure

  /// Adds the faults of the head pages.
  static func verifyHeads(of image: StorageImage, run: VerificationRun) throws {
    for (number, state) in image.heads().enumerated() {
      let fault: String? =
        switch state {
        case .sound: nil
        case .missing: "is missing: the file has \(image.sizeInBytes) bytes"
        case .empty: "is empty"
        case .foreign: "is none: it has other bytes than those of a store file"
        case .otherVersion: "has another version of LMDB's format than 1"
        case .damaged: "is damaged"
        }
      if let fault { try run.add(.file, "head page \(number) of the file \(fault)") }
    }
  }

  private func verifyPages() throws {
    let pageCount = Int(head.lastPage) + 1
    run.expect(min(pageCount, image.sizeInBytes / head.pageSizeInBytes))
    var (isEnded, done) = (false, 0)
    let counts = try image.verify(head, .all) { pages in
      defer { done = pages }
      do { try run.advance(by: pages - done) } catch { isEnded = true }
      return !isEnded
    } report: { finding in
      do { try run.add(.page, finding.description) } catch { isEnded = true }
      return !isEnded
    }
    run.setPageCount(counts.pages)
    if isEnded { throw VerificationRun.Ended() }
  }

  // MARK: Content

  private func verifyContent(in storage: StorageTransaction) throws {
    guard let table = try storage.openTable(SystemTable.name, .plain, create: false) else {
      // A store whose first opening was interrupted has no table.
      if head.version > 0 { try run.add(.schema, "the file lacks the table '\(SystemTable.name)'") }
      return
    }
    let system = SystemTable(table: table, quoting: run.quoting)
    let content: StoreContent
    do {
      let format = try system.format(in: storage)
      guard format == SystemTable.formatVersion else {
        _ = run.end(isComplete: false)
        return try run.add(
          .schema,
          "the file format is \(SystemTable.refusal(of: format))"
        )
      }
      try system.checkDigest(in: storage)
      var opened = try StoreContent.open(system.schema(in: storage), system: system, in: storage)
      opened.retired = try system.retired(in: storage)
      content = opened
    } catch {
      return try run.add(.schema, error, in: "the schema of the file")
    }
    for table in content.tables {
      do {
        try EntityVerification(
          table: table,
          tables: content.tables,
          system: system,
          storage: storage,
          run: run
        ).verify()
      } catch {
        try run.add(.record, error, in: "'\(table.name)'", entity: table.name)
      }
    }
    for relation in content.relations {
      let name = content.tables[relation.source].name
      do {
        try verify(relation, of: name, content, storage)
      } catch {
        try run.add(.relation, error, in: place(relation, name), entity: name)
      }
    }
    for entity in content.retired.entities {
      do {
        try verify(entity, in: storage)
      } catch {
        try run.add(.record, error, in: retired(entity.schema.name), entity: entity.schema.name)
      }
    }
    for relation in content.retired.relations {
      let place = retired("relation \(relation.identity.id) of \(relation.sourceName)")
      do {
        try verify(relation, place, in: storage)
      } catch {
        try run.add(.relation, error, in: place, entity: relation.sourceName)
      }
    }
    try verifyTableNames(content)
  }

  // MARK: Retired data

  private func retired(_ name: String) -> String { "the retired '\(name)'" }

  /// Checks the records of an entity that the model no longer has.
  private func verify(
    _ entity: RetiredSchema.Entity,
    in storage: StorageTransaction
  ) throws {
    let table = try StoreContent.openExisting(entity.table, .objects, in: storage)
    run.expect(try storage.count(table))
    let check = RecordVerification(
      entity.schema,
      layouts: entity.layouts,
      checksum: RecordChecksum(entityUID: entity.schema.identity.uid)
    )
    try storage.cursor(table).forEachObject { object in
      try run.countRecord()
      if let fault = check.fault(in: object.record, id: object.id) {
        try run.add(
          .record,
          "the record of \(retired(entity.schema.name)) with ID \(object.id) \(fault)",
          entity: entity.schema.name,
          objectID: object.id
        )
      }
    }
  }

  /// Checks that both tables of a relation that the model no longer has contain the same pairs;
  /// their objects may be gone.
  private func verify(
    _ relation: RetiredSchema.Relation,
    _ place: String,
    in storage: StorageTransaction
  ) throws {
    try verifyPairs(
      of: place,
      entity: relation.sourceName,
      forward: try StoreContent.openExisting(relation.forward, .index, in: storage),
      backward: try StoreContent.openExisting(relation.backward, .index, in: storage),
      storage
    ) { _, _ in }
  }

  // MARK: Relations

  private func place(_ relation: RelationTable, _ entity: String) -> String {
    "the relation \(relation.schema.identity.id) of '\(entity)'"
  }

  /// Checks that both tables of a relation contain the same pairs; notes pairs without one of their
  /// objects.
  private func verify(
    _ relation: RelationTable,
    of entity: String,
    _ content: StoreContent,
    _ storage: StorageTransaction
  ) throws {
    let (sources, targets) = (content.tables[relation.source], content.tables[relation.target])
    try verifyPairs(
      of: place(relation, entity),
      entity: entity,
      forward: relation.forward,
      backward: relation.backward,
      storage
    ) { source, target in
      guard run.checksValues else { return }
      if try sources.contains(source, in: storage), try targets.contains(target, in: storage) {
        return
      }
      run.note(
        DanglingRelation(
          entity: entity,
          relation: relation.schema.title,
          target: targets.name,
          sourceID: source,
          targetID: target
        )
      )
    }
  }

  private func verifyPairs(
    of place: String,
    entity: String,
    forward table: StorageTable,
    backward other: StorageTable,
    _ storage: StorageTransaction,
    body: (_ source: UInt64, _ target: UInt64) throws -> Void
  ) throws {
    let backward = try storage.cursor(other)
    let forward = try storage.cursor(table)
    run.expect(try storage.count(table))
    var entry = try forward.firstEntry()
    while let pair = entry {
      run.countEntries()
      try run.advance()
      guard pair.key.count == MemoryLayout<UInt64>.size else {
        try run.add(.relation, "\(place) has a key of \(pair.key.count) bytes", entity: entity)
        entry = try forward.nextEntry()
        continue
      }
      let source = UInt64(bigEndian: pair.key.loadUnaligned(as: UInt64.self))
      let isKnownBackward = try withUnsafeBytes(of: pair.id.bigEndian) {
        try backward.contains(key: $0, id: source)
      }
      if !isKnownBackward {
        try run.add(
          .relation,
          "\(place) has \(source) -> \(pair.id) for the source only",
          entity: entity,
          objectID: source
        )
      }
      try body(source, pair.id)
      entry = try forward.nextEntry()
    }
    let counts = (try storage.count(table), try storage.count(other))
    if counts.0 != counts.1 {
      try run.add(
        .relation,
        "\(place) has \(counts.0) pairs for its sources and \(counts.1) for its targets",
        entity: entity
      )
    }
  }

  /// Checks that every table of the file belongs to the schema.
  private func verifyTableNames(_ content: StoreContent) throws {
    var expected: Set<String> = [SystemTable.name, SystemTable.sync]
    for entity in content.schema.entities {
      expected.insert(SystemTable.objects(entity: entity.identity.id))
      expected.formUnion(entity.indexTables.flatMap(\.tables).map(\.name))
      for relation in entity.relations {
        expected.insert(SystemTable.relation(relation.identity.id))
        expected.insert(SystemTable.backlink(relation.identity.id))
      }
    }
    expected.formUnion(content.retired.entities.map(\.table))
    expected.formUnion(content.retired.relations.flatMap { [$0.forward, $0.backward] })
    for name in try image.tableNames(head) where !expected.contains(name) {
      try run.add(.schema, "the file has the table '\(name)', which its schema lacks")
    }
  }
}

extension VerificationRun {
  /// Adds the error that ended the check of a part, which is incomplete then.
  func add(_ part: StoreFault.Part, _ error: any Error, in place: String, entity: String? = nil)
    throws
  {
    if error is Ended { throw error }
    _ = end(isComplete: false)
    let cause =
      (error as? StorageError).map { "\($0.call): \($0.explanation)" }
      ?? (error as? ObjectBoxError)?.message ?? "\(error)"
    try add(part, "\(place) cannot be read further: \(cause)", entity: entity)
  }

  /// Runs the whole check of a version.
  func report(
    on image: StorageImage,
    _ head: StorageImage.Head
  ) throws -> VerificationReport {
    do {
      try StoreVerification(image: image, head: head, run: self).verify()
    } catch is Ended {
      return end(isComplete: false)
    }
    return end(isComplete: true)
  }

  /// Checks the readable part of files that a medium keeps.
  func report(on copy: ReadableCopy) throws -> VerificationReport {
    do {
      for fault in copy.faults { try add(fault.page == nil ? .file : .page, fault.message) }
    } catch is Ended {
      return end(isComplete: false)
    }
    if let head = copy.pinned ?? copy.image.newestHead() { return try report(on: copy.image, head) }
    // Before the first commit the medium has no pages.
    if copy.image.sizeInBytes == 0, copy.faults.isEmpty { return end(isComplete: true) }
    return try report(onHeadless: copy.image)
  }

  /// Reports a file without a head page.
  func report(onHeadless image: StorageImage) throws -> VerificationReport {
    setFile(version: 0, sizeInBytes: image.sizeInBytes)
    try StoreVerification.verifyHeads(of: image, run: self)
    return end(isComplete: false)
  }
}
