import Foundation
import ObjectBox
import ObjectBoxDynamic
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SchemaPlanTests {
  private func model(_ body: (inout TestModel.Entity) -> Void = { _ in }) -> TestModel {
    var model = TestModel()
    model.entity("Note", 1) { entity in
      entity.property("id", 11, .long, flags: 1)
      body(&entity)
    }
    return model
  }

  private func plan(_ model: TestModel, in namespace: String) async throws -> SchemaPlan {
    try await Cluster.plan(
      schema: try model.schema(),
      TestServer.configuration(in: namespace)
    )
  }

  @Test func aPlanForAnEmptyDatabaseMakesNothing() async throws {
    let database = try await TestDatabase()
    let plan = try await plan(model(), in: database.namespace)
    #expect(plan.statements.contains { $0.hasPrefix("CREATE SCHEMA") })
    #expect(plan.statements.contains { $0.contains("\"Note\" (\"id\" bigint NOT NULL") })
    #expect(
      try await database.value(
        "SELECT to_regnamespace(\(database.namespace.quotedName.quotedText))::text"
      ) == nil
    )
  }

  @Test func aPlanTellsTheChangesAndNothingElse() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    #expect(try await plan(model(), in: database.namespace).isEmpty)
    let changed = model { $0.property("stars", 12, .int) }
    let plan = try await plan(changed, in: database.namespace)
    #expect(plan.description.contains("\"Note\" ADD COLUMN \"stars\" integer;\n"))
    #expect(!plan.description.contains("CREATE TABLE \(database.namespace.quotedName).\"Note\""))
    #expect(try await database.columns("Note") == ["id bigint"])
  }

  @Test func theStatementsOfAPlanAreThoseThatOpeningRuns() async throws {
    let database = try await TestDatabase()
    let changed = model {
      $0.property("text", 12, .string, flags: 2080, index: 101)
      $0.property(
        "other",
        13,
        .relation,
        flags: 520,
        index: 102,
        target: "Note",
        #""onDelete":"cascade""#
      )
    }
    for statement in try await plan(changed, in: database.namespace).statements {
      _ = try await database.connection.run([Statement(once: statement)])
    }
    #expect(try await plan(changed, in: database.namespace).isEmpty)
    try await database.open(changed)
  }

  @Test func aPlanOfAnOpenClusterIsForAnotherModel() async throws {
    let cluster = try await TestServer.cluster()
    #expect(try await cluster.plan(schema: cluster.tables.model).isEmpty)
  }

  @Test func aPlanFromAModelFileIsThatOfTheProgram() async throws {
    let database = try await TestDatabase()
    let cluster = try await TestServer.cluster(in: database.namespace)
    _ = cluster
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("model-ObjectBoxClusterTests.json")
    let configuration = TestServer.configuration(in: database.namespace)
    let plan = try await Cluster.plan(modelJSON: file, configuration: configuration)
    #expect(plan.isEmpty, "\(plan)")
  }
}
