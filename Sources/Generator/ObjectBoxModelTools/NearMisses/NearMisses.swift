package import ObjectBoxGenerator
internal import ObjectBoxSwiftReader

/// Finds declarations that are probably meant to be entities.
///
/// Used only when a run finds no entities. Parses the candidate files again.
package struct NearMisses {
  /// Maximum number of notes; they mostly have one cause.
  private static let maximumCount = 20

  /// The word before the colon in annotations.
  let prefix: String
  let conditions: BuildConditions
  /// The output of the run, about which there is no note.
  let outputPath: String

  /// Returns notes about the files, in the order of their positions.
  package func find(in files: [SourceFile]) -> [Diagnostic] {
    var parsed: [ParsedSource] = []
    var notes: [Diagnostic] = []
    for file in files {
      if GeneratedFile.isGenerated(file.text) {
        if SourceFinder.absolute(file.path) != SourceFinder.absolute(outputPath) {
          notes.append(Diagnostic(.skippedAsGenerated, at: SourcePosition(startOf: file.path)))
        }
        continue
      }
      guard mayHoldSomething(file.text) else { continue }
      parsed.append(
        SourceParser().parse(file, annotationPrefix: prefix, conditions: conditions)
      )
      notes += NearMissVisitor.notes(in: file, prefix: prefix)
    }
    for type in TypeMerging.merge(parsed.flatMap(\.types), DeclaredNames(parsed))
    where !type.isEntity && !type.isBase {
      guard let variable = type.variables.first(where: { !$0.annotations.names.isEmpty }) else {
        continue
      }
      let message = DiagnosticMessage.annotatedVariable(
        variable.name,
        of: type.qualifiedName,
        prefix: prefix
      )
      notes.append(Diagnostic(message, at: type.position))
    }
    let sorted = notes.sorted { left, right in
      guard let first = left.position, let second = right.position else { return false }
      return first < second
    }
    return Array(sorted.prefix(Self.maximumCount))
  }

  private func mayHoldSomething(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.contains("entity") || text.contains(prefix.lowercased())
  }
}

extension NearMisses {
  package init(_ options: GeneratorOptions) {
    self.init(
      prefix: options.annotationPrefix,
      conditions: options.conditions,
      outputPath: options.outputFile
    )
  }
}

extension DiagnosticMessage {
  static let skippedAsGenerated = note(
    "this file is not read, since it begins as a generated one; remove its first line if it is "
      + "yours"
  )

  static func annotatedVariable(_ variable: String, of type: String, prefix: String) -> Self {
    note(
      "'\(type)' has the annotated property '\(variable)' and is no entity; put `// \(prefix): "
        + "entity` on the line above its declaration"
    )
  }
}
