import Foundation
import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxCare
import ObjectBoxJSON
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Salvage of the readable parts of damaged stores.
struct SalvageTests {
  /// Makes a closed store of people, and removes each whose ID 7 divides.
  static func makeStore(
    _ count: Int = 3000,
    _ indexes: PersonIndexes = .all
  ) throws -> TemporaryStore {
    let temporary = try TemporaryStore(indexes: indexes)
    let people = temporary.store.box(for: Person.self)
    for part in 0..<3 {
      let ids = (part * count / 3)..<((part + 1) * count / 3)
      let new = ids.map { (id: Int) -> Person in
        Person("\(id)", email: "\(id)@example.org", age: Int32(id % 50))
      }
      try people.put(new)
    }
    let large = try #require(try people.get(3))
    large.photo = Data(repeating: 9, count: 20_000)
    try people.put(large)
    let removed: [Id] = stride(from: 7, through: count, by: 7).map { Id($0) }
    try people.remove(removed)
    // Lets the previous version share all pages of people with the newest version.
    for x in 0..<2 {
      try temporary.store.box(for: Point.self).put(Point(id: 0, x: Double(x), y: nil))
    }
    temporary.store.close()
    return temporary
  }

  private static func salvage(
    _ temporary: TemporaryStore,
    _ change: (inout SalvageOptions) -> Void = { _ in }
  ) throws -> (SalvageReport, StoredContent) {
    try salvage(temporary.path, in: temporary.folder, change)
  }

  private static func salvage(
    _ path: String,
    in folder: TemporaryDirectory,
    _ change: (inout SalvageOptions) -> Void = { _ in }
  ) throws -> (SalvageReport, StoredContent) {
    var options = SalvageOptions()
    change(&options)
    let target = folder.path + "/saved-\(UUID().uuidString)"
    let report = try #require(try Store.salvage(directory: path, to: target, options: options))
    #expect(try Store.verify(directory: target).faults == [])
    #expect(!FileManager.default.fileExists(atPath: target + ".salvage"))
    return (report, try StoredContent(path: target))
  }

  // MARK: Sound stores

  @Test func `of a sound store everything is saved, and no ID is given out again`() throws {
    let temporary = try Self.makeStore(700)
    let whole = try StoredContent(path: temporary.path)
    let before = try Data(contentsOf: URL(fileURLWithPath: temporary.path + "/data.mdb"))
    let (report, saved) = try Self.salvage(temporary)
    #expect(report.isWhole, "\(report)")
    #expect(saved == whole)
    #expect(report.entities.map(\.savedCount) == [600, 2])
    #expect(saved.lastIDs["Person"] == 700)
    let after = try Data(contentsOf: URL(fileURLWithPath: temporary.path + "/data.mdb"))
    #expect(after == before)
  }

  @Test func `progress rises, and ends when everything is done`() throws {
    let temporary = try Self.makeStore(700)
    var parts: [Double] = []
    let target = temporary.folder.path + "/saved"
    let report = try Store.salvage(directory: temporary.path, to: target) {
      parts.append($0)
      return true
    }
    #expect(report?.isWhole == true)
    #expect(parts == parts.sorted() && parts.last == 1)
  }

  @Test func `of an empty store an empty one is made`() throws {
    let temporary = try TemporaryStore()
    let (report, saved) = try Self.salvage(temporary)
    #expect(report.isWhole, "\(report)")
    #expect(saved == (try StoredContent(temporary.store)))
  }

  @Test func `relations of all kinds are saved`() throws {
    let relations = try RelationStore()
    let teachers = (0..<40).map { Teacher("\($0)") }
    try relations.teachers.put(teachers)
    for index in 0..<300 {
      let student = Student("\(index)")
      try relations.students.put(student)
      student.teachers.replace((0...(index % 20)).map { teachers[$0] })
      try student.teachers.applyToDb()
    }
    try relations.orders.put([Order("A", Customer()), Order("B", Customer()), Order("C", nil)])
    try relations.customers.remove(2 as Id)
    let whole = try StoredContent(relations.store)
    let path = relations.folder.path + "/store"
    let (report, saved) = try Self.salvage(path, in: relations.folder)
    #expect(report.isWhole, "\(report)")
    #expect(saved == whole)
    #expect(report.relations.first?.savedCount == whole.pairs[1]?.count)
    // The open store still works.
    try relations.orders.put(Order("D", nil))
  }

  @Test(arguments: [5, 7] as [UInt8])
  func `a store of another format is refused with its number`(format: UInt8) throws {
    let temporary = try Self.makeStore(3)
    try ChangedFile.changeDescription(temporary.path, key: "format", to: [format, 0, 0, 0])
    #expect {
      _ = try Self.salvage(temporary)
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("file format is \(format), and this version of the library reads 6;")
    }
  }

  // MARK: Records

  @Test func `damaged records are lost alone, and saved when that is asked for`() throws {
    let temporary = try Self.makeStore(100)
    let whole = try StoredContent(path: temporary.path)
    for id: UInt64 in [5, 50] {
      try ChangedFile.changeRecord(temporary.path, id: id) { $0[3] ^= 1 }
    }
    try ChangedFile.changeRecord(temporary.path, id: 9) { $0 = [0, 0] }
    let (report, saved) = try Self.salvage(temporary)
    var expected = whole
    for id: UInt64 in [5, 9, 50] { expected.objects["Person"]?[id] = nil }
    #expect(saved == expected)
    #expect(report.entities[0].lostCount == 3)
    #expect(report.findings.map(\.kind) == [.lost, .lost, .lost])
    #expect(report.findings.first?.objectIDs == 5...5)
    #expect(
      report.findings.first?.message == "the record of 'Person' with ID 5 has a wrong checksum"
    )
    let (damaged, all) = try Self.salvage(temporary) { $0.savesDamaged = true }
    #expect(damaged.entities[0].savedUncertainCount == 2)
    #expect(damaged.entities[0].lostCount == 1)
    #expect(all.objects["Person"]?.count == expected.objects["Person"].map { $0.count + 2 })
  }

  @Test func `of two objects with one unique value the newer is kept, and the other told`() throws {
    var without = PersonIndexes.all
    without.email = [.indexHash, .indexed]
    let temporary = try TemporaryStore(indexes: without)
    try temporary.store.box(for: Person.self).put([
      Person("a", email: "x"), Person("b", email: "y"), Person("c", email: "x"),
    ])
    temporary.store.close()
    var with = PersonIndexes.all
    with.email = [.unique, .indexHash, .indexed]
    let other = try TemporaryStore(indexes: with)
    other.store.close()
    try ChangedFile.copySchema(from: other.path, to: temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    #expect(saved.objects["Person"]?.keys.sorted() == [2, 3])
    #expect(report.findings.map(\.kind) == [.unique])
    #expect(report.findings.first?.objectIDs == 1...1)
  }

  // MARK: Relations

  /// Makes a closed store of 9 students with 2 teachers each.
  private static func makeSchool() throws -> RelationStore {
    let relations = try RelationStore()
    let teachers = (1...3).map { Teacher("\($0)") }
    try relations.teachers.put(teachers)
    for index in 0..<9 {
      let student = Student("\(index)")
      try relations.students.put(student)
      student.teachers.replace([teachers[index % 3], teachers[(index + 1) % 3]])
      try student.teachers.applyToDb()
    }
    // Lets the previous version share all pairs with the newest version.
    for _ in 0..<2 { try relations.customers.put(Customer()) }
    relations.store.close()
    return relations
  }

  @Test func `a pair that one end has only is uncertain, and one without an object is left out`()
    throws
  {
    let relations = try Self.makeSchool()
    let path = relations.folder.path + "/store"
    let whole = try StoredContent(path: path)
    func key(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id.bigEndian) { Array($0) } }
    try ChangedFile.changeEntry(path, table: "r1", key: key(1), id: 3, isThere: true)
    for (table, from, to) in [("r1", 2, 77), ("b1", 77, 2)] as [(String, UInt64, UInt64)] {
      try ChangedFile.changeEntry(path, table: table, key: key(from), id: to, isThere: true)
    }
    let (report, saved) = try Self.salvage(path, in: relations.folder)
    #expect(saved.objects == whole.objects)
    #expect(saved.pairs == whole.pairs)
    #expect(report.relations.map(\.uncertainCount) == [1])
    #expect(report.relations.map(\.danglingCount) == [1])
    #expect(report.findings.map(\.kind) == [.relation, .relation])
    let (_, all) = try Self.salvage(path, in: relations.folder) { $0.savesUncertain = true }
    #expect(all.pairs[1]?.count == 19)
  }

  @Test(arguments: ["r1", "b1"])
  func `pairs are saved from one end when the other cannot be read`(name: String) throws {
    let relations = try Self.makeSchool()
    let path = relations.folder.path + "/store"
    let whole = try StoredContent(path: path)
    let page = try #require(try DamagedPages(path).leaves(name).first)
    try DamagedPages.zero([page], path)
    let (_, saved) = try Self.salvage(path, in: relations.folder)
    #expect(saved.pairs == whole.pairs)
    #expect(saved.objects == whole.objects)
  }

  // MARK: Pages

  @Test func `objects of a lost page are told by their IDs, and all others saved`() throws {
    let temporary = try Self.makeStore()
    let whole = try StoredContent(path: temporary.path)
    let pages = try DamagedPages(temporary.path)
    let page = pages.leaves("e1")[3]
    let lost = pages.ids("e1", on: page)
    try DamagedPages.zero([page], temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    var expected = whole
    for id in lost { expected.objects["Person"]?[id] = nil }
    #expect(saved == expected)
    #expect(report.entities[0].missingCount == lost.count)
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.page == page)
    let ids = try #require(finding.objectIDs)
    #expect(lost.allSatisfy(ids.contains) && ids.count < 3 * lost.count)
    #expect(
      finding.message
        == "page \(page) of 'Person' cannot be read: objects with IDs \(ids.lowerBound) to \(ids.upperBound) "
        + "may be missing"
    )
  }

  @Test func `below a lost branch all is uncertain, and no removed object comes back unasked`()
    throws
  {
    let temporary = try Self.makeStore()
    let whole = try StoredContent(path: temporary.path)
    let pages = try DamagedPages(temporary.path)
    try DamagedPages.zero([pages.root("e1")], temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    #expect(saved.objects["Person"]?.isEmpty == true)
    #expect(report.entities[0].missingCount == whole.objects["Person"]?.count)
    #expect(report.entities[0].uncertainCount >= whole.objects["Person"]?.count ?? 0)
    #expect(saved.lastIDs["Person"] ?? 0 >= 3000)
    let (_, all) = try Self.salvage(temporary) { $0.savesUncertain = true }
    #expect(all.objects == whole.objects)
  }

  @Test func `IDs of a lost end of a table are not given out again`() throws {
    let temporary = try Self.makeStore(2999, .none)
    let page = try #require(try DamagedPages(temporary.path).leaves("e1").last)
    try DamagedPages.zero([page], temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    #expect(saved.lastIDs["Person"] ?? 0 >= 2999)
    #expect(report.findings.map(\.kind) == [.missing, .sequence])
  }

  @Test func `a damaged index, with all else sound, loses nothing`() throws {
    let temporary = try Self.makeStore()
    let whole = try StoredContent(path: temporary.path)
    let pages = try DamagedPages(temporary.path)
    try DamagedPages.zero([pages.leaves("i1")[1], pages.leaves("i3")[0]], temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    #expect(report.isWhole, "\(report)")
    #expect(saved == whole)
  }

  // MARK: Head pages and schema

  @Test func `the other head page is used when one cannot be read`() throws {
    for page in [0, 1] as [UInt64] {
      let temporary = try Self.makeStore(300)
      let whole = try StoredContent(path: temporary.path)
      let newest = try Store.verify(directory: temporary.path).version
      try DamagedPages.zero([page], temporary.path)
      let (report, saved) = try Self.salvage(temporary)
      #expect(report.findings.first?.kind == .file)
      if report.version == newest { #expect(saved == whole) }
      #expect(report.version ?? 0 >= newest - 1)
    }
  }

  @Test func `without head pages all is uncertain`() throws {
    let temporary = try Self.makeStore(300)
    let whole = try StoredContent(path: temporary.path)
    try DamagedPages.zero([0, 1], temporary.path)
    let (report, saved) = try Self.salvage(temporary)
    #expect(report.version == nil)
    #expect(saved.objects["Person"]?.isEmpty == true)
    #expect(report.entities[0].uncertainCount > 0)
    let (_, all) = try Self.salvage(temporary) { $0.savesUncertain = true }
    let ids = Set(whole.objects["Person"].map { Array($0.keys) } ?? [])
    #expect(ids.isSubset(of: Set(all.objects["Person"].map { Array($0.keys) } ?? [])))
    #expect(all.lastIDs["Person"] ?? 0 >= 300)
  }

  @Test func `either version can be chosen, and no other one`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put(Person("a", email: "a"))
    try people.put(Person("b", email: "b"))
    temporary.store.close()
    let version = try Store.verify(directory: temporary.path).version
    let (_, older) = try Self.salvage(temporary) { $0.version = version - 1 }
    #expect(older.objects["Person"]?.count == 1)
    let (_, newer) = try Self.salvage(temporary) { $0.version = version }
    #expect(newer.objects["Person"]?.count == 2)
    #expect {
      _ = try Self.salvage(temporary) { $0.version = 1000 }
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return message.contains("it has \(version) and \(version - 1)")
    }
  }

  @Test func `a damaged schema is replaced by an older copy, or by that of a model file`() throws {
    let temporary = try Self.makeStore(200, .none)
    let whole = try StoredContent(path: temporary.path)
    let model = temporary.folder.url.appendingPathComponent("model.json")
    try temporary.reopen(indexes: .none)
    var writer = JSONWriter()
    temporary.store.schema.writeModelJSON(to: &writer)
    // Lengthens the UIDs: model files have no UIDs as short as the test's.
    let text = String(decoding: writer.bytes, as: UTF8.self)
    try text.replacing(#/"(\d+):(\d{1,3})"/#) { "\"\($0.1):9000\($0.2)\"" }
      .write(to: model, atomically: true, encoding: .utf8)
    temporary.store.close()
    let schema = try #require(try RawStore(path: temporary.path).value("schema"))
    // The schema's page before the change stays in the file.
    try ChangedFile.changeValue(temporary.path, key: "schema", to: schema.map { $0 ^ 1 })
    let (copied, copy) = try Self.salvage(temporary)
    #expect(copied.findings.map(\.kind) == [.schema])
    #expect(copy == whole)
    // Damages the schema on all its pages.
    try ChangedFile.changeBytes(temporary.path) { bytes in
      while let range = bytes.range(of: Data("emai".utf8)) { bytes[range.lowerBound] = 0x45 }
    }
    #expect {
      _ = try Self.salvage(temporary)
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
      return message.contains("model.json")
    }
    let (report, saved) = try Self.salvage(temporary) { $0.modelJSON = model }
    #expect(report.findings.map(\.kind) == [.schema])
    #expect(saved == whole)
  }

  @Test func `objects that the model has lost are told`() throws {
    let changing = try ChangingStore()
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    let (report, _) = try Self.salvage(changing.path, in: try TemporaryDirectory())
    #expect(report.findings.map(\.kind) == [.schema])
    #expect(report.findings.first?.entity == "Person")
  }

  // MARK: Targets

  @Test func `a target that exists is refused, and so is a file that is no store`() throws {
    let temporary = try Self.makeStore(10)
    #expect(throws: ObjectBoxError.self) {
      try Store.salvage(directory: temporary.path, to: temporary.path)
    }
    #expect(throws: ObjectBoxError.self) {
      try Store.salvage(directory: temporary.folder.path + "/none", to: temporary.path + "2")
    }
    for content in [Data(), Data("no store".utf8), Data(count: 50_000)] {
      try content.write(to: URL(fileURLWithPath: temporary.path + "/data.mdb"))
      #expect(throws: ObjectBoxError.self) {
        try Store.salvage(directory: temporary.path, to: temporary.path + "2")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: temporary.path + "2"))
    #expect(!FileManager.default.fileExists(atPath: temporary.path + "2.salvage"))
  }

  @Test func `an ended run leaves nothing, and what an interrupted one left is removed`() throws {
    let temporary = try Self.makeStore(10)
    let target = temporary.path + "2"
    #expect(try Store.salvage(directory: temporary.path, to: target) { _ in true } != nil)
    let many = try TemporaryStore()
    try many.store.box(for: Person.self).put((0..<80_000).map { Person("\($0)", email: "\($0)") })
    let other = many.path + "2"
    try FileManager.default.createDirectory(
      atPath: other + ".salvage",
      withIntermediateDirectories: false
    )
    try Data(count: 100).write(to: URL(fileURLWithPath: other + ".salvage/data.mdb"))
    #expect(try Store.salvage(directory: many.path, to: other) { $0 < 0.3 } == nil)
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(!FileManager.default.fileExists(atPath: other + ".salvage"))
    try FileManager.default.createDirectory(
      atPath: other + ".salvage/mine",
      withIntermediateDirectories: true
    )
    #expect(throws: ObjectBoxError.self) {
      try Store.salvage(directory: many.path, to: other)
    }
  }

  // MARK: Open stores

  @Test(arguments: [0, 1] as [UInt64])
  func `of an open store the pinned version is read, or the one before, beside any commits`(
    age: UInt64
  ) throws {
    let temporary = try Self.makeStore(700)
    try temporary.reopen()
    let people = temporary.store.box(for: Person.self)
    let pinned = UInt64(try temporary.store.version())
    try Store.withReadable(Store.Configuration(directory: temporary.path)) { copy in
      // The commits overwrite a head page each, and reuse free pages.
      let writes = age == 0 ? 5 : 0
      for number in 0..<writes { try people.put(Person("new \(number)")) }
      let log = SalvageLog(maximumFindingCount: 100) { _ in true }
      let file = try SalvageFile(copy, version: age == 0 ? nil : pinned - age, log: log)
      for number in 5..<10 { try people.put(Person("new \(number)")) }
      var ids: [UInt64] = []
      try file.forEachEntry(of: SystemTable.objects(entity: 1), .records) {
        #expect($0.isCertain)
        ids.append($0.keyID)
      } gap: {
        Issue.record("\($0)")
      }
      #expect(log.report.version == pinned - age)
      #expect(log.report.findings.isEmpty, "\(log.report)")
      #expect(ids.count == 600 && ids.last! <= 700)
    }
  }

  @Test func `what a writer stores during a salvage of its store is not saved`() throws {
    let temporary = try Self.makeStore(700)
    try temporary.reopen()
    let people = temporary.store.box(for: Person.self)
    let whole = try StoredContent(temporary.store)
    let target = temporary.folder.path + "/saved"
    let report = try Store.salvage(directory: temporary.path, to: target) { _ in
      (try? people.put((0..<20).map { Person("new \($0)") })) != nil
    }
    #expect(report?.isWhole == true, "\(String(describing: report))")
    #expect(try people.count() > 600)
    #expect(try StoredContent(path: target) == whole)
  }
}
