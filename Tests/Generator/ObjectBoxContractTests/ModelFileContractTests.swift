import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Generator and runtime each have a reader of model files; these tests check that the readers
/// agree.
struct ModelFileContractTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static func sample() throws -> String {
    let url = Repository.root.appendingPathComponent(
      "Tests/Generator/ObjectBoxGeneratedCodeTests/model-ObjectBoxGeneratedCodeTests.json"
    )
    // Removes the nearest-neighbour index, whose parameters a new store would lack.
    return try String(contentsOf: url, encoding: .utf8)
      .replacingOccurrences(
        of: "\"type\": 28,\n          \"flags\": 8",
        with: "\"type\": 27,\n          \"flags\": 8"
      )
  }

  /// Returns the error of opening a store under a model file; nil when there is none.
  private func fault(of model: String) throws -> String? {
    let file = try folder.write(model, to: "model.json")
    do {
      let store = try Store(
        directoryPath: "memory:" + folder.url.lastPathComponent,
        modelJSON: URL(fileURLWithPath: file)
      )
      store.close()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "model.json",
    "Tests/Generator/ObjectBoxGeneratedCodeTests/model-ObjectBoxGeneratedCodeTests.json",
    "Tests/Generator/ObjectBoxMainActorTests/model-ObjectBoxMainActorTests.json",
  ])
  func `a model file that the generator has written opens a store`(path: String) throws {
    let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    let found = try fault(of: text)
    #expect(found == nil || found?.contains("parameters, which model.json does not hold") == true)
  }

  @Test(arguments: 0..<150)
  func `what the generator refuses, the runtime refuses, and tells the place of its own faults`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    var bytes = Array(try Self.sample().utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 32..<127, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 48..<58, using: &random), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 40))
      default:
        let end = min(bytes.count, place + Int.random(in: 1..<60, using: &random))
        bytes.replaceSubrange(place..<end, with: bytes[place..<end] + bytes[place..<end])
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isRefused = ModelDocument.parse(text, path: "model.json").model == nil
    let found = try fault(of: text)
    if isRefused {
      #expect(found?.contains(#/model\.json:[0-9]+:[0-9]+: /#) == true, "\(found ?? "no error")")
    }
  }

  @Test func `values of a property that is gone end with the next put of their object`() throws {
    func open(_ properties: String, retired: String = "", last: String) throws -> Store {
      let model = """
        { "entities": [{ "id": "1:1000", "name": "Note", "lastPropertyId": "\(last)", "properties": [
          { "id": "1:1001", "name": "id", "type": 6, "flags": 1 }, \(properties)] }],
          "lastEntityId": "1:1000", "retiredPropertyUids": [\(retired)] }
        """
      let file = try folder.write(model, to: "model.json")
      let directory = folder.url.appendingPathComponent("store").path
      return try Store(directoryPath: directory, modelJSON: URL(fileURLWithPath: file))
    }
    let title = "{ \"id\": \"2:1002\", \"name\": \"title\", \"type\": 9 }"
    let heading = "{ \"id\": \"3:1003\", \"name\": \"heading\", \"type\": 9 }"
    do {
      let store = try open(title, last: "2:1002")
      _ = try store.box(named: "Note").put([["title": "Ada"], ["title": "Alan"]])
      store.close()
    }
    do {
      let store = try open(heading, retired: "1002", last: "3:1003")
      let box = try store.box(named: "Note")
      #expect(try box.all().map { $0["heading"] as? String } == [nil, nil])
      _ = try box.put(["id": 1 as Id, "heading": "New"])
      store.close()
    }
    let store = try open("\(title), \(heading)", last: "3:1003")
    let titles = try store.box(named: "Note").all().map { $0["title"] as? String }
    #expect(titles == [nil, "Alan"])
    store.close()
  }
}
