import ObjectBoxGenerator
import Testing

/// Synchronises sources with a model; deterministic UIDs continue from run to run.
struct ModelHistory {
  var model = ModelDocument()
  var uids = UIDGenerator(isDeterministic: true)

  mutating func run(_ source: String) -> ModelSynchronizer.Result {
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: source)])
    #expect(built.diagnostics.map(\.description) == [])
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: model,
      uids: &uids
    )
    if result.diagnostics.isEmpty || result.writesModelDespiteErrors { model = result.model }
    // The written text reads back as the same model.
    #expect(ModelDocument.parse(model.text, path: "m").model == model)
    return result
  }

  func ids(_ entity: String) -> [String] {
    model.entities.first { $0.name == entity }?.properties.map {
      "\($0.name) \($0.id.id):\($0.id.uid)" + ($0.indexID.map { " i\($0.id):\($0.uid)" } ?? "")
    } ?? []
  }
}
