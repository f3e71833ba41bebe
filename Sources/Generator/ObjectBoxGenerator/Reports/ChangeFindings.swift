/// Findings about the changes of the model in a run.
package struct ChangeFindings {
  /// Greatest number of less likely renames that a finding names.
  private static let maximumOthers = 3

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
      let rename = rename(change, among: changes)
      return finding(.changedModel(change, rename, options), change, among: changes)
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
        .lockedModel(change, rename(change, among: changes), options),
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
      rename(change, among: changes).map { rename in
        finding(.likelyRename(change, rename), change, among: changes)
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

  /// Returns the annotation that makes a change the rename of a removed element.
  ///
  /// A property of a base is renamed in several entities by one annotation.
  private func annotation(
    _ change: ModelChange,
    of old: LikelyRename.Gone,
    among changes: [ModelChange]
  ) -> String {
    let uids = changes.filter { $0.position == change.position }.compactMap { other in
      other.formerElements.first { $0.name == old.name }?.uid
    }
    let text = UIDRule.text(of: change.position == nil ? [old.uid] : uids)
    return "// \(options.annotationPrefix): \(text)"
  }

  /// Returns the words about a change that may be a rename; nil if no removed element has its form.
  private func rename(_ change: ModelChange, among changes: [ModelChange]) -> RenameWords? {
    let old = change.formerElements
    guard let first = old.first else { return nil }
    return RenameWords(
      condition: change.renamed == nil
        ? "if it was '\(first.name)', which is gone" : "if it is a rename",
      annotation: annotation(change, of: first, among: changes),
      others: old.dropFirst().prefix(Self.maximumOthers).map {
        (annotation(change, of: $0, among: changes), $0.name)
      },
      loss: first.effect.text
    )
  }

  private func finding(
    _ message: DiagnosticMessage,
    _ change: ModelChange,
    among changes: [ModelChange],
    notes: [Diagnostic] = []
  ) -> Diagnostic {
    let fix = change.position.flatMap { position in
      change.renamed.flatMap {
        fixIt(annotation(change, of: $0, among: changes), above: position)
      }
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

/// The words of findings about a change that may be a rename.
struct RenameWords {
  /// When it is one, such as "if it is a rename".
  let condition: String
  /// The annotation that keeps the data.
  let annotation: String
  /// The annotations for less likely former names, with these names.
  let others: [(annotation: String, name: String)]
  /// The loss without the annotation.
  let loss: String

  /// The instruction for that case.
  var action: String {
    let others = others.map { "`\($0.annotation)` if it was '\($0.name)'" }
    return "put `\(annotation)` on it"
      + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
  }
}

extension DiagnosticMessage {
  static func changedModel(
    _ change: ModelChange,
    _ rename: RenameWords?,
    _ options: GeneratorOptions
  ) -> Self {
    let advice =
      rename.map {
        "; \($0.condition), take back the model file as it was (`git checkout -- "
          + "\(options.modelPath)`, or '\(options.modelPath).bak'), \($0.action), and run again"
      } ?? successors(of: change, "finding").map { "; \($0)" } ?? ""
    return Self(
      change.effect.isRisk || rename != nil ? .warning : .note,
      "\(change.text): \(change.effect.text)\(advice)"
    )
  }

  /// The words about a removed element that may have another name now.
  private static func successors(of change: ModelChange, _ word: String) -> String? {
    guard !change.successors.isEmpty else { return nil }
    let names = change.successors.prefix(3).map { "'\($0)'" }.joined(separator: " or ")
    return "if it is now \(names), do as the \(word) about that one says"
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
    _ rename: RenameWords?,
    _ options: GeneratorOptions
  ) -> Self {
    let update =
      options.entitiesOwner.map { owner in
        "declare the same as '\(owner)' does, or change the sources of '\(owner)' as well and run"
      } ?? "run"
    let keep =
      rename.map { "\($0.condition), \($0.action), since without it \($0.loss)" }
      ?? successors(of: change, "error")
    let way = keep.map { "\($0); else \(update)" } ?? update
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

  static func likelyRename(_ change: ModelChange, _ rename: RenameWords) -> Self {
    note(
      "\(change.text); \(rename.condition), \(rename.action), since without it \(rename.loss)"
    )
  }

  static func removesAll(_ names: [String]) -> Self {
    "none of the entities of this model is in the sources, and their data would be out of "
      + "reach: \(names.quotedList); give the sources a model file of their own, or pass --allow-removing-all"
  }
}
