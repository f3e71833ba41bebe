internal import Foundation

/// Evidence of a model file that is missing: UIDs in annotations and generated code, or a backup.
struct VanishedModel {
  /// More places than this say nothing new.
  private static let maximumPlaces = 3

  private let options: Generator.Options
  private let schema: Schema
  /// The generated files of the run: those among the sources, and the output of an earlier one.
  private let generated: [SourceFile]

  init(_ options: Generator.Options, _ schema: Schema, generated: [SourceFile]) {
    self.options = options
    self.schema = schema
    self.generated = generated
  }

  /// The error about the missing file; nil without evidence that there was one.
  var finding: Diagnostic? {
    let requests = requestedUIDs
    let code = generated.compactMap { file in
      Self.placeOfUID(in: file).map { Diagnostic(.generatedWithUIDs, at: $0) }
    }
    let backup = options.modelPath + ".bak"
    let hasBackup = FileManager.default.fileExists(atPath: backup)
    var notes = requests.map { Diagnostic(.numberOfModel, at: $0) } + code
    if hasBackup {
      let start = SourcePosition(path: backup, line: 1, column: 1)
      notes.append(Diagnostic(.backupOfModel, at: start))
    }
    if notes.isEmpty { return nil }
    return Diagnostic(
      .vanishedModel(
        options.modelPath,
        backup: hasBackup ? backup : nil,
        hasRequests: !requests.isEmpty
      ),
      at: SourcePosition(path: options.modelPath, line: 1, column: 1),
      notes: notes
    )
  }

  /// The first places where annotations state UIDs.
  private var requestedUIDs: [SourceSpan] {
    let places = schema.entities.flatMap { entity in
      [(entity.uid, entity.uidPlace)] + entity.properties.map { ($0.uid, $0.uidPlace) }
        + entity.relations.map { ($0.uid, $0.uidPlace) }
    }.compactMap { request, place in
      if case .value = request { place } else { nil }
    }
    return Array(places.sorted { $0.position < $1.position }.prefix(Self.maximumPlaces))
  }

  /// Returns the place of the first UID of an entity in generated code; nil when it has none.
  private static func placeOfUID(in file: SourceFile) -> SourcePosition? {
    SourceBytes.of(file.text) { bytes in
      var offset = 0
      while let found = bytes.first(" uid: ", from: offset) {
        offset = found + 6
        guard (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[offset]) else { continue }
        return SourceText(file).position(at: found + 1)
      }
      return nil
    }
  }
}

extension Generator {
  /// Returns the error about a model file that is missing although there was one.
  ///
  /// Runs for tests begin with no model on purpose.
  func vanishedModel(
    _ schema: Schema,
    _ found: SourceFinder.Found
  ) throws(FileFault) -> [Diagnostic] {
    guard !options.allowsNewModel, options.debugPath == nil,
      !FileManager.default.fileExists(atPath: options.modelPath)
    else { return [] }
    let output = FileWriter.outputFile(options.outputPath)
    var generated = found.generated
    let isFound = generated.contains {
      SourceFinder.absolute($0.path) == SourceFinder.absolute(output)
    }
    if !isFound, let text = try SourceFinder.readTextIfPresent(output),
      GeneratedFile.isGenerated(text)
    {
      generated.append(SourceFile(path: output, text: text))
    }
    return [VanishedModel(options, schema, generated: generated).finding].compactMap { $0 }
  }
}

extension DiagnosticMessage {
  static func vanishedModel(_ model: String, backup: String?, hasRequests: Bool) -> Self {
    let copy = backup.map { ", or rename '\($0)'" } ?? ""
    return Self(
      .error,
      "the model file '\(model)' is missing, and there was one, as the notes show; without it stored data "
        + "is out of reach: restore it (`git checkout -- \(model)`\(copy)), or pass its path; to begin a "
        + "new model all the same, pass --new-model"
        + (hasRequests ? " and remove the uid annotations" : "")
    )
  }

  static let numberOfModel = Self(.note, "this UID is one of a model")

  static let generatedWithUIDs = Self(.note, "this file was generated with the UIDs of a model")

  static let backupOfModel = Self(.note, "this is an earlier version of the model")
}
