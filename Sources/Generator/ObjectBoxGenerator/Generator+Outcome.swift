extension Generator {
  /// The findings and messages of a run.
  package struct Outcome: Sendable {
    package var diagnostics: [Diagnostic] = []
    /// The written files, in words.
    package var messages: [String] = []
    /// The sources and, if there is one, the model; snippets of findings show them.
    package var files: [SourceFile] = []
    /// False when a source could not be parsed.
    package var isParsed = true
    /// True when nothing was parsed because no input changed.
    package var isRepeated = false
    /// Answer for a later run with unchanged files; nil when that run may differ.
    private(set) var repeatableAnswer: RunCache.Answer?

    package var hasErrors: Bool { diagnostics.contains(where: \.isError) }
  }
}

extension Generator.Outcome {
  init(
    repeating answer: (diagnostics: [Diagnostic], messages: [String]),
    files: [SourceFile]
  ) {
    self.init(diagnostics: answer.diagnostics, messages: answer.messages, files: files)
    isRepeated = true
  }

  /// Adds the findings of a stage and returns its output.
  mutating func take<Output>(_ result: StageResult<Output>) -> Output {
    diagnostics += result.findings
    return result.output
  }

  /// Keeps the answer for a repeated run, which finds the bindings already written; nothing when no
  /// bindings were written.
  mutating func noteAnswer(
    model: (path: String, text: String?),
    bindings: (path: String, text: String?)
  ) {
    guard let code = bindings.text else { return }
    let written = WritingStage.message(ofFile: bindings.path, isUnchanged: false)
    let unchanged = WritingStage.message(ofFile: bindings.path, isUnchanged: true)
    repeatableAnswer = RunCache.Answer(
      diagnostics: diagnostics,
      messages: messages.map { $0 == written ? unchanged : $0 },
      files: [model.path: model.text, bindings.path: code]
    )
  }
}
