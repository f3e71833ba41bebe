internal import Foundation

/// Evidence that a missing model file existed: UIDs in annotations or generated code, or a backup.
package struct VanishedModel {
  /// Maximum number of annotations that the finding lists.
  private static let maximumPlaces = 3

  private let options: GeneratorOptions
  private let schema: Schema
  /// Generated files among the sources, and the output of an earlier run.
  private let generated: [SourceFile]

  package init(_ options: GeneratorOptions, _ schema: Schema, generated: [SourceFile]) {
    self.options = options
    self.schema = schema
    self.generated = generated
  }

  /// Returns the error about a missing model file; nil when the file exists or nothing shows that
  /// it did.
  ///
  /// Runs for tests start without a model on purpose, so they get no error.
  static func finding(
    _ options: GeneratorOptions,
    _ schema: Schema,
    _ found: SourceFinder.Found
  ) throws(FileFault) -> Diagnostic? {
    guard !options.allowsNewModel, options.debugPath == nil,
      !FileManager.default.fileExists(atPath: options.modelPath)
    else { return nil }
    let output = options.outputFile
    var generated = found.generated
    let isFound = generated.contains {
      SourceFinder.absolute($0.path) == SourceFinder.absolute(output)
    }
    if !isFound, let text = try SourceFinder.readTextIfPresent(output),
      GeneratedFile.isGenerated(text)
    {
      generated.append(SourceFile(path: output, text: text))
    }
    return VanishedModel(options, schema, generated: generated).finding
  }

  /// The error about the missing file; nil when nothing shows that it existed.
  package var finding: Diagnostic? {
    let requests = requestedUIDs
    let code = generated.compactMap { file in
      Self.placeOfUID(in: file).map { Diagnostic(.generatedWithUIDs, at: $0) }
    }
    let backup = options.modelPath + ".bak"
    let hasBackup = FileManager.default.fileExists(atPath: backup)
    var notes = requests.map { Diagnostic(.numberOfModel, at: $0) } + code
    if hasBackup {
      notes.append(Diagnostic(.backupOfModel, at: SourcePosition(startOf: backup)))
    }
    if notes.isEmpty { return nil }
    return Diagnostic(
      .vanishedModel(
        options.modelPath,
        backup: hasBackup ? backup : nil,
        hasRequests: !requests.isEmpty
      ),
      at: options.modelStart,
      notes: notes
    )
  }

  /// Places of the first annotations with UIDs.
  private var requestedUIDs: [SourceSpan] {
    let places = schema.entities.flatMap { entity in
      [(entity.uid, entity.uidPlace)] + entity.properties.map { ($0.uid, $0.uidPlace) }
        + entity.relations.map { ($0.uid, $0.uidPlace) }
    }.compactMap { request, place in
      switch request {
      case .value, .shared: place
      case .none, .tell: nil
      }
    }
    // Entities with a common base share its annotations.
    return Array(Set(places).sorted { $0.position < $1.position }.prefix(Self.maximumPlaces))
  }

  /// Returns the position of the first UID in generated code; nil when there is none.
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

extension DiagnosticMessage {
  static func vanishedModel(_ model: String, backup: String?, hasRequests: Bool) -> Self {
    let copy = backup.map { ", or rename '\($0)'" } ?? ""
    return "the model file '\(model)' is missing, and there was one, as the notes show; without it "
      + "stored data is out of reach: restore it (`git checkout -- \(model)`\(copy)), or pass its "
      + "path; to begin a new model all the same, pass --new-model"
      + (hasRequests ? " and remove the uid annotations" : "")
  }

  static let numberOfModel = note("this UID is one of a model")

  static let generatedWithUIDs = note("this file was generated with the UIDs of a model")

  static let backupOfModel = note("this is an earlier version of the model")
}
