import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct StoreOpeningTests {
  private func message(of error: any Error) -> String {
    (error as? ObjectBoxError)?.message ?? "\(error)"
  }

  @Test func `a directory that cannot be made is told with path and cause`() throws {
    let path = "/dev/DOESNOTEXIST/really/should/fail"
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: path)
    } throws: { error in
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains("Could not prepare directory") && message.contains(path)
        && message.contains("(2: No such file or directory)")
    }
  }

  @Test func `a file in the place of the directory is told`() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("text", to: "store")
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: path)
    } throws: { error in
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains("Not a directory")
    }
    #expect(try folder.read("store") == "text")
  }

  @Test func `a place where nothing can be written is told`() throws {
    // /proc refuses new files, even from the system's administrator.
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: "/proc/objectbox-store")
    } throws: { error in
      if case ObjectBoxError.storageGeneral = error { true } else { false }
    }
  }

  @Test func `a second store on an open directory is refused, and the first goes on`() throws {
    let temporary = try TemporaryStore()
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: temporary.path + "/../store")
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("still open")
    }
    try temporary.store.box(for: Person.self).put(Person("Jane"))
    #expect(try temporary.store.box(for: Person.self).count() == 1)
  }

  @Test func `the advice for a store that is open already works`() throws {
    let temporary = try TemporaryStore()
    let path = temporary.path
    func open(_ change: (inout Store.Configuration) -> Void = { _ in }) throws -> Store {
      var configuration = Store.Configuration(directory: path)
      configuration.maxDbSizeInKByte = 100_000
      change(&configuration)
      return try Store(model: try TemporaryStore.model(), configuration: configuration)
    }
    #expect {
      _ = try open()
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.hasSuffix(
        "another store on this directory is still open in this process; close it, use "
          + "Store.attachTo(directory:), or set sharesOpenStore in the configuration of this one, "
          + "whose model and other options must be those of the open one"
      )
    }
    let attached = try Store.attachTo(directory: path)
    attached.close()
    let sharing = try open { $0.sharesOpenStore = true }
    try temporary.store.box(for: Person.self).put(Person("Jane"))
    #expect(try sharing.box(for: Person.self).count() == 1)
    sharing.close()
    temporary.store.close()
    #expect(try open().box(for: Person.self).count() == 1)
  }

  @Test func `a store that a snapshot still reads is not said to be open, and opens after it`()
    throws
  {
    let temporary = try TemporaryStore()
    let path = temporary.path
    func open() throws -> Store {
      var configuration = Store.Configuration(directory: path)
      configuration.sharesOpenStore = true
      return try Store(model: try TemporaryStore.model(), configuration: configuration)
    }
    let snapshot = try temporary.store.freeze()
    temporary.store.close()
    #expect {
      _ = try open()
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.hasSuffix(
        "it is still being closed, or a transaction, a snapshot or a live view reads it; let that end first"
      )
    }
    snapshot.invalidate()
    #expect(try open().box(for: Person.self).isEmpty())
  }

  @Test func `a store that is too small for its tables is full at once, and leaves its directory`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: path, maxDbSizeInKByte: 1)
    } throws: { error in
      guard case ObjectBoxError.dbFull(let message) = error else { return false }
      // Programs compare the message; the printed description gives the advice.
      return message == "Could not put" && "\(error)".contains("below the 16 KiB")
        && "\(error)".contains("maxDbSizeInKByte")
    }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a full store refuses a put whole, keeps what it has and can be emptied`() throws {
    let temporary = try TemporaryStore(indexes: .none, maxDbSizeInKByte: 500)
    let people = temporary.store.box(for: Person.self)
    try people.put(Person("Jane"))
    let big = (0..<2000).map { _ in Person(String(repeating: "x", count: 1000)) }
    #expect {
      try people.put(big)
    } throws: { error in
      guard case ObjectBoxError.dbFull(let message) = error else { return false }
      return message.contains(temporary.path) && message.contains("500 KiB")
        && message.contains("maxDbSizeInKByte")
    }
    #expect(try people.all().map(\.name) == ["Jane"])
    try people.put(Person("John"))
    #expect(try people.count() == 2)
    try people.removeAll()
    #expect(try people.isEmpty())
  }

  @Test func `a damaged file is told and not touched`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(String(repeating: "this is no database ", count: 1000), to: "store/data.mdb")
    let before = try folder.read("store/data.mdb")
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: folder.path + "/store")
    } throws: { error in
      if case ObjectBoxError.fileCorrupt = error { true } else { false }
    }
    #expect(try folder.read("store/data.mdb") == before)
  }

  @Test func `a read-only store reads, and refuses every write`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(Person("Jane"))
    temporary.store.close()
    let store = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      readOnly: true
    )
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane"])
    #expect(throws: ObjectBoxError.self) { try store.runInTransaction {} }
    #expect(throws: ObjectBoxError.self) { try store.box(for: Person.self).put(Person("X")) }
  }

  @Test func `a store that is to be read and is not there is told, and nothing is made`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    func expectRefusal() {
      #expect {
        _ = try Store(model: try TemporaryStore.model(), directory: path, readOnly: true)
      } throws: { error in
        guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
        return message.contains("there is no store at '\(path)'") && message.contains("readOnly")
      }
    }
    expectRefusal()
    #expect(!FileManager.default.fileExists(atPath: path))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    expectRefusal()
  }

  @Test(.enabled(if: geteuid() != 0, "the administrator may open every file"))
  func `a store whose files may not be opened is told with what to do`() throws {
    let temporary = try TemporaryStore()
    temporary.store.close()
    let file = temporary.path + "/data.mdb"
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
    #expect {
      _ = try Store(model: try TemporaryStore.model(), directory: temporary.path)
    } throws: { error in
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains(temporary.path) && message.contains("right to read and write")
    }
  }

  @Test func `a store in memory leaves no file and ends with its last instance`() throws {
    let name = "memory:\(UUID().uuidString)"
    let before = try FileManager.default.contentsOfDirectory(atPath: ".")
    do {
      let store = try Store(model: try TemporaryStore.model(), directory: name)
      try store.box(for: Person.self).put(Person("Jane"))
      let other = try Store.attachTo(directory: name)
      store.close()
      #expect(try other.box(for: Person.self).count() == 1)
      #expect(try Store.isOpen(directory: name))
    }
    #expect(try !Store.isOpen(directory: name))
    #expect(try FileManager.default.contentsOfDirectory(atPath: ".") == before)
    let again = try Store(model: try TemporaryStore.model(), directory: name)
    #expect(try again.box(for: Person.self).isEmpty())
  }

  @Test func `clones keep the file open, each until it is closed`() throws {
    let temporary = try TemporaryStore()
    let clone = try temporary.store.clone()
    temporary.store.close()
    temporary.store.close()
    #expect(throws: ObjectBoxError.self) { try temporary.store.clone() }
    try clone.box(for: Person.self).put(Person("Jane"))
    #expect(try Store.isOpen(directory: temporary.path))
    clone.close()
    #expect(try !Store.isOpen(directory: temporary.path))
    #expect(throws: ObjectBoxError.self) { try Store.attachTo(directory: temporary.path) }
  }

  @Test func `closing and deleting removes the directory, also twice`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: temporary.path))
    try temporary.store.closeAndDeleteAllFiles()
  }

  @Test func `a box of a closed store throws`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    temporary.store.close()
    #expect {
      try people.count()
    } throws: { error in
      if case ObjectBoxError.illegalState = error { true } else { false }
    }
  }

  @Test func `a store that only its box holds stays open`() throws {
    let folder = try TemporaryDirectory()
    func box() throws -> Box<Person> {
      try Store(model: try TemporaryStore.model(), directory: folder.path + "/store").box()
    }
    let people = try box()
    try people.put(Person("Jane"))
    #expect(try people.count() == 1)
  }
}
