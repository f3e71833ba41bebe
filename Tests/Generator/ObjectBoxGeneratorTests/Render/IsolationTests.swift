import ObjectBoxGenerator
import Testing

/// The isolation of generated code.
struct IsolationTests {
  private func code(_ source: String) throws -> String {
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: source)])
    #expect(built.diagnostics.map(\.description) == [])
    var uids = UIDGenerator(isDeterministic: true)
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: ModelDocument(),
      uids: &uids
    )
    return try CodeRenderer.render(
      result.schema,
      result.model,
      visibility: "internal"
    )
  }

  @Test func `entities that state no isolation leave it to the module`() throws {
    let code = try code("class A: Entity { var id: Id = 0 }")
    #expect(!code.contains("nonisolated"))
    #expect(!code.contains("@MainActor"))
  }

  @Test func `nonisolated entities have nonisolated bindings, and a store of them opens anywhere`()
    throws
  {
    let code = try code("nonisolated final class A: Entity { var id: Id = 0 }")
    #expect(code.contains("nonisolated internal final class ABinding: ObjectBox.EntityBinding"))
    #expect(code.contains("nonisolated extension A: ObjectBox.EntityInspectable {"))
    #expect(code.contains("nonisolated extension ObjectBox.Store {"))
  }

  @Test func `one entity that leaves its isolation open leaves that of the store open`() throws {
    let code = try code(
      "nonisolated struct A: Entity { var id: Id }\nstruct B: Entity { var id: Id }"
    )
    #expect(code.contains("nonisolated extension A: "))
    #expect(code.contains("\nextension B: "))
    #expect(code.contains("\nextension ObjectBox.Store {"))
  }

  @Test func `entities of the main actor conform there`() throws {
    let code = try code("@MainActor @objc final class A: Entity { var id: Id = 0 }")
    #expect(code.contains("@MainActor extension A: @MainActor ObjectBox.EntityInspectable {"))
    #expect(code.contains("@MainActor extension ObjectBox.Store {"))
  }
}
