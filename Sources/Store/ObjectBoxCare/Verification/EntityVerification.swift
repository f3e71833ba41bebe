internal import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxSearch
internal import ObjectBoxStorage

/// Checks the objects of an entity: records, index entries in both directions, unique values, the
/// ID sequence, and the graphs of nearest-neighbour indexes.
struct EntityVerification {
  let table: EntityTable
  /// All entities of the store.
  let tables: [EntityTable]
  let system: SystemTable
  let storage: StorageTransaction
  let run: VerificationRun

  private var name: String { table.name }

  func verify() throws {
    run.expect(try table.count(in: storage) * (1 + table.allIndexes.count))
    let fullTextIndexes = table.fullTextIndexes
    var sums = fullTextIndexes.map { _ in FullTextSum?.some(FullTextSum()) }
    let counts = try verifyRecords(fullTextIndexes, &sums)
    for (index, count) in zip(table.allIndexes, counts) { try verify(index, expectedCount: count) }
    for (index, sum) in zip(fullTextIndexes, sums) {
      for fault in index.faults(in: storage, expecting: sum, run.quoting) {
        try run.add(
          .index,
          "the full-text index of \(place(index.schema.title(in: table.schema))): \(fault)",
          entity: name
        )
      }
    }
    for definition in table.vectorIndexes {
      do {
        let graph = try definition.open(table.records, in: storage, isWritable: false)
        for fault in try graph.faults() {
          try run.add(
            .vectorGraph,
            "the graph of \(place(definition.property.name)): \(fault)",
            entity: name
          )
        }
      } catch {
        try run.add(
          .vectorGraph,
          error,
          in: "the graph of \(place(definition.property.name))",
          entity: name
        )
      }
    }
  }

  private func place(_ property: String) -> String { "'\(name).\(property)'" }

  // MARK: Records

  /// Checks that the values of the given properties, of encoded types such as decimals, can be read.
  ///
  /// Unreadable values of other properties are no damage: a program whose model knew a plain text may have
  /// stored them.
  private func verifyValues(of record: RecordReader, in properties: [PropertySchema]) throws {
    for property in properties {
      guard let type = property.encodedType,
        let bytes = record.bytes(record.field(propertyID: property.identity.id)),
        type.value(in: bytes) == nil
      else { continue }
      let text = run.quoting.words(
        " '\(String(decoding: bytes.prefix(40), as: UTF8.self))'",
        else: ""
      )
      try run.add(
        .record,
        "the record of '\(name)' with ID \(record.id) has '\(property.name)', whose bytes\(text) are no "
          + "\(type); put another value",
        entity: name,
        objectID: record.id
      )
      return
    }
  }

  /// Checks each record, and that each index has its entry.
  ///
  /// - Parameters:
  ///   - fullTextIndexes: The full-text indexes of the entity.
  ///   - sums: Get the words of each of them; nil afterwards if this program splits texts by other
  ///     rules, or a record is damaged.
  /// - Returns: The expected number of entries of each index.
  /// - Throws: Errors of the storage, and the end of the run.
  private func verifyRecords(
    _ fullTextIndexes: [FullTextIndexDefinition],
    _ sums: inout [FullTextSum?]
  ) throws -> [Int] {
    let check = RecordVerification(
      table.schema,
      layouts: table.records.layouts.map(\.definition),
      checksum: table.records.checksum
    )
    let encoded = run.checksValues ? table.schema.properties.filter { $0.encodedType != nil } : []
    let relations = run.checksValues ? toOnes : []
    var counts = [Int](repeating: 0, count: table.allIndexes.count)
    let cursors = try table.allIndexes.map { try storage.cursor($0.table) }
    let room = UnsafeMutableRawPointer.allocate(byteCount: OrderedKey.capacity, alignment: 8)
    defer { room.deallocate() }
    var key = OrderedKey(storage: room)
    let objects = try storage.cursor(table.records.objects)
    var entry = try objects.firstObject()
    while let object = entry {
      try run.countRecord()
      let id = object.id
      if id == 0 || id > EntityTable.maximumID {
        try run.add(
          .record,
          "'\(name)' has an object with ID \(id), which none has",
          entity: name,
          objectID: id
        )
      }
      if let fault = check.fault(in: object.record, id: id) {
        try run.add(
          .record,
          "the record of '\(name)' with ID \(id) \(fault)",
          entity: name,
          objectID: id
        )
        for number in sums.indices { sums[number] = nil }
      } else {
        let reader = try table.records.reader(object.record, id: id)
        try verifyValues(of: reader, in: encoded)
        for relation in relations { try verify(relation, of: reader) }
        for (number, index) in table.allIndexes.enumerated()
        where index.key.write(reader, into: &key) {
          counts[number] += 1
          if try !cursors[number].contains(key: key.bytes, id: id) {
            try run.add(
              .index,
              "the index of \(place(index.name)) lacks the object with ID \(id)",
              entity: name,
              objectID: id
            )
          }
        }
      }
      for (number, index) in fullTextIndexes.enumerated() {
        guard var sum = sums[number] else { continue }
        let reader = try table.records.reader(object.record, id: id)
        sums[number] = (try? index.add(reader, to: &sum)).map { sum }
      }
      entry = try objects.nextObject()
    }
    let sequence = try system.sequence(entity: table.schema.identity.id, in: storage)
    if sequence > EntityTable.maximumID {
      try run.add(
        .sequence,
        "the ID sequence of '\(name)' is \(sequence), which no ID is",
        entity: name
      )
    }
    return counts
  }

  // MARK: To-one relations

  private typealias ToOne = (property: PropertySchema, target: EntityTable)

  private var toOnes: [ToOne] {
    tables.toOnes(of: table).map { (table.schema.properties[$0.index], $0.target) }
  }

  /// Notes a to-one relation that leads to no object.
  private func verify(_ relation: ToOne, of record: RecordReader) throws {
    let id = record.targetID(propertyID: relation.property.identity.id)
    guard id != 0, try !relation.target.contains(id, in: storage) else { return }
    run.note(
      DanglingRelation(
        entity: name,
        relation: relation.property.name,
        target: relation.target.name,
        sourceID: record.id,
        targetID: id
      )
    )
  }

  // MARK: Indexes

  /// Checks that an index has only the records' entries, and that unique values are unique.
  private func verify(_ index: IndexDefinition, expectedCount: Int) throws {
    let count = try storage.count(index.table)
    // Every expected entry was found: an equal count means that there are no others.
    if count == expectedCount, !index.isUnique {
      run.countEntries(count)
      return try run.advance(by: count)
    }
    let cursor = try storage.cursor(index.table)
    let room = UnsafeMutableRawPointer.allocate(byteCount: OrderedKey.capacity, alignment: 8)
    defer { room.deallocate() }
    var key = OrderedKey(storage: room)
    var previous: (key: [UInt8], ids: [UInt64]) = ([], [])
    var entry = try cursor.firstEntry()
    while let found = entry {
      run.countEntries()
      try run.advance()
      let record = try table.record(found.id, in: storage)
      let isExpected = record.map {
        index.key.write($0, into: &key) && ByteSearch.areEqual(key.bytes, found.key)
      }
      if isExpected != true, count != expectedCount {
        let fault =
          isExpected == nil ? "leads to the missing object" : "has a wrong key for the object"
        try run.add(
          .index,
          "the index of \(place(index.name)) \(fault) with ID \(found.id)",
          entity: name,
          objectID: found.id
        )
      }
      if index.isUnique, let record, isExpected == true, !index.key.isNull(record) {
        if !found.key.elementsEqual(previous.key) { previous = (Array(found.key), []) }
        try verifyUnique(index, record, among: previous.ids)
        previous.ids.append(found.id)
      }
      entry = try cursor.nextEntry()
    }
  }

  /// Checks that objects with the same key have different values.
  private func verifyUnique(
    _ index: IndexDefinition,
    _ record: RecordReader,
    among ids: [UInt64]
  ) throws {
    for id in ids {
      guard let other = try table.record(id, in: storage), index.key.isSameValue(record, other)
      else { continue }
      try run.add(
        .unique,
        "the objects of '\(name)' with the IDs \(id) and \(record.id) have the same '\(index.name)', which "
          + "is unique",
        entity: name,
        objectID: record.id
      )
    }
  }
}
