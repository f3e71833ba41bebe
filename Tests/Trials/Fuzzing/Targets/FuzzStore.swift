import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxSearch
import ObjectBoxStorage
import ObjectBoxTool

/// A store of things whose tables are overwritten with other bytes.
///
/// Changed records get right checksums, and changed schemas right digests: nothing refuses the bytes
/// before their readers get them.
struct FuzzStore {
  let path: String
  private let kind: Kind
  private static let systemTable = "objectbox"

  /// The store before the change.
  enum Kind {
    /// A few objects; the last five, with IDs from 13, have a value of each type.
    case objects
    /// Enough objects for a graph of three levels.
    case graph
    /// Objects with a full-text index of several runs.
    case words
  }

  private static let objects = Result { () -> [UInt8] in
    try make(.objects) { store in
      try store.box(for: Thing.self).put(
        (1...12).map {
          Thing(key: "key \($0)", number: $0 / 2, place: [Float($0), 1], next: Id($0 / 2))
        }
      )
      let box = try store.box(named: "Thing")
      for sample in Thing.Sample.allCases { try box.put(Thing.values(sample)) }
    }
  }

  private static let graph = Result { () -> [UInt8] in
    try make(.graph) { store in
      try store.box(for: Thing.self).put(
        (1...graphCount).map { number in
          let place = [Float(number * 37 % 101), Float(number * 53 % 89)]
          return Thing(key: "key \(number)", number: Int32(number), place: place)
        }
      )
    }
  }

  private static let words = Result { () -> [UInt8] in
    try make(.words) { store in
      let box = store.box(for: Thing.self)
      func thing(_ number: Int) -> Thing {
        let key = "key \(number), word\(number % 5) and word\(number % 3) of data race"
        return Thing(key: key, number: Int32(number), place: nil)
      }
      try box.put((1...300).map(thing))
      for number in 301...312 { try box.put(thing(number)) }
      for id: Id in [3, 40, 305] { try box.remove(id) }
    }
  }

  /// The number of objects of the `graph` store.
  static let graphCount = 60

  /// Returns the file of a store that a body fills.
  private static func make(_ kind: Kind, _ body: (Store) throws -> Void) throws -> [UInt8] {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let store = FuzzStore(in: scratch, kind)
    let opened = try store.open()
    try body(opened)
    opened.close()
    return try store.bytes()
  }

  private init(in scratch: Scratch, _ kind: Kind) {
    self.kind = kind
    path = scratch.path + "/store"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Makes a store in a folder.
  init(_ scratch: Scratch, _ kind: Kind = .objects) throws {
    self.init(in: scratch, kind)
    let original =
      switch kind {
      case .objects: Self.objects
      case .graph: Self.graph
      case .words: Self.words
      }
    try Data(try original.get()).write(to: URL(fileURLWithPath: path + "/data.mdb"))
  }

  private func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/data.mdb")))
  }

  private var configuration: Store.Configuration {
    var configuration = Store.Configuration(directory: path)
    configuration.maxDbSizeInKByte = 20_000
    return configuration
  }

  private func open() throws -> Store {
    try Store(model: try Thing.model(hasWords: kind == .words), configuration: configuration)
  }

  /// Changes the tables of the closed store.
  func change(_ body: (StorageTransaction) throws -> Void) throws {
    let environment = try StorageEnvironment(
      directory: path,
      options: StorageEnvironment.Options(mapSizeInBytes: 20 << 20, maximumTableCount: 64)
    )
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    try body(transaction)
    try transaction.commit()
  }

  /// Returns a value of the system table.
  func value(_ key: String) throws -> [UInt8] {
    var value: [UInt8] = []
    try change { transaction in
      guard let table = try transaction.openTable(Self.systemTable, .plain, create: false) else {
        return
      }
      value = try transaction.get(table, key: Array(key.utf8)) ?? []
    }
    return value
  }

  func setValue(_ value: [UInt8], of key: String, in transaction: StorageTransaction) throws {
    guard let table = try transaction.openTable(Self.systemTable, .plain, create: false) else {
      return
    }
    try transaction.put(table, key: Array(key.utf8), value: value)
  }

  /// Makes the digest that of the present values.
  func writeDigest(in transaction: StorageTransaction) throws {
    guard let table = try transaction.openTable(Self.systemTable, .plain, create: false) else {
      return
    }
    try SystemTable(table: table, quoting: .shown).writeDigest(in: transaction)
  }

  /// Returns whether a table has records, which end with checksums.
  private func hasRecords(_ table: String) -> Bool { table.hasPrefix("e") }

  /// Returns the records of a table, without their checksums.
  func records(_ table: String, ids: ClosedRange<UInt64>) throws -> [[UInt8]] {
    var records: [[UInt8]] = []
    try change { transaction in
      let end = hasRecords(table) ? RecordChecksum.size : 0
      guard let table = try transaction.openTable(table, .objects, create: false) else { return }
      for id in ids {
        if let record = try transaction.get(table, id: id) { records.append(record.dropLast(end)) }
      }
    }
    return records
  }

  /// Sets a record, and adds its checksum.
  func setRecord(
    _ record: [UInt8],
    id: UInt64,
    of table: String,
    in transaction: StorageTransaction
  ) throws {
    var record = record
    if hasRecords(table) {
      record += [UInt8](repeating: 0, count: RecordChecksum.size)
      record.withUnsafeMutableBytes {
        RecordChecksum(entityUID: Thing.uid).update($0, id: id)
      }
    }
    guard let table = try transaction.openTable(table, .objects, create: false) else { return }
    try record.withUnsafeBytes { try transaction.put(table, id: id, record: $0) }
  }

  /// Returns the keys and values of the full-text index, by table.
  func wordRows() throws -> [(table: String, key: [UInt8], value: [UInt8])] {
    var rows: [(table: String, key: [UInt8], value: [UInt8])] = []
    try change { transaction in
      for name in ["f6", "s6"] {
        guard let table = try transaction.openTable(name, .plain, create: false) else { continue }
        let cursor = try transaction.cursor(table)
        var row = try cursor.firstRow()
        while let found = row {
          rows.append((name, [UInt8](found.key), [UInt8](found.value)))
          row = try cursor.nextRow()
        }
      }
    }
    return rows
  }

  func setWordRow(
    _ value: [UInt8],
    of key: [UInt8],
    in table: String,
    _ transaction: StorageTransaction
  ) throws {
    guard let table = try transaction.openTable(table, .plain, create: false) else { return }
    try transaction.put(table, key: key, value: value)
  }

  // MARK: Uses

  /// Reads everything in every way, writes, and reads again.
  func use() throws {
    try FuzzTarget.attempt { _ = try Store.verify(directory: path) }
    try FuzzTarget.attempt { try useDynamically() }
    let isOpen = try FuzzTarget.attempt {
      let store = try open()
      defer { store.close() }
      try read(store)
      // Internal checks end the process when they find damage.
      #if !OBJECTBOX_INTERNAL_CHECKS
        try write(store)
      #endif
    }
    guard isOpen else { return }
    try FuzzTarget.attempt {
      let store = try open()
      defer { store.close() }
      _ = try store.box(for: Thing.self).all()
    }
  }

  private func useDynamically() throws {
    let store = try Store(existing: configuration)
    defer { store.close() }
    try FuzzTarget.attempt {
      var output = Discarded()
      try Dump(store).write(to: &output)
    }
    for entity in store.schema.entities {
      try FuzzTarget.attempt {
        let box = try store.box(named: entity.name)
        for object in try box.all() {
          for property in entity.properties { _ = object[property.name] }
        }
        _ = try box.count()
      }
      for property in entity.properties {
        try FuzzTarget.attempt {
          let query = try store.box(named: entity.name).query().ordered(by: property.name).build()
          _ = try query.find(limit: 5)
        }
      }
    }
  }

  private func read(_ store: Store) throws {
    let box = store.box(for: Thing.self)
    try FuzzTarget.attempt { _ = try box.all() }
    try FuzzTarget.attempt { _ = try store.freeze() }
    try FuzzTarget.attempt { _ = try box.get(where: Thing.key, equals: "key 3") }
    try FuzzTarget.attempt {
      let near = box.query { Thing.place.nearestNeighbors(queryVector: [1, 2], maxCount: 5) }
      _ = try near.build().findIdsWithScores()
    }
    func find(_ condition: QueryCondition<Thing>) throws {
      try FuzzTarget.attempt { _ = try box.query { condition }.build().findIds() }
      try FuzzTarget.attempt { _ = try box.query { condition }.build().count() }
    }
    if kind == .words {
      for text in [
        "word1", "key word2", "word1 OR word2", "\"data race\"", "wo*", "w*", "\"data ra\"*",
        "NEAR(key data, 3)", "race -word2",
      ] {
        try find(Thing.key.matches(text))
        try find(Thing.key.matches(text) && Thing.number > 20)
        for limit in [0, 3] {
          try FuzzTarget.attempt {
            let query = try box.query { Thing.key.matches(text) }.build()
            _ = try query.findIdsWithScores(limit: limit)
          }
        }
      }
      try FuzzTarget.attempt { _ = try box.fullTextFaults() }
    }
    try find(Thing.key == "key 3")
    try find(Thing.key.startsWith("KEY", caseSensitive: false))
    try find(Thing.number > 2 && Thing.key != "key 4")
    try find(Thing.property(.string, as: String.self).contains("a"))
    try find(Thing.property(.double, as: Double.self) > 1)
    try find(Thing.property(.short, as: Int16.self) < 7)
    try find(Thing.property(.long, as: Int64.self) == 5)
    try find(Thing.property(.bool, as: Bool.self) == true)
    try FuzzTarget.attempt {
      let numbers = try box.query().build().property(Thing.number)
      _ = (try numbers.sum(), try numbers.find())
      _ = try box.query().build().property(Thing.key).distinct().findStrings()
    }
  }

  private func write(_ store: Store) throws {
    let box = store.box(for: Thing.self)
    try FuzzTarget.attempt { try box.put(Thing(key: "new", number: 1, place: [3, 3])) }
    try FuzzTarget.attempt {
      for thing in try box.all().prefix(4) {
        thing.number += 1
        if kind == .words { thing.key += " more" }
        thing.place = [0, Float(thing.id % 7)]
        try box.put(thing)
      }
    }
    for id: Id in [1, 5, 9] { try FuzzTarget.attempt { try box.remove(id) } }
    try FuzzTarget.attempt { _ = try store.verify() }
  }

  /// Discards all bytes.
  private struct Discarded: ByteOutput {
    mutating func write(_ bytes: [UInt8]) {}
  }
}
