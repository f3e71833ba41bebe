import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// Names from a store cannot control a terminal, and a dump is no more readable than its store.
struct HostileStoreTests {
  private let tool: BuiltProgram
  private var folder: TemporaryDirectory { tool.folder }

  init() throws {
    tool = try BuiltProgram("objectbox")
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)[.posixPermissions]
      as? Int
  }

  /// Makes a store with one object, whose entity and property have a given name.
  private func makeStore(_ name: String, fileMode: UInt32 = 0o644) throws {
    let scalars = name.unicodeScalars.map { scalar -> String in
      scalar.value < 0x80 && scalar.value >= 0x20 && !"\"\\".unicodeScalars.contains(scalar)
        ? String(scalar)
        : scalar.utf16.map { "\\u" + ("000" + String($0, radix: 16)).suffix(4) }.joined()
    }
    let json = """
      {"entities":[{"id":"1:1000","lastPropertyId":"2:1002","name":"\(scalars.joined())","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},
        {"id":"2:1002","name":"\(scalars.joined())","type":9}],"relations":[]}],
       "lastEntityId":"1:1000","lastIndexId":"0:0","lastRelationId":"0:0","modelVersion":5}
      """
    let model = try folder.write(json, to: "model.json")
    let store = try Store(
      directoryPath: folder.path + "/store",
      modelJSON: URL(fileURLWithPath: model),
      fileMode: fileMode
    )
    try store.box(named: name).put([name: "a value"])
    store.close()
  }

  private static let hostile = "a\u{1B}[2J\u{7}b\u{9B}31m\u{202E}c\u{7F}\rd"

  @Test func `no control character of a name reaches the terminal`() throws {
    try makeStore(Self.hostile)
    for words in [
      ["info", "store"], ["stats", "store"], ["verify", "store"], ["dump", "store", "X"],
    ] {
      let result = try tool.run(words)
      for scalar in (result.output + result.errors).unicodeScalars {
        #expect(scalar == "\n" || scalar == "\t" || scalar.value >= 0x20, "\(words)")
        #expect(!(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E, "\(words)")
      }
    }
    let info = try tool.run("info", "store")
    #expect(info.output.contains("a\\u{1b}[2J\\u{7}b\\u{9b}31m\\u{202e}c\\u{7f}\\u{d}d"))
  }

  @Test func `a name of any characters comes back from a dump`() throws {
    try makeStore(Self.hostile)
    let dump = try tool.run("dump", "store", "-o", "dump.jsonl")
    #expect(dump.status == 0, "\(dump.errors)")
    let load = try tool.run("load", "copy", "dump.jsonl")
    #expect(load.status == 0, "\(load.errors)")
    let copy = try Store(existing: Store.Configuration(directory: folder.path + "/copy"))
    #expect(try copy.box(named: Self.hostile).get(1)?[Self.hostile] as? String == "a value")
    let json = try tool.run("info", "store", "--format", "json")
    #expect(throws: Never.self) {
      _ = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    }
  }

  @Test func `a dump is no more readable than its store, and an older file keeps its bits`() throws
  {
    try makeStore("Note", fileMode: 0o600)
    #expect(try tool.run("dump", "store", "-o", "dump.jsonl").status == 0)
    #expect(try mode("dump.jsonl") == 0o600)
    try folder.write("", to: "old.jsonl")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640],
      ofItemAtPath: folder.path + "/old.jsonl"
    )
    #expect(try tool.run("dump", "store", "-o", "old.jsonl").status == 0)
    #expect(try mode("old.jsonl") == 0o640)
    #expect(try tool.run("backup", "store", "copy").status == 0)
    #expect(try mode("copy/data.mdb") == 0o600)
  }

  @Test func `nothing is left beside a dump, and what others left there does no harm`() throws {
    try makeStore("Note")
    try folder.write("left", to: "dump.jsonl.1.tmp")
    #expect(try tool.run("dump", "store", "-o", "dump.jsonl").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("dump")
    }
    #expect(Set(names) == ["dump.jsonl", "dump.jsonl.1.tmp"])
  }

  @Test(
    arguments: [
      ["TERM": ""], ["TERM": "dumb"], ["NO_COLOR": "1"], ["PATH": ""], ["HOME": "/nowhere"],
      ["TMPDIR": "/nowhere"], ["LC_ALL": "\u{1B}[2J"], ["TZ": "../../etc/passwd"],
    ]
  )
  func `the tool reads and writes stores whatever the environment says`(
    _ environment: [String: String]
  ) throws {
    try makeStore("Note")
    let program = try BuiltProgram.url("objectbox").path
    for words in [["info", "store"], ["verify", "store"], ["backup", "store", "copy"]] {
      let result = try tool.run(program: program, words, environment: environment)
      #expect(result.status == 0, "\(words) \(result.errors)")
    }
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting([
        ".errors", ".output",
      ]) == ["copy", "model.json", "store"]
    )
  }
}
