import Foundation
import ObjectBox
import ObjectBoxProcessTestSupport
import ObjectBoxTestSupport
import Testing

struct SharedOpeningConcurrencyTests {
  @Test func `stores that share are opened by many threads at once, one of which opens the file`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    let stores = try await withThrowingTaskGroup(of: Store.self) { group in
      for _ in 0..<8 {
        group.addTask { try Row.store(path) { $0.sharesOpenStore = true } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (index, store) in stores.enumerated() {
      _ = try store.box(for: Row.self).put(Row(Int64(index)))
    }
    #expect(try stores[0].box(for: Row.self).count() == 8)
  }

  @Test func `a directory that is removed before its store is closed stands in nobody's way`()
    async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<20 {
            // Another task's directory may get its inode number at once.
            let folder = try TemporaryDirectory()
            let store = try Row.store(folder.path + "/store")
            try FileManager.default.removeItem(atPath: folder.path + "/store")
            store.close()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(arguments: [false, true])
  func `a store whose directory is deleted ends with it, beside a new store of the name`(
    isShared: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/store"
    func open() throws -> Store { try Row.store(path) { $0.isSharedWithOtherProcesses = isShared } }
    let former = try open()
    try former.box(for: Row.self).put(Row(1))
    try FileManager.default.removeItem(atPath: path)
    #expect(try !Store.isOpen(directory: path))
    #expect(try former.box(for: Row.self).count() == 1)
    // A shared store looks for its file before it writes: another process would write to the new
    // file.
    if isShared {
      #expect(throws: ObjectBoxError.self) { try former.box(for: Row.self).put(Row(2)) }
    } else {
      try former.box(for: Row.self).put(Row(2))
      #expect(try former.box(for: Row.self).count() == 2)
    }
    let store = try open()
    #expect(try store.box(for: Row.self).count() == 0)
    try store.box(for: Row.self).put(Row(3))
    former.close()
    #expect(try Store.attachTo(directory: path).box(for: Row.self).all().map(\.number) == [3])
    store.close()
    #expect(try open().box(for: Row.self).all().map(\.number) == [3])
  }

  @Test func `IDs are reserved by many threads at once, each for one object`() async throws {
    let folder = try TemporaryDirectory()
    let store = try Row.store(folder.path + "/store") { $0.isSharedWithOtherProcesses = true }
    let ids = try await withThrowingTaskGroup(of: [Id].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let rows = store.box(for: Row.self)
          return try (0..<100).map { index in
            let row = Row(Int64(index))
            return index.isMultiple(of: 10)
              ? try rows.put(row).value : try rows.async.put(row).value
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    _ = store.awaitAsyncSubmitted()
    #expect(Set(ids).count == 400)
    #expect(try Set(store.box(for: Row.self).all().map(\.id)) == Set(ids))
  }
}
