import Testing

@testable import ObjectBoxGenerator

/// External names and types, from the annotation to model and code.
struct ExternalTypeRenderingTests {
  @Test func `an external type goes before the external name, into model and code`() throws {
    let entity = try entity(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: externalName = "_ref", externalType = mongoId
        var ref: Data
        // objectbox: externalType = uuid
        var key: Data
      }
      """
    )
    var uids = UIDGenerator(isDeterministic: true)
    let result = ModelSynchronizer.synchronize(
      Schema(entities: [entity]),
      with: ModelDocument(),
      uids: &uids
    )
    let properties = result.model.entities.first?.properties
    #expect(properties?.map(\.externalType) == [nil, 123, 102])
    let code = try CodeRenderer.render(
      result.schema,
      result.model,
      visibility: "internal"
    )
    #expect(code.contains("\n      .externalType(123)\n      .externalName(\"_ref\")\n"))
    #expect(code.contains("\n      .externalType(102)\n    try"))
  }
}
