internal import Foundation

/// Remembers what a run told, for runs that would find everything as that one left it.
///
/// An answer is given only when all that a run depends on has the same bytes: the tool, the options,
/// the sources, and the other files that it read or wrote. Whatever is wrong with the file of the
/// cache, the run goes on as if there were none.
package struct RunCache {
  /// What a successful run told, and the files that it depended on or left behind.
  package struct Answer: Sendable {
    package var diagnostics: [Diagnostic]
    package var messages: [String]
    /// The texts of all files but the sources, by their paths.
    ///
    /// What was read stands here as it was read, what was written as it was written; nil stands for a
    /// file that was not there.
    package var files: [String: String?]

    package init(diagnostics: [Diagnostic], messages: [String], files: [String: String?]) {
      self.diagnostics = diagnostics
      self.messages = messages
      self.files = files
    }
  }

  private struct Record: Codable {
    var diagnostics: [Diagnostic]
    var messages: [String]
    /// The digests of files by their paths.
    var files: [String: String]
  }

  /// Goes up with each change of the file's layout.
  private static let header = "objectbox-generator cache 1"

  /// The file, hidden beside the generated one, so that neither SwiftPM nor Xcode takes it for a source.
  package let path: String
  /// Stands for the tool, the options and the sources.
  private let key: String

  package init(
    _ options: GeneratorOptions,
    _ files: [SourceFile],
    tool: String = ToolIdentity.current
  ) {
    path = Self.path(of: options.outputFile)
    // The description tells all options, those of tomorrow included.
    var texts = [Self.header, tool, String(reflecting: options)]
    let digests = Parallel.map(files) { Blake2b.digest(of: $0.text) }
    for (file, digest) in zip(files, digests) { texts += [file.path, digest] }
    // With their lengths before them, different texts never give the same.
    key = Blake2b.digest(of: texts.map { "\($0.utf8.count):\($0)\n" }.joined())
  }

  /// Returns the file of the cache for a generated file.
  static func path(of output: String) -> String {
    let url = URL(fileURLWithPath: output)
    return url.deletingLastPathComponent().path + "/." + url.lastPathComponent + ".objectbox-cache"
  }

  /// Returns what a run would tell; nil when only a run can say it.
  package func answer() -> (diagnostics: [Diagnostic], messages: [String])? {
    let width = Blake2b.digestCount * 2
    guard let data = FileManager.default.contents(atPath: path), data.count > 2 * width else {
      return nil
    }
    let body = data.dropFirst(2 * width)
    guard String(decoding: data.prefix(width), as: UTF8.self) == key,
      String(decoding: data.dropFirst(width).prefix(width), as: UTF8.self)
        == Blake2b.digest(of: key + String(decoding: body, as: UTF8.self)),
      let record = try? JSONDecoder().decode(Record.self, from: body),
      record.files.allSatisfy({ Self.currentDigest(of: $0.key) == $0.value })
    else { return nil }
    return (record.diagnostics, record.messages)
  }

  /// Keeps an answer that a run with the same inputs would give again; does nothing where the file
  /// cannot be written.
  package func keep(_ answer: Answer) {
    let record = Record(
      diagnostics: answer.diagnostics,
      messages: answer.messages,
      files: answer.files.mapValues(Self.digest)
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else { return }
    let body = String(decoding: data, as: UTF8.self)
    let text = key + Blake2b.digest(of: key + body) + body
    try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Removes what is kept for a generated file.
  static func clear(for output: String) {
    try? FileManager.default.removeItem(atPath: path(of: output))
  }

  private static func digest(of text: String?) -> String {
    text.map { Blake2b.digest(of: $0) } ?? "none"
  }

  /// Returns nil for a file that cannot be read, which is not the same as none.
  private static func currentDigest(of path: String) -> String? {
    do {
      return digest(of: try SourceFinder.readTextIfPresent(path))
    } catch {
      return nil
    }
  }
}
