import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// A removal never deletes a store that is opened meanwhile.
///
/// Run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct RemovalConcurrencyTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test(.onPlainFiles("looks for data.mdb"))
  func `threads that open and remove one store in turns keep what they have opened`() {
    let path = path
    let faults = Guarded<[String]>([])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread {
        for _ in 0..<25 {
          do {
            if let fault = try Renewal.run(path) { faults.withLock { $0.append(fault) } }
          } catch {
            faults.withLock { $0.append("\(error)") }
          }
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(faults.withLock(\.self) == [])
  }

  @Test func `processes that open and remove one store in turns keep what they have opened`() throws
  {
    let children = try (0..<3).map { _ in try ChildProcess(path, "renew", 25) }
    for child in children { #expect(child.lines() == ["done"]) }
  }

  @Test(.onPlainFiles("looks at the locks of data.mdb"))
  func `a store is not removed when nobody can tell whether it is in use`() throws {
    let store = try Row.store(path)
    try store.box(for: Row.self).put(Row(1))
    store.close()
    // A folder: even the system's administrator cannot open it as a file.
    let file = path + "/data.mdb"
    try FileManager.default.moveItem(atPath: file, toPath: path + "/kept")
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    #expect {
      try store.closeAndDeleteAllFiles()
    } throws: { error in
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains("'data.mdb' cannot be opened")
    }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: path + "/kept", toPath: file)
    #expect(try Row.store(path).box(for: Row.self).count() == 1)
  }

  @Test(.onPlainFiles("looks at the locks of data.mdb"), arguments: [ENOLCK, EINVAL])
  func `where the file system has no locks, a store is neither written nor removed`(
    _ code: Int32
  ) throws {
    let store = try Row.store(path)
    try store.box(for: Row.self).put(Row(1))
    store.close()
    func isRefused(_ error: any Error) -> Bool {
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains("refuses locks (\(code): ") && message.contains("readOnly")
    }
    try FileLock.$systemCall.withValue({ _, _, _ in code }) {
      #expect(performing: { try Row.store(path) }, throws: isRefused)
      #expect(performing: { try store.closeAndDeleteAllFiles() }, throws: isRefused)
      let reader = try Row.store(path) { $0.readOnly = true }
      #expect(try reader.box(for: Row.self).count() == 1)
    }
    #expect(try Row.store(path).box(for: Row.self).count() == 1)
  }

  @Test func `a store is removed when the snapshot is gone that reads it`() throws {
    let store = try Row.store(path)
    try store.box(for: Row.self).put(Row(1))
    var snapshot: Snapshot? = try store.freeze()
    #expect {
      try store.closeAndDeleteAllFiles()
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("snapshot")
    }
    #expect(try snapshot?.count(Row.self) == 1)
    snapshot = nil
    try store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
