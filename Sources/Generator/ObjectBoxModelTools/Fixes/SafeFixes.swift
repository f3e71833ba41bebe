package import ObjectBoxGenerator

/// Makes the safe fixes of findings in the sources.
enum SafeFixes {
  /// Maximum number of rounds.
  ///
  /// A fix may lead to findings with further fixes.
  private static let maximumRounds = 10

  /// Makes fixes until none are left, in at most ten rounds.
  ///
  /// Each file is replaced as a whole. Fixes that change the same characters are reported, not
  /// made.
  ///
  /// - Parameter findings: Returns the findings in the current sources, together with these
  ///   sources; no findings while a source cannot be parsed. It must not write anything.
  /// - Returns: Notes about the fixes.
  /// - Throws: ``FileFault`` when a file cannot be written or changes during the run, and the
  ///   errors of `findings`.
  static func make(
    _ findings: () throws -> (findings: [Diagnostic], files: [SourceFile])
  ) throws -> [Diagnostic] {
    var notes: [Diagnostic] = []
    for _ in 0..<maximumRounds {
      let (findings, files) = try findings()
      let plan = FixPlan(findings)
      if plan.accepted.isEmpty {
        return notes
          + plan.refused.map { Diagnostic(.fixRefused($0.text), at: $0.edits[0].span) }
      }
      let fixed = plan.apply(to: files)
      for file in fixed { try checkUnchanged(files, file.path) }
      for file in fixed { _ = try FileWriter.write(file.text, to: file.path) }
      notes += plan.accepted.map { Diagnostic(.fixMade($0.text), at: $0.edits[0].span.position) }
    }
    return notes
  }

  /// Throws when a file changed since it was parsed, for example by a save in an editor.
  private static func checkUnchanged(_ files: [SourceFile], _ path: String) throws(FileFault) {
    let parsed = files.first { $0.path == path }?.text
    guard try SourceFinder.readText(path) == parsed else {
      throw FileFault("fix", path, "it was changed during the run; run again")
    }
  }
}

extension Generator {
  /// Makes the safe fixes in the sources, then runs the generator; not for locked runs.
  ///
  /// - Returns: The outcome of the run, with a note for each fix first.
  /// - Throws: The errors of ``run()`` and ``SafeFixes/make(_:)``.
  package func runAfterFixes() throws -> Outcome {
    var dry = self
    dry.options.isDry = true
    let notes = try SafeFixes.make { [dry] in
      let outcome = try dry.run()
      return (outcome.isParsed ? outcome.diagnostics : [], outcome.files)
    }
    var outcome = try run()
    outcome.diagnostics = notes + outcome.diagnostics
    return outcome
  }
}

extension DiagnosticMessage {
  static func fixMade(_ text: String) -> Self { note("fixed: \(text)") }

  static func fixRefused(_ text: String) -> Self {
    warning(
      "the fix '\(text)' is not made, since another one changes the same characters; change them "
        + "by hand"
    )
  }
}
