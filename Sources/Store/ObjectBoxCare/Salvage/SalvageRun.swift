internal import ObjectBox
internal import ObjectBoxDynamic

/// Saves everything readable of a damaged file into a new store.
///
/// The order: objects in trees, uncertain objects, pairs of standalone relations, ID sequences. The
/// puts create indexes and graphs.
final class SalvageRun {
  /// The number of objects and pairs per transaction.
  private static let batchCount = 10_000
  private static let batchSize = 16 << 20

  /// The steps that save records; each saves other records.
  enum Step {
    case certain, uncertain, damaged
  }

  /// A record that waits for its batch's transaction; its bytes are the file's.
  private struct Waiting {
    let entity: SalvageEntity
    let id: UInt64
    let record: UnsafeRawBufferPointer
    let page: UInt64
    let step: Step
    /// True when it is already counted as uncertain.
    let isTold: Bool
  }

  let file: SalvageFile
  let source: SalvageSchema
  let store: Store
  let log: SalvageLog
  let options: SalvageOptions
  let entities: [SalvageEntity]
  private var waiting: [Waiting] = []
  private var waitingSize = 0
  /// The number of doubtful records in trees, and of records with a wrong checksum that could be
  /// saved.
  private var doubtfulCount = 0
  private var changedCount = 0
  /// The pages of objects and of relations; the latter are read twice.
  private var objectPageCount = 0
  private var relationPageCount = 0

  init(
    _ file: SalvageFile,
    _ source: SalvageSchema,
    into store: Store,
    _ options: SalvageOptions,
    _ log: SalvageLog
  ) {
    self.file = file
    self.source = source
    self.store = store
    self.options = options
    self.log = log
    entities = source.schema.entities.enumerated().map {
      SalvageEntity($1, index: $0, source)
    }
    log.report.entities = entities.map { SalvageReport.Entity(name: $0.name) }
  }

  /// Saves everything.
  ///
  /// - Throws: `SalvageLog.Ended` when the progress handler ended it; ``ObjectBoxError`` when the
  ///   new store cannot be written.
  func run() throws {
    // The walks of tables and the walk of orphans each look at all pages.
    log.expect(2 * file.pageCount)
    let first = file.pagesTold
    for entity in entities { try saveCertain(entity) }
    objectPageCount = file.pagesTold - first
    try flush()
    try walkOtherTables()
    log.expect(relationPageCount)
    try saveOrphans()
    try file.restart()
    if options.savesUncertain && doubtfulCount > 0 || options.savesDamaged && changedCount > 0 {
      log.expect(2 * objectPageCount)
      for step in [Step.uncertain, .damaged] {
        for entity in entities { try saveAgain(entity, step) }
        try flush()
        try file.restart()
      }
    }
    try SalvagePairs(self).save()
    try saveSequences()
    for retired in source.retired.entities {
      log.add(
        .schema,
        "the objects of '\(retired.schema.name)', which the model has lost, are not salvaged: \(retired.objectCount)",
        entity: retired.schema.name
      )
    }
    try log.finish()
  }

  // MARK: Objects of trees

  private func saveCertain(_ entity: SalvageEntity) throws {
    guard let table = file.tables[Self.tableName(entity)] else {
      entity.isEndMissing = true
      if log.report.version != nil {
        log.add(
          .missing,
          "the table of '\(entity.name)' cannot be found, so that all its objects may be missing",
          entity: entity.name
        )
      }
      return
    }
    var (seen, isGapTold) = (UInt64(0), false)
    try file.forEachEntry(of: table.name, .records) { entry in
      seen += 1
      try self.take(entry, of: entity)
    } gap: { gap in
      isGapTold = true
      self.tell(gap, of: entity)
    }
    let expected = table.entryCount
    guard expected != seen else { return }
    // A count of more objects than fit in the file is damaged.
    if expected > seen, expected - seen < UInt64(file.pageCount) << 11 {
      log.report.entities[entity.index].missingCount = Int(expected - seen)
    }
    if !isGapTold {
      log.add(
        .missing,
        "the table of '\(entity.name)' has \(seen) readable objects, and says \(expected)",
        entity: entity.name
      )
    }
  }

  private static func tableName(_ entity: SalvageEntity) -> String {
    SystemTable.objects(entity: entity.schema.identity.id)
  }

  private func take(_ entry: SalvageFile.Entry, of entity: SalvageEntity) throws {
    let id = entry.keyID
    switch entity.state(of: entry.value, id: id) {
    case .right:
      entity.note(id: id, isProven: true)
      if entry.isCertain { return try add(entry, id, of: entity, .certain) }
      doubtfulCount += 1
      tellUncertain(id, of: entity, on: entry.page, "stands where none of its ID should")
    case .changed:
      changedCount += 1
      if entry.isCertain { entity.note(id: id, isProven: false) }
      tellLost(id, of: entity, on: entry.page, "has a wrong checksum")
    case .unreadable(let fault):
      if entry.isCertain { entity.note(id: id, isProven: false) }
      tellLost(id, of: entity, on: entry.page, fault)
    }
  }

  private func tell(_ gap: SalvageFile.Gap, of entity: SalvageEntity) {
    let (low, high) = gap.ids
    if let high { entity.note(id: high, isProven: false) } else { entity.isEndMissing = true }
    let part = gap.isSubtree ? "page \(gap.page)" : "a part of page \(gap.page)"
    let range =
      switch (low, high) {
      case (let low?, let high?): "with IDs \(low) to \(high) "
      case (let low?, nil): "with IDs from \(low) on "
      case (nil, let high?): "with IDs up to \(high) "
      case (nil, nil): ""
      }
    let ids = (low ?? 1)...max(low ?? 1, high ?? EntityTable.maximumID)
    log.add(
      .missing,
      "\(part) of '\(entity.name)' cannot be read: objects \(range)may be missing",
      entity: entity.name,
      ids: ids,
      page: gap.page
    )
  }

  private func saveAgain(_ entity: SalvageEntity, _ step: Step) throws {
    try file.forEachEntry(of: Self.tableName(entity), .records) { entry in
      switch (entity.state(of: entry.value, id: entry.keyID), step) {
      case (.right, .uncertain) where !entry.isCertain && self.options.savesUncertain,
        (.changed, .damaged) where self.options.savesDamaged:
        try self.add(entry, entry.keyID, of: entity, step, isTold: true)
      default: break
      }
    } gap: { _ in
    }
  }

  // MARK: Other tables

  /// Walks the tables without objects, so that their pages do not count as lost, and notes their
  /// IDs.
  private func walkOtherTables() throws {
    for entity in entities {
      let single = entity.schema.properties.compactMap(\.index?.id)
      for id in single + entity.schema.compoundIndexes.map(\.identity.id) {
        try walk(SystemTable.index(id), .sets) { entity.note(id: $0.valueID, isProven: false) }
        try walk(SystemTable.vectorIndex(id), .records) {
          entity.note(id: $0.keyID, isProven: false)
        }
      }
      for index in entity.schema.fullTextIndexes {
        try walk(SystemTable.fullTextIndex(index.identity.id), .rows) { _ in }
        try walk(SystemTable.fullTextState(index.identity.id), .rows) { _ in }
      }
      let first = file.pagesTold
      for relation in entity.schema.relations {
        let target = entities.first { $0.schema.identity.id == relation.target.id }
        try walk(SystemTable.relation(relation.identity.id), .sets) {
          entity.note(id: $0.relatedID, isProven: false)
          target?.note(id: $0.valueID, isProven: false)
        }
        try walk(SystemTable.backlink(relation.identity.id), .sets) {
          target?.note(id: $0.relatedID, isProven: false)
          entity.note(id: $0.valueID, isProven: false)
        }
      }
      relationPageCount += file.pagesTold - first
    }
    for entity in source.retired.entities { try walk(entity.table, .records) { _ in } }
    for relation in source.retired.relations {
      try walk(relation.forward, .sets) { _ in }
      try walk(relation.backward, .sets) { _ in }
    }
  }

  private func walk(
    _ name: String,
    _ kind: SalvageFile.Kind,
    _ body: @escaping (SalvageFile.Entry) -> Void
  ) throws {
    try file.forEachEntry(of: name, kind) {
      if $0.isCertain { body($0) }
    } gap: { _ in
    }
  }

  // MARK: Orphans

  /// Saves or counts the records on pages of no tree.
  private func saveOrphans() throws {
    var page: [SalvageFile.Entry] = []
    // Without sequences, only free pages show the IDs of removed objects.
    try file.forEachOrphan(withFree: source.sequences.isEmpty) { entry in
      if let first = page.first, first.page != entry.page {
        try self.takeOrphans(page)
        page = []
      }
      page.append(entry)
    }
    try takeOrphans(page)
    try flush()
  }

  private func takeOrphans(_ page: [SalvageFile.Entry]) throws {
    guard !page.isEmpty else { return }
    guard let entity = owner(of: page) else { return }
    for entry in page {
      guard case .right = entity.state(of: entry.value, id: entry.keyID) else { continue }
      entity.note(id: entry.keyID, isProven: true)
      if !entry.isFree { try add(entry, entry.keyID, of: entity, .uncertain) }
    }
  }

  /// Returns the entity of a page's records, by their checksums.
  private func owner(of page: [SalvageFile.Entry]) -> SalvageEntity? {
    entities.first { entity in
      page.contains { entry in
        if case .right = entity.state(of: entry.value, id: entry.keyID) { true } else { false }
      }
    }
  }

  // MARK: Batches

  private func add(
    _ entry: SalvageFile.Entry,
    _ id: UInt64,
    of entity: SalvageEntity,
    _ step: Step,
    isTold: Bool = false
  ) throws {
    waiting.append(
      Waiting(
        entity: entity,
        id: id,
        record: entry.value,
        page: entry.page,
        step: step,
        isTold: isTold
      )
    )
    waitingSize += entry.value.count
    if waiting.count >= Self.batchCount || waitingSize >= Self.batchSize { try flush() }
  }

  private func flush() throws {
    guard let step = waiting.first?.step else { return }
    if step == .uncertain, !options.savesUncertain {
      try store.readingStored { version in
        for item in waiting where try !version.contains(item.id, entity: item.entity.index) {
          tellUncertain(item)
        }
      }
    } else {
      try store.writingStored { writing in
        for item in waiting { try put(item, writing) }
      }
    }
    waiting.removeAll(keepingCapacity: true)
    waitingSize = 0
  }

  private func put(_ item: Waiting, _ writing: StoredWriting) throws {
    let entity = item.entity
    guard let reader = entity.reader(item.record, id: item.id) else { return }
    let isCertain = item.step == .certain
    switch try writing.salvage(reader, entity: entity.index, isCertain: isCertain) {
    case .stored: countSaved(item)
    case .replaced(let ids):
      countSaved(item)
      log.report.entities[entity.index].savedCount -= ids.count
      log.report.entities[entity.index].lostCount += ids.count
      for id in ids { tellTaken(id, by: item.id, of: entity, on: item.page) }
    case .taken(let ids): tellTaken(item.id, by: ids[0], of: entity, on: item.page)
    case .exists where isCertain:
      tellUncertain(item.id, of: entity, on: item.page, "is there twice")
    case .exists: break
    case .refused(let fault): tellLost(item.id, of: entity, on: item.page, "is refused: \(fault)")
    }
  }

  private func countSaved(_ item: Waiting) {
    let index = item.entity.index
    guard item.step != .certain else { return log.report.entities[index].savedCount += 1 }
    log.report.entities[index].savedUncertainCount += 1
    if item.step == .uncertain {
      if !item.isTold { tellUncertain(item) }
      log.report.entities[index].uncertainCount -= 1
    } else {
      log.report.entities[index].lostCount -= 1
    }
  }

  private func tellUncertain(_ item: Waiting) {
    tellUncertain(item.id, of: item.entity, on: item.page, "is on a page that no table has")
  }

  private func tellUncertain(
    _ id: UInt64,
    of entity: SalvageEntity,
    on page: UInt64,
    _ reason: String
  ) {
    log.report.entities[entity.index].uncertainCount += 1
    tell(.uncertain, id, of: entity, on: page, reason)
  }

  private func tellLost(_ id: UInt64, of entity: SalvageEntity, on page: UInt64, _ fault: String) {
    log.report.entities[entity.index].lostCount += 1
    tell(.lost, id, of: entity, on: page, fault)
  }

  private func tell(
    _ kind: SalvageFinding.Kind,
    _ id: UInt64,
    of entity: SalvageEntity,
    on page: UInt64,
    _ fault: String
  ) {
    log.add(
      kind,
      "the record of '\(entity.name)' with ID \(id) \(fault)",
      entity: entity.name,
      ids: id...id,
      page: page
    )
  }

  private func tellTaken(
    _ id: UInt64,
    by other: UInt64,
    of entity: SalvageEntity,
    on page: UInt64
  ) {
    log.add(
      .unique,
      "'\(entity.name)' with ID \(id) is not saved: the one with ID \(other) holds its unique value",
      entity: entity.name,
      ids: id...id,
      page: page
    )
  }

  // MARK: ID sequences

  /// Makes sure that no ID of an object in the file is assigned again.
  private func saveSequences() throws {
    for entity in entities where entity.isEndMissing {
      entity.skipMissingIDs(log.report.entities[entity.index].missingCount)
      log.add(
        .sequence,
        "the highest ID of '\(entity.name)' is not known; new objects get IDs above \(entity.highestID)",
        entity: entity.name
      )
    }
    try store.writingStored { writing in
      for entity in entities {
        try writing.raiseLastID(entity: entity.index, to: entity.highestID)
      }
    }
  }
}
