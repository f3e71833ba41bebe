internal import ObjectBox
internal import ObjectBoxDynamic

/// Saves the pairs of standalone relations, which are stored at both ends.
///
/// A pair is certain when both ends have it, or when one end has it and the other's page cannot be
/// read. A pair with a damaged ID occurs at one end only.
final class SalvagePairs {
  private struct Pair {
    let source: UInt64
    let target: UInt64
    let isCertain: Bool
  }

  private static let batchCount = 10_000

  private let run: SalvageRun
  private var waiting: [Pair] = []

  init(_ run: SalvageRun) { self.run = run }

  /// Saves all relations; the walks have been restarted.
  func save() throws {
    for entity in run.source.schema.entities {
      for relation in entity.relations {
        run.log.report.relations.append(
          SalvageReport.Relation(id: relation.identity.id, entity: entity.name)
        )
        try save(relation.identity.id, of: entity.name)
      }
    }
  }

  private var index: Int { run.log.report.relations.count - 1 }

  private func save(_ relation: UInt32, of entity: String) throws {
    let forward = SystemTable.relation(relation)
    let backward = SystemTable.backlink(relation)
    var gaps: [String: [UInt64]] = [:]
    for (name, other) in [(forward, backward), (backward, forward)] {
      let isForward = name == forward
      try run.file.forEachEntry(of: name, .sets) { entry in
        let (key, id) = (entry.relatedID, entry.valueID)
        let known = self.run.file.contains(other, key: id, id: key)
        // The walk from the sources has already saved pairs that both ends have.
        if known == true, !isForward { return }
        let pair = Pair(
          source: isForward ? key : id,
          target: isForward ? id : key,
          isCertain: known ?? entry.isCertain
        )
        try self.add(pair, relation, entity)
      } gap: { gap in
        gaps[name, default: []].append(gap.page)
      }
    }
    try flush(relation, entity)
    let report = run.log.report.relations[index]
    let found = UInt64(report.savedCount + report.danglingCount + report.uncertainCount)
    let counts = [forward, backward].compactMap { run.file.tables[$0]?.entryCount }
    let expected = counts.min() ?? .max
    guard gaps.count == 2 || found < expected else { return }
    let pages = gaps.values.joined().sorted().map { "\($0)" }.joined(separator: ", ")
    run.log.add(
      .relation,
      "pairs of the relation \(relation) of '\(entity)' may be missing"
        + (pages.isEmpty ? "" : ": of both ends, the pages \(pages) cannot be read"),
      entity: entity
    )
  }

  private func add(_ pair: Pair, _ relation: UInt32, _ entity: String) throws {
    if !pair.isCertain {
      run.log.report.relations[index].uncertainCount += 1
      run.log.add(
        .relation,
        "the relation \(relation) of '\(entity)' has \(pair.source) -> \(pair.target) at one of its ends only",
        entity: entity
      )
      guard run.options.savesUncertain else { return }
    }
    waiting.append(pair)
    if waiting.count >= Self.batchCount { try flush(relation, entity) }
  }

  private func flush(_ relation: UInt32, _ entity: String) throws {
    guard !waiting.isEmpty else { return }
    try run.store.writingStored { writing in
      for pair in waiting { try put(pair, relation, entity, writing) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func put(
    _ pair: Pair,
    _ relation: UInt32,
    _ entity: String,
    _ writing: StoredWriting
  ) throws {
    do {
      try writing.relate(relation: relation, source: pair.source, target: pair.target)
      if pair.isCertain { run.log.report.relations[index].savedCount += 1 }
    } catch ObjectBoxError.notFound {
      if pair.isCertain { run.log.report.relations[index].danglingCount += 1 }
      run.log.add(
        .relation,
        "the relation \(relation) of '\(entity)' has \(pair.source) -> \(pair.target), of which one object is not "
          + "saved",
        entity: entity
      )
    }
  }
}
