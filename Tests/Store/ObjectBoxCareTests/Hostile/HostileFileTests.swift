import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Links, pipes and folders in place of a store's files are refused, and their targets stay
/// unchanged.
struct HostileFileTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/store"
  }

  private func open() throws -> Store {
    try Store(model: try TemporaryStore.model(), directory: path)
  }

  /// Makes a store with one object and closes it.
  private func makeStore() throws {
    let store = try open()
    try store.box(for: Person.self).put(Person("Jane"))
    store.close()
  }

  /// The ways in which a store is opened or read.
  private var uses: [(String) throws -> Void] {
    [
      { _ = try Store(model: try TemporaryStore.model(), directory: $0) },
      { _ = try Store(model: try TemporaryStore.model(), directory: $0, readOnly: true) },
      { _ = try Store(existing: Store.Configuration(directory: $0)) },
      { _ = try Store.verify(directory: $0) },
      { [folder] in _ = try Store.backup($0, to: folder.path + "/copy") },
    ]
  }

  private func expectRefusal(_ words: String) {
    for (number, use) in uses.enumerated() {
      #expect {
        try use(path)
      } throws: { error in
        guard case ObjectBoxError.storageGeneral(let message) = error else {
          Issue.record("use \(number): \(error)")
          return false
        }
        return message.contains(words) && message.contains(path)
      }
    }
  }

  private func link(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: path + "/" + name)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name,
      withDestinationPath: target
    )
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `a link in the place of a file is refused, and its target is not written`(_ name: String)
    throws
  {
    try makeStore()
    let text = String(repeating: "a text ", count: 3000)
    try folder.write(text, to: "text")
    try link(name, to: folder.path + "/text")
    expectRefusal("'\(name)' is a link")
    #expect(try folder.read("text") == text)
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `a link that leads nowhere is refused, and nothing is made where it leads`(_ name: String)
    throws
  {
    try makeStore()
    try link(name, to: folder.path + "/nowhere")
    expectRefusal("'\(name)' is a link")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/nowhere"))
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `a pipe in the place of a file is refused at once`(_ name: String) throws {
    try makeStore()
    try FileManager.default.removeItem(atPath: path + "/" + name)
    #expect(mkfifo(path + "/" + name, 0o600) == 0)
    expectRefusal("'\(name)' is no file")
  }

  @Test(arguments: ["data.mdb", "lock.mdb"])
  func `a folder in the place of a file is refused, and stays`(_ name: String) throws {
    try makeStore()
    try FileManager.default.removeItem(atPath: path + "/" + name)
    try folder.write("text", to: "store/\(name)/inside")
    expectRefusal("'\(name)' is no file")
    #expect(try folder.read("store/\(name)/inside") == "text")
  }

  @Test func `a link to nothing in the place of the folder is refused, and its target is not made`()
    throws
  {
    try FileManager.default.createSymbolicLink(
      atPath: path,
      withDestinationPath: folder.path + "/nowhere"
    )
    for use in uses { #expect(throws: ObjectBoxError.self) { try use(path) } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
  }

  @Test func `a circle of links in the place of the folder is refused`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "2")
    try FileManager.default.createSymbolicLink(atPath: path + "2", withDestinationPath: path)
    for use in uses { #expect(throws: ObjectBoxError.self) { try use(path) } }
  }

  @Test func `removing a store removes links in its folder, and not what they lead to`() throws {
    let store = try open()
    try folder.write("text", to: "others/text")
    try link("others", to: folder.path + "/others")
    try link("text", to: folder.path + "/others/text")
    try store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try folder.read("others/text") == "text")
  }

  @Test func `a link in the place of a new file's folder is not gone into`() throws {
    try folder.write("text", to: "others/data.mdb")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try link("data.mdb.new", to: folder.path + "/others")
    try makeStore()
    #expect(try folder.read("others/data.mdb") == "text")
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: path)) == ["data.mdb", "lock.mdb"]
    )
  }

  @Test func `what a process left behind that ended while it made a file is replaced`() throws {
    try folder.write("half a file", to: "store/data.mdb.new/data.mdb")
    try folder.write("a file without its name", to: "store/data.mdb.made")
    try makeStore()
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: path)) == ["data.mdb", "lock.mdb"]
    )
  }

  @Test func `a folder of another program with a temporary file's name is left alone and told`()
    throws
  {
    try folder.write("text", to: "store/data.mdb.new/a file")
    #expect(throws: ObjectBoxError.self) { _ = try open() }
    #expect(try folder.read("store/data.mdb.new/a file") == "text")
  }

  @Test func `a backup does not write through a link with the name of its temporary file`() throws {
    let store = try open()
    try folder.write("text", to: "text")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/copy",
      withIntermediateDirectories: false
    )
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/copy/data.mdb.new",
      withDestinationPath: folder.path + "/text"
    )
    try store.backup(to: folder.path + "/copy")
    #expect(try folder.read("text") == "text")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/copy") == ["data.mdb"]
    )
    #expect(try Store.verify(directory: folder.path + "/copy").isSound)
  }
}
