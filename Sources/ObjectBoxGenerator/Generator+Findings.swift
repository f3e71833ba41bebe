// What a run finds besides what its steps tell.

extension Generator {
  /// The findings of the synchronisation; a locked run cannot keep the new UID that a bare `uid` tells.
  func findings(_ result: ModelSynchronizer.Result) -> [Diagnostic] {
    guard options.isLocked, result.writesModelDespiteErrors else { return result.diagnostics }
    return result.diagnostics.map { finding in
      Diagnostic(
        .lockedUID(command: options.updateCommand),
        at: finding.position,
        length: finding.length,
        fixIts: finding.fixIts
      )
    }
  }

  /// Warnings of bindings that the reference's generator left among the sources.
  func otherBindings(_ generated: [SourceFile]) -> [Diagnostic] {
    let output = SourceFinder.absolute(FileWriter.outputFile(options.outputPath))
    return generated.filter {
      GeneratedFile.isOfOther($0.text) && SourceFinder.absolute($0.path) != output
    }.map { file in
      Diagnostic(.otherBindings, at: SourcePosition(path: file.path, line: 1, column: 1))
    }
  }

  /// What forbids to go on: a locked model that would change, or one that would lose everything.
  func refusals(
    _ result: ModelSynchronizer.Result,
    oldModel: ModelDocument
  ) -> [Diagnostic] {
    guard result.diagnostics.isEmpty else { return [] }
    let place = SourcePosition(path: options.modelPath, line: 1, column: 1)
    if options.isLocked {
      return result.changes.map { change in
        Diagnostic(
          .lockedModel(change.text, model: options.modelPath, command: options.updateCommand),
          at: change.position ?? place
        )
      }
    }
    let gone = result.retiredEntityNames
    if !gone.isEmpty, gone.count == oldModel.entities.count, !options.allowsRemovingAll {
      return [Diagnostic(.removesAll(gone), at: place)]
    }
    return []
  }
}

extension DiagnosticMessage {
  static let otherBindings = Self(
    .warning,
    "this file holds bindings of another generator, which would be declared twice; delete it, since the "
      + "bindings are made anew from the sources and the model file"
  )

  static func lockedModel(_ change: String, model: String, command: String) -> Self {
    Self(.error, "\(change), and the model '\(model)' does not say so; run: \(command)")
  }

  static func lockedUID(command: String) -> Self {
    Self(
      .error,
      "a uid annotation without a number asks for its UID; to be told it, run: \(command)"
    )
  }

  static func removesAll(_ names: [String]) -> Self {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .error,
      "none of the entities of this model is in the sources, and their data would be lost: \(list); give "
        + "the sources a model file of their own, or pass --allow-removing-all"
    )
  }
}
