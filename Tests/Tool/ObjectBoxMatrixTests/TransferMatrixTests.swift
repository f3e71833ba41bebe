import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxTestSupport
import Testing

private let hasPython =
  (try? BuiltProgram("objectbox").run(program: "/usr/bin/env", ["python3", "-c", ""]).status) == 0

/// Values that leave a store by the tool, as Python reads them, and that come back.
@Suite(.enabled(if: hasPython, "needs python3, which reads what the tool writes"))
struct TransferMatrixTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram("objectbox") }

  private func path(_ name: String) -> String { program.folder.path + "/" + name }

  private func tool(_ words: String...) throws {
    let result = try program.run(words)
    #expect(result.status == 0, "\(words): \(result.errors)")
  }

  /// Makes a store with the rows of columns, and closes it.
  private func fill(_ columns: [Column<Row>]) throws {
    let store = try Store(directoryPath: path("store"))
    defer { store.close() }
    try store.box(for: Row.self).put(MatrixStore.rows(columns))
  }

  /// Expects that Python finds the values of columns in a place: a form and a file, or "sql", an
  /// address and a schema.
  private func expectForPython(_ columns: [Column<Row>], _ place: String...) throws {
    let json = columns.map { column -> [String: Any] in
      [
        "name": column.property, "kind": column.portable.kind ?? "",
        "values": column.portable.values.map { $0 ?? NSNull() },
      ]
    }
    try JSONSerialization.data(withJSONObject: json)
      .write(to: URL(fileURLWithPath: path("expected.json")))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("read_values.py").path
    let result = try program.run(
      program: "/usr/bin/env",
      ["python3", script, path("expected.json")] + place
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty, "\(result.output.prefix(2000))")
  }

  /// Expects that a store has the values of columns.
  private func expectStored(_ columns: [Column<Row>], in name: String) throws {
    let store = try Store(directoryPath: path(name))
    defer { store.close() }
    let rows = try store.box(for: Row.self).all()
    #expect(rows.count == Matrix.count)
    for column in columns {
      for (number, row) in rows.enumerated() {
        #expect(column.isRead(row, number), "\(column.name), row \(number)")
      }
    }
  }

  @Test(arguments: ["csv", "json"])
  func `exports have the values for others, and imports have them again`(_ format: String) throws {
    let columns = Columns<Row>.all()
    try fill(columns)
    try tool("export", path("store"), "Row", "-o", path("rows"), "--format", format)
    try expectForPython(columns, format, path("rows"))
    try Store(directoryPath: path("copy")).close()
    try tool("import", path("copy"), "Row", path("rows"), "--format", format)
    try expectStored(columns, in: "copy")
  }

  @Test func `dumps have the values for others, and loads have them again`() throws {
    let columns = Columns<Row>.all()
    try fill(columns)
    try tool("dump", path("store"), "-o", path("rows"))
    try expectForPython(columns, "dump", path("rows"))
    try tool("load", path("copy"), path("rows"))
    try expectStored(columns, in: "copy")
  }

  @Test(.enabled(if: ClusterMatrixTests.address != nil, ClusterMatrixTests.reason))
  func `copies in a database have the values for others, and for stores again`() throws {
    let columns = Columns<Row>.all(hasZeros: false)
    try fill(columns)
    let configuration = ClusterMatrixTests.configuration("copied matrix")
    let (address, schema) = (configuration.address, configuration.schema)
    try tool("copy", path("store"), address, "--schema", schema)
    try expectForPython(columns, "sql", address, schema)
    try tool("copy", address, path("copy"), "--schema", schema)
    try expectStored(columns, in: "copy")
  }
}
