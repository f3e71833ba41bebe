/// Finds what was probably meant to be an entity, for a run that finds none.
///
/// Parses again the files that could hold something; only such a run pays for it.
struct NearMisses {
  /// How many are told; they mostly have one cause.
  private static let maximumCount = 20

  /// The word before the colon in annotations.
  let prefix: String
  let conditions: BuildConditions
  /// The output of the run, which is no source that was forgotten.
  let outputPath: String

  /// Returns notes about the files, in the order of their places.
  func find(in files: [SourceFile]) -> [Diagnostic] {
    var parsed: [ParsedSource] = []
    var notes: [Diagnostic] = []
    for file in files {
      if GeneratedFile.isGenerated(file.text) {
        if SourceFinder.absolute(file.path) != SourceFinder.absolute(outputPath) {
          let start = SourcePosition(path: file.path, line: 1, column: 1)
          notes.append(Diagnostic(.skippedAsGenerated, at: start))
        }
        continue
      }
      guard mayHoldSomething(file.text) else { continue }
      parsed.append(SourceParser.parse(file, annotationPrefix: prefix, conditions: conditions))
      notes += NearMissVisitor.notes(in: file, prefix: prefix)
    }
    for type in TypeMerging.merge(parsed.flatMap(\.types), DeclaredNames(parsed))
    where !EntityRule.isEntity(type) {
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

extension Generator {
  /// The folders that were read, in words; of files, which plugins pass by the hundred, their folders.
  var sourcePlaces: String {
    var folders: [String] = []
    for source in options.sources {
      let parts = source.split(separator: "/", omittingEmptySubsequences: false)
      let folder = source.hasSuffix(".swift") ? parts.dropLast().joined(separator: "/") : source
      let shown = folder.isEmpty ? (source.hasPrefix("/") ? "/" : ".") : folder
      if !folders.contains(shown) { folders.append(shown) }
    }
    let shown = folders.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    return folders.count > 3 ? "\(shown) and \(folders.count - 3) more folders" : shown
  }

  /// Returns what was probably meant to be an entity of the sources.
  func nearMisses(in files: [SourceFile]) -> [Diagnostic] {
    NearMisses(
      prefix: options.annotationPrefix,
      conditions: options.conditions,
      outputPath: FileWriter.outputFile(options.outputPath)
    ).find(in: files)
  }
}

extension DiagnosticMessage {
  static let skippedAsGenerated = Self(
    .note,
    "this file is not read, since it begins as a generated one; remove its first line if it is yours"
  )

  static func annotatedVariable(_ variable: String, of type: String, prefix: String) -> Self {
    Self(
      .note,
      "'\(type)' has the annotated property '\(variable)' and is no entity; put `// \(prefix): entity` "
        + "on the line above its declaration"
    )
  }
}
