/// Brings schema and model into agreement: gives new elements their IDs, finds the known ones,
/// retires those that are gone.
package enum ModelSynchronizer {
  package struct Result: Sendable {
    /// The schema with all model IDs set.
    package var schema: Schema
    package var model: ModelDocument
    package var diagnostics: [Diagnostic]
    /// What the new model has that the old one lacked, or the other way round; empty when both say the same.
    package var changes: [ModelChange]
    /// True when the model must be written although there are errors (the bare `uid` flow).
    package var writesModelDespiteErrors: Bool
  }

  package static func synchronize(
    _ schema: Schema, with model: ModelDocument, modelPath: String, uids: inout UIDGenerator
  ) -> Result {
    Result(
      schema: schema, model: model, diagnostics: [], changes: [], writesModelDespiteErrors: false)
  }
}

/// One difference between the sources and the model.
package struct ModelChange: Hashable, Sendable {
  /// In words, naming entity and property, such as "property 'rating' of entity 'Note' is new".
  package var text: String
  /// Where the sources cause it; nil for something that only the model has.
  package var position: SourcePosition?

  package init(text: String, position: SourcePosition?) {
    self.text = text
    self.position = position
  }
}

/// Draws new UIDs.
package struct UIDGenerator: Sendable {
  /// - Parameter isDeterministic: Counts instead of drawing at random, as `--debug-parsetree` asks.
  package init(isDeterministic: Bool) {}
}
