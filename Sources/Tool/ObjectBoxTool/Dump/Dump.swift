package import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

/// Writes one version of a store as JSON Lines: the header, the objects, and the pairs of
/// standalone relations.
///
/// A version always gives the same bytes. Memory is bounded by the largest object.
package struct Dump {
  /// The size in bytes at which lines are passed to the output.
  private static let pieceSize = 1 << 18
  /// The greatest number of pairs in a line.
  private static let pairsOfLine = 100

  private let store: Store
  private let entities: [String]
  private let progress: (_ done: Int, _ total: Int) throws -> Void

  /// Prepares a dump.
  ///
  /// - Parameters:
  ///   - store: The store, which other processes may write to meanwhile.
  ///   - entities: The names of the entities; empty for all. A relation is written when both its
  ///     ends are.
  ///   - progress: Gets the number of objects and pairs written, and the total. If it throws, the
  ///     dump ends.
  package init(
    _ store: Store,
    entities: [String] = [],
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) {
    self.store = store
    self.entities = entities
    self.progress = progress
  }

  /// Writes the dump.
  ///
  /// - Parameter output: Receives the bytes.
  /// - Returns: The header, which has the numbers of objects and pairs.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read, ``Failure`` for an entity that it
  ///   lacks, and the errors of the output.
  @discardableResult
  package func write(to output: inout some ByteOutput) throws -> DumpHeader {
    try store.readingStored { version in
      let header = try DumpHeader(version, store.schema, entities: entities)
      var lines = DumpLines(progress: progress, total: header.totalCount)
      header.write(to: &lines.writer)
      try lines.endLine(to: &output, steps: 0)
      for entity in header.entities {
        let entity = DumpEntity(header.schema.entities[entity.index], index: entity.index)
        try version.forEachObject(entity: entity.index) { record in
          lines.writer.object(record, entity)
          try lines.endLine(to: &output, steps: 1)
        }
      }
      for relation in header.relations {
        try write(relation.id, of: version, &lines, to: &output)
      }
      try lines.flush(to: &output)
      return header
    }
  }

  private func write(
    _ relation: UInt32,
    of version: StoredVersion,
    _ lines: inout DumpLines,
    to output: inout some ByteOutput
  ) throws {
    var source: UInt64 = 0
    var targets: [UInt64] = []
    try version.forEachLink(relation: relation) { next, target in
      if next != source || targets.count == Self.pairsOfLine {
        try lines.end(relation, source, &targets, to: &output)
        source = next
      }
      targets.append(target)
    }
    try lines.end(relation, source, &targets, to: &output)
  }

  /// Lines that are not passed to the output yet.
  private struct DumpLines {
    var writer = JSONWriter()
    private let progress: (Int, Int) throws -> Void
    private let total: Int
    private var done = 0

    init(progress: @escaping (Int, Int) throws -> Void, total: Int) {
      self.progress = progress
      self.total = total
    }

    mutating func endLine(to output: inout some ByteOutput, steps: Int) throws {
      writer.raw("\n")
      done += steps
      if writer.bytes.count >= Dump.pieceSize { try flush(to: &output) }
    }

    mutating func end(
      _ relation: UInt32,
      _ source: UInt64,
      _ targets: inout [UInt64],
      to output: inout some ByteOutput
    ) throws {
      guard !targets.isEmpty else { return }
      writer.raw("{\"relation\":")
      writer.integer(relation)
      writer.raw(",\"source\":")
      writer.integer(source)
      writer.raw(",\"targets\":")
      writer.list(targets) { $0.integer($1) }
      writer.raw("}")
      try endLine(to: &output, steps: targets.count)
      targets.removeAll(keepingCapacity: true)
    }

    mutating func flush(to output: inout some ByteOutput) throws {
      try output.write(writer.bytes)
      writer.removeAll()
      try progress(done, total)
    }
  }
}

extension JSONWriter {
  /// Appends an object's line without its end: the entity, the ID and the values that are not null.
  fileprivate mutating func object(_ record: RecordReader, _ entity: DumpEntity) {
    raw("{")
    key(entity.name)
    raw("{")
    key(entity.idKey)
    integer(record.objectID)
    for field in entity.fields {
      let stored = record.exact(field.property)
      if case .null = stored { continue }
      raw(",")
      key(field.property.name)
      value(stored, as: field.form)
    }
    raw("}}")
  }
}
