import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Values that leave a store by the tool, as Python reads them, and that come back.
struct TransferMatrixTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func tool(_ words: String...) { #expect(Tool.run(words) == .success, "\(words)") }

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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, path("expected.json")] + place
    let output = path("differences")
    try Data().write(to: URL(fileURLWithPath: output))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let differences = try String(contentsOfFile: output, encoding: .utf8)
    #expect(process.terminationStatus == 0 && differences.isEmpty, "\(differences.prefix(2000))")
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
    tool("export", path("store"), "Row", "-o", path("rows"), "--format", format)
    try expectForPython(columns, format, path("rows"))
    try Store(directoryPath: path("copy")).close()
    tool("import", path("copy"), "Row", path("rows"), "--format", format)
    try expectStored(columns, in: "copy")
  }

  @Test func `dumps have the values for others, and loads have them again`() throws {
    let columns = Columns<Row>.all()
    try fill(columns)
    tool("dump", path("store"), "-o", path("rows"))
    try expectForPython(columns, "dump", path("rows"))
    tool("load", path("copy"), path("rows"))
    try expectStored(columns, in: "copy")
  }

  @Test(.enabled(if: ClusterMatrixTests.address != nil, ClusterMatrixTests.reason))
  func `copies in a database have the values for others, and for stores again`() throws {
    let columns = Columns<Row>.all(hasZeros: false)
    try fill(columns)
    let configuration = ClusterMatrixTests.configuration("copied matrix")
    let (address, schema) = (configuration.address, configuration.schema)
    tool("copy", path("store"), address, "--schema", schema)
    try expectForPython(columns, "sql", address, schema)
    tool("copy", address, path("copy"), "--schema", schema)
    try expectStored(columns, in: "copy")
  }
}
