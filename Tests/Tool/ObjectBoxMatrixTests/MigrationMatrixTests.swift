import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// Values of an earlier model, in which properties were optional that are not, and the reverse, or
/// had narrower types.
struct MigrationMatrixTests {
  private let folder: TemporaryDirectory
  private let widenings = Widening.all
  private var path: String { folder.path + "/store" }

  init() throws { folder = try TemporaryDirectory() }

  /// Gives each property what its counterpart has: the optional one what the other one has, and the
  /// reverse.
  private static func turn(
    _ columns: [Column<Row>],
    _ name: String,
    _ entity: inout [String: Any]
  ) throws {
    var properties = try #require(entity["properties"] as? [[String: Any]])
    func place(_ name: String) -> Int? { properties.firstIndex { $0["name"] as? String == name } }
    switch name {
    case "Row":
      for column in columns where column.name.hasPrefix("maybe ") {
        let plain = try #require(place(String(column.name.dropFirst("maybe ".count))))
        let maybe = try #require(place(column.property))
        (properties[plain], properties[maybe]) = (properties[maybe], properties[plain])
        for key in ["id", "name", "indexId"] {
          (properties[plain][key], properties[maybe][key]) =
            (properties[maybe][key], properties[plain][key])
        }
      }
    case "Widened":
      for place in properties.indices {
        let name = properties[place]["name"] as? String ?? ""
        if name.lowercased().contains("uint") { properties[place]["unsigned"] = true }
        if name == "uuid" { properties[place]["externalType"] = 102 }
      }
    default: break
    }
    entity["properties"] = properties
  }

  /// Makes a store of the earlier model with the rows, and closes it.
  private func fill(_ columns: [Column<Row>]) throws {
    let model = try MigratedModel("ObjectBoxMatrixTests", folder: folder.path)
      .write(isEarlier: true) { try Self.turn(columns, $0, &$1) }
    let store = try Store(directoryPath: path, modelJSON: model)
    defer { store.close() }
    try store.box(named: "Row").put(
      (0..<Matrix.count).map { number in
        Dictionary(uniqueKeysWithValues: columns.map { ($0.property, $0.turned.value(number)) })
      }
    )
    try store.box(named: "Widened").put(
      (0..<Matrix.count).map { number in
        Dictionary(uniqueKeysWithValues: widenings.map { ($0.property, $0.value(number)) })
      }
    )
  }

  @Test func `optional values are read as others and the reverse, and narrow ones as wide ones`()
    throws
  {
    let columns = Columns<Row>.all()
    try fill(columns)
    let store = try Store(directoryPath: path)
    let rows = store.box(for: Row.self)
    expect(try rows.all(), columns)
    for column in columns {
      for condition in column.turned.conditions {
        guard let typed = condition.typed else { continue }
        let found = Matrix.numbers(try rows.query { typed }.build().findIds())
        #expect(found == condition.expected, "\(column.name) \(condition.name)")
      }
    }
    let widened = store.box(for: Widened.self)
    expect(try widened.all())
    for widening in widenings {
      for (condition, expected) in widening.conditions {
        let found = Matrix.numbers(try widened.query { condition }.build().findIds())
        #expect(found == expected, "\(widening.property)")
      }
    }
  }

  @Test(.tags(.slow), .enabled(if: ClusterMatrixTests.address != nil, ClusterMatrixTests.reason))
  func `a database of the earlier model has the same values after its upgrade`() async throws {
    let columns = Columns<Row>.all(hasZeros: false)
    try fill(columns)
    let configuration = ClusterMatrixTests.configuration("migrated matrix")
    let copied = try BuiltProgram("objectbox")
      .run("copy", path, configuration.address, "--schema", configuration.schema)
    #expect(copied.status == 0, "\(copied.errors)")
    let cluster = try await Cluster(configuration: configuration)
    let rows = cluster.box(for: Row.self)
    expect(try await rows.all(), columns)
    for column in columns {
      for condition in column.turned.conditions {
        guard let typed = condition.typed else { continue }
        let found = Matrix.numbers(try await rows.query { typed }.build().findIds())
        #expect(found == condition.expected, "\(column.name) \(condition.name)")
      }
    }
    let widened = cluster.box(for: Widened.self)
    expect(try await widened.all())
    for widening in widenings {
      for (condition, expected) in widening.conditions {
        let found = Matrix.numbers(try await widened.query { condition }.build().findIds())
        #expect(found == expected, "\(widening.property)")
      }
    }
    await cluster.close()
  }

  private func expect(_ rows: [Row], _ columns: [Column<Row>]) {
    #expect(rows.count == Matrix.count)
    for column in columns {
      for (number, row) in rows.enumerated() {
        #expect(column.turned.isRead(row, number), "\(column.name), row \(number)")
      }
    }
  }

  private func expect(_ widened: [Widened]) {
    #expect(widened.count == Matrix.count)
    for widening in widenings {
      for (number, row) in widened.enumerated() {
        #expect(widening.isRead(row, number), "\(widening.property), row \(number)")
      }
    }
  }
}
