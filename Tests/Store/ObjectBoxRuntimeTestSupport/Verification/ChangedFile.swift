package import Foundation
package import ObjectBoxStorage
import Testing

/// Changes the file of a closed store without the runtime.
package enum ChangedFile {
  /// Runs a body in a write transaction on the tables of a closed store, and commits.
  package static func change(_ path: String, _ body: (StorageTransaction) throws -> Void) throws {
    let environment = try StorageEnvironment(
      directory: path,
      options: StorageEnvironment.Options(mapSizeInBytes: 1 << 27, maximumTableCount: 64)
    )
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    do {
      try body(transaction)
      try transaction.commit()
    } catch {
      transaction.abortUnlessEnded()
      throw error
    }
  }

  /// Gives a closed store the schema of another one.
  package static func copySchema(from other: String, to path: String) throws {
    let schema = try RawStore(path: other).value("schema")
    try change(path) { transaction in
      let table = try #require(try transaction.openTable("objectbox", .plain, create: false))
      try transaction.put(table, key: Array("schema".utf8), value: try #require(schema))
      try FormatBytes.writeDigest(in: transaction)
    }
  }

  /// Replaces a value of the system table, with the digest that belongs to it.
  package static func changeDescription(_ path: String, key: String, to value: [UInt8]) throws {
    try changeValue(path, key: key, to: value)
    try change(path) { try FormatBytes.writeDigest(in: $0) }
  }

  /// Replaces a value of the system table.
  package static func changeValue(_ path: String, key: String, to value: [UInt8]) throws {
    try change(path) { transaction in
      guard let table = try transaction.openTable("objectbox", .plain, create: false) else {
        throw RawStore.MissingTable(name: "objectbox")
      }
      try transaction.put(table, key: Array(key.utf8), value: value)
    }
  }

  /// Replaces the record of an object.
  package static func changeRecord(
    _ path: String,
    table name: String = "e1",
    id: UInt64,
    _ change: (inout [UInt8]) -> Void
  ) throws {
    try self.change(path) { transaction in
      guard let table = try transaction.openTable(name, .objects, create: false),
        let record = try transaction.get(table, id: id)
      else { throw RawStore.MissingTable(name: name) }
      var bytes = Array(record)
      change(&bytes)
      try bytes.withUnsafeBytes { try transaction.put(table, id: id, record: $0) }
    }
  }

  /// Adds or removes an ID of a key's set.
  package static func changeEntry(
    _ path: String,
    table name: String,
    key: [UInt8],
    id: UInt64,
    isThere: Bool
  ) throws {
    try change(path) { transaction in
      guard let table = try transaction.openTable(name, .index, create: false) else {
        throw RawStore.MissingTable(name: name)
      }
      try key.withUnsafeBytes { key in
        if isThere {
          try transaction.insert(table, key: key, id: id)
        } else if try !transaction.delete(table, key: key, id: id) {
          throw RawStore.MissingTable(name: "the entry of \(id) in \(name)")
        }
      }
    }
  }

  /// Changes the bytes of `data.mdb`.
  package static func changeBytes(_ path: String, _ change: (inout Data) -> Void) throws {
    let file = URL(fileURLWithPath: path + "/data.mdb")
    var bytes = try Data(contentsOf: file)
    change(&bytes)
    try bytes.write(to: file)
  }
}
