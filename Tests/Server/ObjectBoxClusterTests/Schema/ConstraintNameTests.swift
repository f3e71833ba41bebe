import ObjectBox
import Testing

@testable import ObjectBoxCluster

struct ConstraintNameTests {
  private func tables(_ body: (inout TestModel) throws -> Void) throws -> ClusterTables {
    var model = TestModel()
    try body(&model)
    return ClusterTables(try model.schema(), in: "public")
  }

  @Test func aConstraintIsFoundByTheNameThatTheServerReports() throws {
    let tables = try tables { model in
      model.entity("Person", 1) {
        $0.property("id", 11, .long, flags: 1)
        $0.property("email", 12, .string, flags: 2080, index: 101)
        $0.property("first", 13, .string)
        $0.property("last", 14, .string)
        $0.together([14, 13], 102, isUnique: true)
      }
    }
    let email = try #require(tables.properties(ofConstraint: "objectbox_unique_12"))
    #expect(email.entity.name == "Person")
    #expect(email.properties.map(\.name) == ["email"])
    let names = try #require(tables.properties(ofConstraint: "objectbox_unique_102"))
    #expect(names.properties.map(\.name) == ["last", "first"])
    let key = try #require(tables.properties(ofConstraint: "objectbox_id_1"))
    #expect(key.properties.map(\.name) == ["id"])
    #expect(tables.properties(ofConstraint: "objectbox_unique_99") == nil)
    #expect(tables.properties(ofConstraint: "") == nil)
    #expect(tables.properties(ofConstraint: "other_12x") == nil)
  }

  @Test func everyConstraintOfTheModelIsFound() throws {
    let tables = try tables { model in
      model.entity("Everything", 1) { entity in
        entity.property("id", 11, .long, flags: 1)
        entity.property("text", 12, .string, flags: 40, index: 101)
        entity.property("number", 13, .long, flags: 40, index: 102)
        entity.property("other", 14, .relation, flags: 520, index: 103, target: "Everything")
        entity.together([12, 13], 104, isUnique: false)
      }
    }
    let entity = try #require(tables.model.entities.first)
    for constraint in TableConstraint.all(of: entity, in: tables.model) {
      #expect(constraint.name.utf8.count <= 63)
      let found = try #require(tables.properties(ofConstraint: constraint.name))
      #expect(Set(found.properties.map(\.identity.uid)) == Set(constraint.parts.map(\.property)))
    }
  }
}
