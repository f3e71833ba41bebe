import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Stores that are opened without blocking the caller.
struct AsyncOpeningTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test(.onPlainFiles("looks at the bits of data.mdb"))
  func `a store is opened with all parameters, and read-only again`() async throws {
    let store = try await Store.open(
      model: try RelationModel().build(),
      directory: path,
      maxDbSizeInKByte: 2048,
      fileMode: 0o600,
      maxReaders: 130
    )
    try store.box(for: Student.self).put(Student("s"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    store.close()
    let again = try await Store.open(
      model: try RelationModel().build(),
      directory: path,
      readOnly: true
    )
    #expect(try again.box(for: Student.self).count() == 1)
    #expect(throws: ObjectBoxError.self) { try again.box(for: Student.self).put(Student("t")) }
  }

  /// Returns the locked file lock that every opening of a store in the folder waits for.
  private func heldLock() throws -> FileLock {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let lock = try #require(FileLock(path: path + "/data.mdb", mode: 0o644, isReadOnly: false))
    #expect(try lock.lock(0, isExclusive: true))
    return lock
  }

  @Test @MainActor func `the main actor goes on while a store waits to be opened`() async throws {
    let lock = try heldLock()
    let path = path
    var hasBegun = false
    let opening = Task { @MainActor in
      hasBegun = true
      return try await Store.open(model: try RelationModel().build(), directory: path)
    }
    while !hasBegun { await Task.yield() }
    // Never reached if opening blocks the actor.
    lock.unlock(0)
    let store = try await opening.value
    try store.box(for: Student.self).put(Student("s"))
  }

  @Test func `openings that wait block no thread of the pool`() async throws {
    let lock = try heldLock()
    var configuration = Store.Configuration(directory: path)
    configuration.sharesOpenStore = true
    let shared = configuration
    let openings = (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map { _ in
      Task.detached {
        try await Store.open(model: try RelationModel().build(), configuration: shared)
      }
    }
    for _ in openings { await Task.yield() }
    await Task.detached { lock.unlock(0) }.value
    for opening in openings {
      #expect(try await opening.value.box(for: Student.self).isEmpty())
    }
  }

  @Test func `an error is that of the blocking form`() async throws {
    let missing = folder.path + "/no/such/folder"
    let model = try RelationModel().build()
    await #expect {
      _ = try await Store.open(model: model, directory: missing)
    } throws: { error in
      if case .storageGeneral = error as? ObjectBoxError { true } else { false }
    }
  }

  @Test func `a cancelled task opens nothing, and leaves no store open`() async throws {
    let path = path
    let opening = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Store.open(model: try RelationModel().build(), directory: path)
    }
    await #expect(throws: CancellationError.self) { try await opening.value }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try !Store.isOpen(directory: path))
    // Cancelled at any moment: either the store opens, or none stays open.
    for _ in 0..<20 {
      let opening = Task {
        try await Store.open(model: try RelationModel().build(), directory: path)
      }
      await Task.yield()
      opening.cancel()
      switch await opening.result {
      case .success(let store): store.close()
      case .failure(let error): #expect(error is CancellationError)
      }
      #expect(try !Store.isOpen(directory: path))
    }
  }
}
