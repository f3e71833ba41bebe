import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// On request only the owner can read the files of a store.
struct FileModeTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path + "/store"
  }

  private func mode(_ path: String) throws -> Int {
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    return try #require(mode)
  }

  private func open(_ change: (inout Store.Configuration) -> Void = { _ in }) throws -> Store {
    var configuration = Store.Configuration(directory: path)
    configuration.fileMode = 0o600
    change(&configuration)
    return try Store(model: try TemporaryStore.model(), configuration: configuration)
  }

  @Test func `with 0600 no other user can read any file of a store or a backup`() throws {
    let store = try open()
    try store.box(for: Person.self).put(Person("Jane"))
    try store.backup(to: folder.path + "/copy")
    #expect(try mode(path) == 0o700)
    #expect(try mode(path + "/data.mdb") == 0o600)
    #expect(try mode(path + "/lock.mdb") == 0o600)
    #expect(try mode(folder.path + "/copy") == 0o700)
    #expect(try mode(folder.path + "/copy/data.mdb") == 0o600)
    store.close()
    try Store.backup(path, to: folder.path + "/second")
    #expect(try mode(folder.path + "/second/data.mdb") == 0o600)
    #expect(try mode(folder.path + "/second") == 0o700)
  }

  @Test func `a lock file that readers make is no wider than the data file`() throws {
    try open().close()
    try FileManager.default.removeItem(atPath: path + "/lock.mdb")
    _ = try Store.verify(directory: path)
    #expect(try mode(path + "/lock.mdb") == 0o600)
    try FileManager.default.removeItem(atPath: path + "/lock.mdb")
    try Store.backup(path, to: folder.path + "/copy")
    #expect(try mode(path + "/lock.mdb") == 0o600)
  }

  @Test func `an existing file keeps its bits, whatever is asked for`() throws {
    try open().close()
    try open { $0.fileMode = 0o666 }.close()
    #expect(try mode(path + "/data.mdb") == 0o600)
    #expect(try mode(path + "/lock.mdb") == 0o600)
  }

  @Test func `a file that goes back to its older version keeps its bits`() throws {
    let store = try open()
    try store.box(for: Person.self).put((0..<100).map { Person("\($0)") })
    try store.box(for: Person.self).put(Person("Jane"))
    store.close()
    try ChangedFile.changeBytes(path) { bytes in
      // Finds the newer head page.
      func version(_ page: Int) -> UInt64 {
        bytes.subdata(in: page * 4096 + 144..<page * 4096 + 152).withUnsafeBytes {
          $0.loadUnaligned(as: UInt64.self)
        }
      }
      let newer = version(0) > version(1) ? 0 : 1
      bytes.replaceSubrange(
        newer * 4096 + 16..<newer * 4096 + 60,
        with: [UInt8](repeating: 9, count: 44)
      )
    }
    let again = try open { $0.onUnheardFailure = { _ in } }
    #expect(try again.box(for: Person.self).count() == 100)
    #expect(try mode(path + "/data.mdb") == 0o600)
  }
}
