/// Reads the model file.
enum ModelStage {
  struct Output {
    /// Text of the file; nil when there is no file.
    var text: String?
    /// The model; empty for a missing file, nil when the run does not need it.
    var document: ModelDocument?
  }

  /// Reads the model for the synchronisation with a schema; the run must hold its lock.
  static func run(
    _ options: GeneratorOptions,
    _ schema: Schema,
    _ found: SourceFinder.Found,
    _ lock: ModelLock?
  ) throws(FileFault) -> StageResult<Output> {
    var result = StageResult(output: Output())
    let hasEntities = !schema.entities.isEmpty
    if hasEntities {
      if let finding = try VanishedModel.finding(options, schema, found) {
        result.findings = [finding]
        return result
      }
      try lock?.makeFolder()
    }
    let text = try SourceFinder.readTextIfPresent(options.modelPath)
    result.output.text = text
    // Without an owner, a locked run without entities may have found another target's model.
    let needsModel = !options.isLocked || options.entitiesOwner != nil
    guard hasEntities || text != nil && needsModel else { return result }
    let parsed = text.map { ModelDocument.parse($0, path: options.modelPath) }
    result.output.document = parsed?.model ?? ModelDocument()
    result.findings = parsed?.diagnostics ?? []
    return result
  }
}
