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

  /// The effects of the changes on stored data, and what forbids to go on: a locked model that would
  /// change, or one that would lose everything.
  func findings(
    of changes: [ModelChange],
    retiring retired: [String],
    from oldModel: ModelDocument,
    in files: [SourceFile]
  ) -> [Diagnostic] {
    let findings = ChangeFindings(options, files)
    if options.isLocked { return findings.refusals(of: changes) }
    // No store was written with an empty model.
    if oldModel.entities.isEmpty { return [] }
    if !retired.isEmpty, retired.count == oldModel.entities.count, !options.allowsRemovingAll {
      return [findings.refusal(retiring: retired, changes)]
    }
    return findings.effects(of: changes)
  }
}

extension DiagnosticMessage {
  static let otherBindings = Self(
    .warning,
    "this file holds bindings of another generator, which would be declared twice; delete it, since the "
      + "bindings are made anew from the sources and the model file"
  )

  static func lockedUID(command: String) -> Self {
    Self(
      .error,
      "a uid annotation without a number asks for its UID; to be told it, run: \(command)"
    )
  }
}
