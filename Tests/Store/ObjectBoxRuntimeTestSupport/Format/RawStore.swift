package import ObjectBoxFullText
import ObjectBoxStorage

/// The tables of a closed store file, read without the runtime.
package final class RawStore {
  package struct MissingTable: Error {
    package var name: String

    package init(name: String) {
      self.name = name
    }
  }

  private let environment: StorageEnvironment
  private let transaction: StorageTransaction

  package init(path: String) throws {
    environment = try StorageEnvironment(
      directory: path,
      options: StorageEnvironment.Options(mapSizeInBytes: 1 << 24, maximumTableCount: 128)
    )
    // In a write transaction LMDB itself reads, so that tests have a second reader to compare with.
    transaction = try environment.beginWrite()
  }

  deinit {
    transaction.abort()
    environment.close()
  }

  private func table(_ name: String, _ kind: StorageTable.Kind) throws -> StorageTable {
    guard let table = try transaction.openTable(name, kind, create: false) else {
      throw MissingTable(name: name)
    }
    return table
  }

  /// Returns a value of the system table; nil when there is none.
  package func value(_ key: String) throws -> [UInt8]? {
    try transaction.get(try table("objectbox", .plain), key: Array(key.utf8))
  }

  /// Returns the rows of a table by object ID.
  package func objects(_ name: String) throws -> [UInt64: [UInt8]] {
    let cursor = try transaction.cursor(try table(name, .objects))
    var objects: [UInt64: [UInt8]] = [:]
    var entry = try cursor.firstObject()
    while let object = entry {
      objects[object.id] = Array(object.record)
      entry = try cursor.nextObject()
    }
    return objects
  }

  /// Returns the keys and IDs of an index or relation in order.
  package func entries(_ name: String) throws -> [(key: [UInt8], id: UInt64)] {
    let cursor = try transaction.cursor(try table(name, .index))
    var entries: [(key: [UInt8], id: UInt64)] = []
    var entry = try cursor.firstEntry()
    while let found = entry {
      entries.append((Array(found.key), found.id))
      entry = try cursor.nextEntry()
    }
    return entries
  }

  /// Returns the index of words with an ID.
  package func fullTextIndex(_ id: Int64) throws -> FullTextReader {
    let tables = FullTextTables(
      runs: try table("f\(id)", .plain),
      state: try table("s\(id)", .plain)
    )
    return try FullTextReader(tables, transaction)
  }
}
