import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxJSON
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Dumps preserve every value bit by bit.
struct ExactnessTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func store(_ model: String) throws -> Store {
    try Store(
      schema: try ModelText.schema(model),
      configuration: .init(directory: "memory:\(UUID().uuidString)")
    )
  }

  @Test(.tags(.slow), arguments: 1...30)
  func `records of all types and relations of all kinds are the same after a dump and a load`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let store = try store(ModelText.everything)
    try RandomRecords.fill(store, &random)
    let dump = try MemoryOutput.dump(store)
    let copy = try self.store(ModelText.everything)
    try copy.load(dump, in: folder, batchSize: seed.isMultiple(of: 2) ? 7 : nil)
    #expect(try RandomRecords.contents(copy) == RandomRecords.contents(store))
    #expect(try MemoryOutput.dump(copy) == dump)
    // Again, over the same objects.
    try copy.load(dump, in: folder)
    #expect(try MemoryOutput.dump(copy) == dump)
  }

  @Test(
    arguments: [
      (Double.nan, #""NaN""#), (.infinity, #""Infinity""#), (-.infinity, #""-Infinity""#),
      (-.nan, #""0xfff8000000000000""#),
      (Double(bitPattern: 0x7ff0_0000_0000_0001), #""0x7ff0000000000001""#),
      (-0.0, "-0.0"), (.leastNonzeroMagnitude, "5e-324"), (0.1, "0.1"), (1e300, "1e+300"),
    ]
  )
  func `floating point numbers have one form each`(number: Double, json: String) throws {
    var writer = JSONWriter()
    writer.value(.double(number), as: .double)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
    var bits: UInt64?
    try JSONParser.parse(line: writer.bytes, path: "a", number: 1).withExact(as: .double, "x") {
      if case .double(let number) = $0 { bits = number.bitPattern }
    }
    #expect(bits == number.bitPattern)
  }

  @Test func `null and empty values differ, and so do null and 0`() throws {
    let store = try store(ModelText.everything)
    let things = try store.box(named: "Thing")
    try things.put([
      "string": "", "bytes": Data(), "int": 0, "next": UInt64(0), "strings": [String](),
    ])
    try things.put(["string": nil])
    let lines = String(decoding: try MemoryOutput.dump(store), as: UTF8.self).split(separator: "\n")
    #expect(lines[1] == #"{"Thing":{"id":1,"int":0,"string":"","bytes":"","strings":[],"next":0}}"#)
    #expect(lines[2] == #"{"Thing":{"id":2}}"#)
  }

  @Test func `IDs that were given out are not given out again after a load`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let copy = try self.store(ModelText.notes)
    try copy.load(try MemoryOutput.dump(store), in: folder)
    #expect(try copy.box(named: "Note").count() == 2)
    #expect(try copy.box(named: "Note").put(["slug": "new"]) == 4)
    #expect(try copy.box(named: "Author").put(["name": "new"]) == 3)
  }

  @Test func `indexes, unique values and both ends of relations work after a load`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let copy = try self.store(ModelText.notes)
    try copy.load(try MemoryOutput.dump(store), in: folder)
    let notes = try copy.box(named: "Note")
    #expect(try notes.query { $0["slug"].isEqual(to: "two") }.build().findIds() == [2])
    #expect(throws: ObjectBoxError.self) { try notes.put(["slug": "one"]) }
    #expect(try notes.targets("readers", of: 1) == [1, 2])
    #expect(try copy.box(named: "Author").sources("Note", "readers", of: 2) == [1, 2])
  }

  @Test func `chosen entities are dumped with the relations between them`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let dump = String(decoding: try MemoryOutput.dump(store, entities: ["Author"]), as: UTF8.self)
    #expect(dump.contains(#""entities":[{"entity":"Author","count":2,"lastId":2}],"relations":[]"#))
    #expect(dump.split(separator: "\n").count == 3)
    let both = try MemoryOutput.dump(store, entities: ["Author", "Note"])
    #expect(both == (try MemoryOutput.dump(store)))
  }
}
