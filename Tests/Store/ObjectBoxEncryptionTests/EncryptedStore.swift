import Foundation
import ObjectBox
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport

/// A key that each test may use.
let testKey = [UInt8](0..<32)

/// An encrypted store in a new folder that is deleted with its owner.
final class EncryptedStore {
  let folder: TemporaryDirectory
  private(set) var store: Store
  let key: StoreEncryption

  var path: String { folder.path + "/store" }

  init(
    key: StoreEncryption = .key(testKey),
    _ configure: (inout Store.Configuration) -> Void = { _ in }
  ) throws {
    folder = try TemporaryDirectory()
    self.key = key
    store = try Self.open(folder.path + "/store", key, configure)
  }

  static func open(
    _ path: String,
    _ key: StoreEncryption?,
    indexes: PersonIndexes = .all,
    _ configure: (inout Store.Configuration) -> Void = { _ in }
  ) throws -> Store {
    var configuration = Store.Configuration(directory: path)
    configuration.maxDbSizeInKByte = 100_000
    configuration.encryption = key
    configure(&configuration)
    return try Store(model: try TemporaryStore.model(indexes), configuration: configuration)
  }

  /// Closes the store and reopens it.
  func reopen(key: StoreEncryption? = nil, indexes: PersonIndexes = .all) throws {
    store.close()
    store = try Self.open(path, key ?? self.key, indexes: indexes)
  }

  func close() { store.close() }

  var people: Box<Person> { store.box(for: Person.self) }

  /// The names of all people, in the order of their IDs.
  var names: [String] { get throws { try people.all().map(\.name) } }

  /// The name of the pages file.
  var pagesName: String {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path)
        .first { $0.hasPrefix("sealed.pages-") } ?? ""
    }
  }

  /// The bytes of a file of the store.
  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  /// Replaces the bytes of a file of the store.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }
}
