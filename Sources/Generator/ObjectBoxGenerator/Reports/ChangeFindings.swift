/// Findings about the changes of the model in a run.
package struct ChangeFindings {
  private let options: GeneratorOptions
  private let files: [SourceFile]

  /// - Parameters:
  ///   - options: The options of the run.
  ///   - files: The sources of the run.
  package init(_ options: GeneratorOptions, _ files: [SourceFile]) {
    self.options = options
    self.files = files
  }

  /// Returns a finding with the effect of each change on stored data: a warning when data is at
  /// risk, else a note.
  func effects(of changes: [ModelChange]) -> [Diagnostic] {
    changes.map { change in
      let advice = annotation(change, among: changes).map { annotation in
        "; if it is a rename, take back the model file as it was (`git checkout -- "
          + "\(options.modelPath)`, or '\(options.modelPath).bak'), put `\(annotation)` on "
          + "it, and run again"
      }
      return finding(.changedModel(change, advice: advice ?? ""), change, among: changes)
    }
  }

  /// Returns an error for each change of a type that needs a decision in the sources; see
  /// ``needsDecision(_:)``.
  func undecidedTypes(of changes: [ModelChange]) -> [Diagnostic] {
    changes.compactMap { undecidedType(of: $0, then: "then run again") }
  }

  /// Returns the errors of a run that must not change the model.
  package func refusals(of changes: [ModelChange]) -> [Diagnostic] {
    // The bindings know the signs, so a model without them does not stop a build.
    changes.filter { !$0.effect.isOfModelOnly }.map { change in
      if options.entitiesOwner == nil,
        let undecided = undecidedType(of: change, then: "then run: \(options.updateCommand)")
      {
        return undecided
      }
      return finding(
        .lockedModel(change, rename: annotation(change, among: changes), options),
        change,
        among: changes,
        notes: change.effect.isRisk && change.renamedUID == nil
          ? [Diagnostic(.effect(change.effect), at: change.position ?? options.modelStart)] : []
      )
    }
  }

  /// Returns the error of a run that would retire all entities, with likely renames as notes.
  func refusal(retiring names: [String], _ changes: [ModelChange]) -> Diagnostic {
    let renames = changes.compactMap { change in
      annotation(change, among: changes).map { annotation in
        finding(.likelyRename(change, annotation: annotation), change, among: changes)
      }
    }
    return Diagnostic(
      .removesAll(names),
      at: options.modelStart,
      notes: renames.map { Diagnostic($0.message, at: $0.position) },
      fixIts: renames.flatMap(\.fixIts)
    )
  }

  private func undecidedType(of change: ModelChange, then next: String) -> Diagnostic? {
    guard let retyping = change.retyping, needsDecision(retyping) else { return nil }
    let head = "// \(options.annotationPrefix): "
    let migration = retyping.annotation.map { head + $0 }
    let fix = migration.flatMap { comment in
      change.hasUID ? nil : change.position.flatMap { fixIt(comment, above: $0) }
    }
    return Diagnostic(
      .undecidedType(change, isID: retyping.isID, migration: migration, reset: "\(head)uid", next),
      at: change.position ?? options.modelStart,
      fixIts: fix.map { [$0] } ?? []
    )
  }

  /// Returns whether the sources must decide about the stored values.
  ///
  /// Written into the model, the new type would replace the old one, which `migratedFrom` reads.
  /// Sources that use clusters may widen a number without a decision: PostgreSQL keeps its values.
  private func needsDecision(_ retyping: Retyping) -> Bool {
    !(retyping.isWidening && ClusterImport.isIn(files))
  }

  /// Returns the annotation that makes a change a rename; nil when it is probably none.
  ///
  /// A property of a base is renamed in several entities by one annotation.
  private func annotation(_ change: ModelChange, among changes: [ModelChange]) -> String? {
    guard let uid = change.renamedUID else { return nil }
    let uids = changes.filter { $0.position == change.position }.compactMap(\.renamedUID)
    let text = UIDRule.text(of: change.position == nil ? [uid] : uids)
    return "// \(options.annotationPrefix): \(text)"
  }

  private func finding(
    _ message: DiagnosticMessage,
    _ change: ModelChange,
    among changes: [ModelChange],
    notes: [Diagnostic] = []
  ) -> Diagnostic {
    let fix = change.position.flatMap { position in
      annotation(change, among: changes).flatMap { fixIt($0, above: position) }
    }
    return Diagnostic(
      message,
      at: change.position ?? options.modelStart,
      notes: notes,
      fixIts: fix.map { [$0] } ?? []
    )
  }

  /// Returns the insertion of a comment above a declaration; nil when code precedes the declaration
  /// on its line.
  private func fixIt(_ comment: String, above position: SourcePosition) -> FixIt? {
    guard let file = files.first(where: { $0.path == position.path }) else { return nil }
    let source = SourceText(file)
    guard position.line >= 1, position.line <= source.lineCount else { return nil }
    let line = source.range(ofLine: position.line - 1)
    let before = source.text(line).utf8.prefix(position.column - 1)
    let isCode = before.contains { ["{", "}", ";", "/", "\""].contains(Unicode.Scalar($0)) }
    guard !isCode, before.count == position.column - 1 else { return nil }
    let isCarriageReturn =
      line.upperBound < source.bytes.count
      && source.bytes[line.upperBound] == UInt8(ascii: "\r")
    let indentation = source.text(line.lowerBound..<source.trimmed(line).lowerBound)
    let start = SourcePosition(path: position.path, line: position.line, column: 1)
    return FixIt(
      "put '\(comment)' on the line above",
      edits: [
        FixIt.Edit(
          SourceSpan(position: start, length: 0),
          replacement: indentation + comment + (isCarriageReturn ? "\r\n" : "\n")
        )
      ],
      // It may be no rename: one element may be removed and the other new.
      isSafe: false
    )
  }
}

extension DiagnosticMessage {
  static func changedModel(_ change: ModelChange, advice: String) -> Self {
    Self(
      change.effect.isRisk ? .warning : .note,
      "\(change.text): \(change.effect.text)\(advice)"
    )
  }

  static func undecidedType(
    _ change: ModelChange,
    isID: Bool,
    migration: String?,
    reset: String,
    _ next: String
  ) -> Self {
    let problem = "\(change.text), and stores of the old model would be refused"
    if isID {
      return "\(problem): a property cannot begin or cease to be the ID; restore the type"
    }
    func put(_ annotation: String) -> String {
      change.hasUID
        ? "replace its uid annotation by `\(annotation)`" : "put `\(annotation)` on it"
    }
    let keep =
      migration.map(put) ?? "restore the type, and copy them into a new property in a write"
    return "\(problem); to keep the values, \(keep); to start anew, which loses the values, "
      + "\(put(reset)) instead; \(next)"
  }

  static func lockedModel(
    _ change: ModelChange,
    rename: String?,
    _ options: GeneratorOptions
  ) -> Self {
    let update =
      options.entitiesOwner.map { owner in
        "declare the same as '\(owner)' does, or change the sources of '\(owner)' as well and run"
      } ?? "run"
    let way =
      rename.map {
        "if it is a rename, put `\($0)` on it, since without it \(change.effect.text); else \(update)"
      } ?? update
    let owner = options.entitiesOwner.map { " of target '\($0)'" } ?? ""
    return "\(change.text), and the model '\(options.modelPath)'\(owner) does not say so; \(way): "
      + "\(options.updateCommand)"
  }

  package static func lockedUID(_ options: GeneratorOptions) -> Self {
    let way = options.entitiesOwner.map { "write it in the sources of '\($0)', and run" } ?? "run"
    return "a uid annotation without a number asks for its UID; to be told it, \(way): "
      + "\(options.updateCommand)"
  }

  static func effect(_ effect: DataEffect) -> Self {
    note("with the model changed so: \(effect.text)")
  }

  static func likelyRename(_ change: ModelChange, annotation: String) -> Self {
    note(
      "\(change.text); if it is a rename, put `\(annotation)` on it, since without it "
        + change.effect.text
    )
  }

  static func removesAll(_ names: [String]) -> Self {
    "none of the entities of this model is in the sources, and their data would be out of "
      + "reach: \(names.quotedList); give the sources a model file of their own, or pass --allow-removing-all"
  }
}
