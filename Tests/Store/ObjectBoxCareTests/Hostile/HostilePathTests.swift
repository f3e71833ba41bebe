import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Any folder name works or gives an error of this library; nothing is written elsewhere.
struct HostilePathTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(
    arguments: [
      "with space", "line\nfeed", "tab\tand return\r", "\u{1B}[2J", "é e\u{301}", "🧮",
      "\u{202E}turned", "..hidden", "...", "-rf", "~", "quote\"'`$(x);", "%s%n", "back\\slash",
      "data.mdb", "memory", String(repeating: "n", count: 255),
    ]
  )
  func `a store works in a folder of any name`(_ name: String) throws {
    let path = folder.path + "/" + name
    let store = try Store(model: try TemporaryStore.model(), directory: path)
    try store.box(for: Person.self).put(Person("Jane"))
    #expect(try Store.isOpen(directory: path))
    try store.backup(to: path + "/../copy of it")
    store.close()
    #expect(try Store.verify(directory: path).isSound)
    let again = try Store(existing: Store.Configuration(directory: path))
    #expect(try again.box(named: "Person").count() == 1)
    #expect(try names.count == 2)
    try again.closeAndDeleteAllFiles()
    #expect(try names == ["copy of it"])
  }

  @Test
  func `a path with a number 0 is refused, and nothing is made where the system would cut it`()
    throws
  {
    for use in [
      { _ = try Store(model: try TemporaryStore.model(), directory: $0) },
      { _ = try Store(existing: Store.Configuration(directory: $0)) },
      { _ = try Store.verify(directory: $0) },
      { _ = try Store.backup($0, to: $0 + "copy") },
    ] as [(String) throws -> Void] {
      #expect {
        try use(folder.path + "/a\u{0}b")
      } throws: { error in
        if case ObjectBoxError.illegalArgument = error { true } else { false }
      }
    }
    #expect(try names == [])
  }

  @Test func `a path that is longer than the system allows is told, at any length near the limit`()
    throws
  {
    var base = folder.path
    while base.utf8.count < 3800 { base += "/" + String(repeating: "d", count: 150) }
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    var worked = 0
    var refused = 0
    for length in stride(from: 4060, through: 4100, by: 1) {
      let path = base + "/" + String(repeating: "s", count: length - base.utf8.count - 1)
      do {
        let store = try Store(model: try TemporaryStore.model(), directory: path)
        try store.box(for: Person.self).put(Person("Jane"))
        try store.closeAndDeleteAllFiles()
        worked += 1
      } catch let error as ObjectBoxError {
        #expect(error.message.contains("File name too long"), "\(error.message)")
        refused += 1
      }
    }
    #expect(worked > 5)
    #expect(refused > 5)
  }

  @Test(arguments: ["", "/", "//", ".", ".."])
  func `a path without a name of its own gives an error, or a store in that folder`(_ path: String)
    throws
  {
    // Read-only: a new store in these folders would be left behind.
    #expect(throws: ObjectBoxError.self) {
      _ = try Store(model: try TemporaryStore.model(), directory: path, readOnly: true)
    }
    #expect(throws: ObjectBoxError.self) { _ = try Store.verify(directory: path) }
  }

  @Test func `dots in a path lead where the system says`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a/b",
      withIntermediateDirectories: true
    )
    let store = try Store(
      model: try TemporaryStore.model(),
      directory: folder.path + "/a/b/../../store"
    )
    #expect(try Store.isOpen(directory: folder.path + "/store"))
    store.close()
    #expect(try names == ["a", "store"])
  }
}
