/// Synchronises schema and model: gives IDs to new elements, finds known ones, and retires removed ones.
package enum ModelSynchronizer {
  package struct Result: Sendable {
    /// The schema with all model IDs set.
    package var schema: Schema
    package var model: ModelDocument
    package var diagnostics: [Diagnostic]
    /// The differences of the new model from the old one.
    package var changes: [ModelChange] = []
    /// The names of the entities that this run retires.
    package var retiredEntityNames: [String] = []
    /// True when the model must be written although there are errors (the bare `uid` flow).
    package var writesModelDespiteErrors = false
  }

  /// Synchronises a schema with the model of its file; an empty one stands for a missing file.
  ///
  /// When there are errors, the result's model is the old one, except for the pool in the bare `uid`
  /// flow.
  package static func synchronize(
    _ schema: Schema,
    with model: ModelDocument,
    uids: inout UIDGenerator
  ) -> Result {
    var run = SynchronizationRun(old: model, uids: uids)
    var result = run.synchronize(schema)
    uids = run.uids
    if result.diagnostics.isEmpty {
      result.changes = ModelChange.between(model, result.model, schema: result.schema)
    }
    return result
  }
}
