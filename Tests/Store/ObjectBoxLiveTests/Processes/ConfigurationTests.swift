import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxProcessTestSupport
import ObjectBoxTestSupport
import Testing

struct ConfigurationTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func sharing(
    _ directory: String? = nil,
    isNewer: Bool = false,
    _ change: (inout Store.Configuration) -> Void = { _ in }
  ) throws -> Store {
    try Row.store(directory ?? path, isNewer: isNewer) {
      $0.sharesOpenStore = true
      change(&$0)
    }
  }

  // MARK: One process

  @Test func `a second store that shares the open one sees its writes at once and outlives it`()
    throws
  {
    let first = try Row.store(path)
    let second = try sharing()
    try first.box(for: Row.self).put(Row(1))
    #expect(try second.box(for: Row.self).all().map(\.number) == [1])
    try first.runInTransaction {
      // The instances share an engine: the second one's write joins the first one's transaction.
      try second.box(for: Row.self).put(Row(2))
      #expect(try first.box(for: Row.self).count() == 2)
    }
    first.close()
    #expect(try second.box(for: Row.self).count() == 2)
    second.close()
    #expect(try !Store.isOpen(directory: path))
  }

  @Test(arguments: [
    "maxDbSizeInKByte", "fileMode", "maxReaders", "readOnly", "maximumNumberOfActiveVersions",
    "isSharedWithOtherProcesses", "groupCommit.maximumGroupSize", "groupCommit.linger",
  ])
  func `a store is not shared with another configuration, and the option is named`(
    option: String
  ) throws {
    let store = try Row.store(path)
    #expect {
      _ = try sharing {
        switch option {
        case "maxDbSizeInKByte": $0.maxDbSizeInKByte += 16
        case "fileMode": $0.fileMode = 0o600
        case "maxReaders": $0.maxReaders = 200
        case "readOnly": $0.readOnly = true
        case "maximumNumberOfActiveVersions": $0.maximumNumberOfActiveVersions = 3
        case "isSharedWithOtherProcesses": $0.isSharedWithOtherProcesses = true
        case "groupCommit.maximumGroupSize": $0.groupCommit.maximumGroupSize = 3
        default: $0.groupCommit.linger = .seconds(1)
        }
      }
    } throws: { error in
      guard case ObjectBoxError.mismatchedConfiguration(let message) = error else { return false }
      return message.contains("to have \(option): ")
    }
    #expect(try store.box(for: Row.self).isEmpty())
  }

  @Test func `a store is not shared with another model`() throws {
    let store = try Row.store(path)
    #expect {
      _ = try sharing(isNewer: true)
    } throws: { error in
      guard case ObjectBoxError.mismatchedConfiguration(let message) = error else { return false }
      return message.contains("another model")
    }
    store.close()
  }

  @Test func `a directory is the same by every path that leads to it, also after it was renamed`()
    throws
  {
    let store = try Row.store(path)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let moved = folder.path + "/moved"
    for other in [path + "/", folder.path + "/./store", path + "/../store", link, link + "/"] {
      #expect(try Store.isOpen(directory: other))
      #expect(throws: ObjectBoxError.self) { _ = try Row.store(other) }
      #expect(try sharing(other).box(for: Row.self).isEmpty())
    }
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    #expect(throws: ObjectBoxError.self) { _ = try Row.store(moved) }
    #expect(try !Store.isOpen(directory: path))
    try store.box(for: Row.self).put(Row(1))
    #expect(try Store.attachTo(directory: moved).box(for: Row.self).count() == 1)
  }

  @Test func `a store in memory is shared by its name`() throws {
    let name = "memory:\(UUID().uuidString)"
    let store = try Row.store(name)
    try store.box(for: Row.self).put(Row(1))
    #expect(try sharing(name).box(for: Row.self).count() == 1)
    #expect(throws: ObjectBoxError.self) { _ = try Row.store(name) }
  }

  @Test(arguments: [0, 1, 2])
  func `values that no store can have are refused before anything is made`(number: Int) throws {
    #expect {
      _ = try Row.store(path) {
        switch number {
        case 0: $0.maximumNumberOfActiveVersions = 0
        case 1: $0.groupCommit.maximumGroupSize = 0
        default: $0.groupCommit.linger = .milliseconds(-1)
        }
      }
    } throws: { error in
      if case ObjectBoxError.illegalArgument = error { true } else { false }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // MARK: Group commit

  /// Puts a row asynchronously, and returns semaphores for the end of its block and for its
  /// completion.
  private func putAsync(
    _ store: Store,
    _ number: Int64
  ) -> (hasRun: DispatchSemaphore, isComplete: DispatchSemaphore) {
    let signals = (hasRun: DispatchSemaphore(value: 0), isComplete: DispatchSemaphore(value: 0))
    store.writeAsync(
      on: SerialQueue(label: "rows"),
      isGroupingAllowed: true,
      { transaction in
        try transaction.put(Row(number))
        signals.hasRun.signal()
      },
      onComplete: { _ in signals.isComplete.signal() }
    )
    return signals
  }

  @Test(arguments: [1, 2])
  func `a group that lingers takes in what comes later, until it is as great as it may be`(
    maximum: Int
  ) throws {
    let store = try Row.store(path) {
      $0.groupCommit = .init(maximumGroupSize: maximum, linger: .seconds(600))
    }
    let before = try store.version()
    let first = putAsync(store, 1)
    first.hasRun.wait()
    let second = putAsync(store, 2)
    first.isComplete.wait()
    second.isComplete.wait()
    #expect(try store.version() == before + 2 / maximum)
  }

  @Test func `a group does not linger when a caller blocks for a write, or the store closes`()
    throws
  {
    let store = try Row.store(path) { $0.groupCommit.linger = .seconds(600) }
    let before = try store.version()
    let first = putAsync(store, 1)
    first.hasRun.wait()
    try store.runInTransaction { _ = try store.box(for: Row.self).put(Row(2)) }
    first.isComplete.wait()
    #expect(try store.version() == before + 2)
    putAsync(store, 3).hasRun.wait()
    store.close()
    #expect(try Row.store(path).box(for: Row.self).count() == 3)
  }
}
