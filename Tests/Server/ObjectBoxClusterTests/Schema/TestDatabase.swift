import Foundation
import ObjectBox

@testable import ObjectBoxCluster

/// A new schema on the tests' server, with access by SQL.
struct TestDatabase {
  let namespace = TestServer.newSchema()
  let connection: Connection

  init() async throws {
    connection = try await Self.connect()
  }

  static func connect() async throws -> Connection {
    try await Connection([("dbname", TestServer.address ?? "")])
  }

  /// Opens the database under a model.
  func open(_ model: TestModel, mayBeOlder: Bool = false) async throws {
    let tables = ClusterTables(try model.schema(), in: namespace)
    try await DatabaseUpgrade(tables, mayBeOlder: mayBeOlder).run(on: connection)
  }

  /// Runs a statement in which `@` stands for the quoted schema and its point.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] {
    let rows = try await connection.run([
      Statement(once: text.replacing("@", with: "\(namespace.quotedName)."))
    ])[0]
    return (0..<rows.count).map { row in (0..<rows.columnCount).map { rows.text(row, $0) } }
  }

  /// Returns the first value of a statement.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

  /// Returns a table's columns and types, ordered by name.
  func columns(_ table: String) async throws -> [String] {
    try await sql(
      "SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = "
        + "\("\(namespace.quotedName).\(table.quotedName)".quotedText)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname"
    ).compactMap { $0.first ?? nil }
  }

  /// Returns the definition of a constraint or index; nil when there is none.
  func definition(_ name: String) async throws -> String? {
    let spaces = "IN (SELECT oid FROM pg_namespace WHERE nspname = \(namespace.quotedText))"
    let found = try await value(
      "SELECT coalesce((SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '\(name)' AND "
        + "connamespace \(spaces)), (SELECT pg_get_indexdef(oid) FROM pg_class WHERE relname = '\(name)' AND "
        + "relkind = 'i' AND relnamespace \(spaces)))"
    )
    return found.map { definition in
      let end = definition.range(of: "USING ")?.lowerBound
      let kind = definition.hasPrefix("CREATE UNIQUE INDEX") ? "UNIQUE " : ""
      return definition.hasPrefix("CREATE ")
        ? kind + definition[(end ?? definition.startIndex)...]
        : definition.replacing("\(namespace.quotedName).", with: "")
    }
  }
}
