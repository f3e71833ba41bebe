/// Writes the files of a run.
enum WritingStage {
  struct Output {
    /// A message for each file, and the message about the whole run.
    var messages: [String] = []
    /// True when the model file was up to date.
    var keepsModel = true
  }

  static func run(
    _ options: GeneratorOptions,
    _ rendered: RenderingStage.Output,
    _ lock: ModelLock?
  ) throws(FileFault) -> StageResult<Output> {
    var result = StageResult(output: Output())
    if let model = rendered.model { result = try write(model, options, lock) }
    for (path, text) in rendered.files {
      guard let text else {
        try FileWriter.remove(path)
        if path == options.outputFile { RunCache.clear(for: path) }
        continue
      }
      let isUnchanged = try FileWriter.write(text, to: path) == .unchanged
      result.output.messages.append(message(ofFile: path, isUnchanged: isUnchanged))
    }
    if let dump = rendered.dump, let path = options.debugPath {
      _ = try FileWriter.write(dump, to: path)
    }
    result.output.messages.append(rendered.summary)
    return result
  }

  /// Writes only the model file.
  static func write(
    _ model: ModelDocument,
    _ options: GeneratorOptions,
    _ lock: ModelLock?
  ) throws(FileFault) -> StageResult<Output> {
    let outcome = try FileWriter.write(model.text, to: options.modelPath, keepsBackup: true)
    let words =
      switch outcome {
      case .unchanged: "is unchanged"
      case .created: "was created; add it to version control"
      case .changed: "was changed; commit it with the sources"
      }
    let output = Output(
      messages: ["model file '\(options.modelPath)' \(words)"],
      keepsModel: outcome == .unchanged
    )
    let fault = outcome == .unchanged ? nil : lock?.fault
    return StageResult(
      output: output,
      findings: fault.map { [Diagnostic(.unlockable($0), at: options.modelStart)] } ?? []
    )
  }

  static func message(ofFile path: String, isUnchanged: Bool) -> String {
    "generated file '\(path)' " + (isUnchanged ? "is unchanged" : "was written")
  }
}
