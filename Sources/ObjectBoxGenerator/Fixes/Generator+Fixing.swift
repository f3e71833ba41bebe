extension Generator {
  /// One round of fixes may bring forth findings with further ones; more rounds than this never do.
  private static let maximumRounds = 10

  /// Makes the safe fixes in the sources until there are none left, then runs.
  ///
  /// Each file is replaced whole. Nothing is changed while a file cannot be read or parsed, and the
  /// fixes that change the same characters as others are told and not made.
  func runFixing() throws -> Outcome {
    var dry = options
    dry.isDry = true
    var told: [Diagnostic] = []
    for _ in 0..<Self.maximumRounds {
      let outcome = try Generator(dry).runOnce()
      let plan = FixPlan(outcome.isParsed ? outcome.diagnostics : [])
      if plan.accepted.isEmpty {
        told += plan.refused.map { Diagnostic(.fixRefused($0.text), at: $0.edits[0].span) }
        break
      }
      let fixed = plan.apply(to: outcome.files)
      for file in fixed { try checkUnchanged(outcome.files, file.path) }
      for file in fixed { _ = try FileWriter.write(file.text, to: file.path) }
      told += plan.accepted.map { Diagnostic(.fixMade($0.text), at: $0.edits[0].span.position) }
    }
    var outcome = try runOnce()
    outcome.diagnostics = told + outcome.diagnostics
    return outcome
  }

  /// Throws when a file is no longer what was parsed, such as after a save in an editor.
  private func checkUnchanged(_ files: [SourceFile], _ path: String) throws(FileFault) {
    let parsed = files.first { $0.path == path }?.text
    guard try SourceFinder.readText(path) == parsed else {
      throw FileFault("fix", path, "it was changed during the run; run again")
    }
  }
}

extension DiagnosticMessage {
  static func fixMade(_ text: String) -> Self { Self(.note, "fixed: \(text)") }

  static func fixRefused(_ text: String) -> Self {
    Self(
      .warning,
      "the fix '\(text)' is not made, since another one changes the same characters; change them by "
        + "hand"
    )
  }
}
