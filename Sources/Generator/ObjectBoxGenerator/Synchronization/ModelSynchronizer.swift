/// Synchronises schema and model: gives IDs to new elements, finds known elements and retires
/// removed ones.
package enum ModelSynchronizer {
  package struct Result: Sendable {
    /// The schema with all model IDs set.
    package var schema: Schema
    package var model: ModelDocument
    package var diagnostics: [Diagnostic]
    /// Differences between the old and the new model.
    package var changes: [ModelChange] = []
    /// Names of the entities that this run retires.
    package var retiredEntityNames: [String] = []
    /// True when the model must be written despite errors, to store a UID that a bare `uid` asked
    /// for.
    package var writesModelDespiteErrors = false
  }

  /// Synchronises a schema with the model of its file; an empty model stands for a missing file.
  ///
  /// After errors, the result's model is the old model. Only a bare `uid` changes it: it adds a UID
  /// to the pool.
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
