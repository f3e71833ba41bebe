internal import Foundation

/// The stored findings of a run, for later runs with the same inputs.
///
/// The answer counts only when the tool, the options, the sources and all other files that the run read
/// or wrote have the same bytes. A damaged cache file counts as missing.
package struct RunCache {
  /// The findings and messages of a successful run, and the files that it read or wrote.
  package struct Answer: Sendable {
    package var diagnostics: [Diagnostic]
    package var messages: [String]
    /// The texts of all files except the sources, as read or written, by their paths; nil for a missing
    /// file.
    package var files: [String: String?]
  }

  private struct Record: Codable {
    var diagnostics: [Diagnostic]
    var messages: [String]
    /// The digests of files by their paths.
    var files: [String: String]
  }

  /// The version of the file layout.
  private static let header = "objectbox-generator cache 1"

  /// A hidden file beside the generated one, which neither SwiftPM nor Xcode takes for a source.
  package let path: String
  /// A digest of the tool, the options and the sources.
  private let key: String

  package init(
    _ options: GeneratorOptions,
    _ files: [SourceFile],
    tool: String = ToolIdentity.current
  ) {
    path = Self.path(of: options.outputFile)
    // The description has all options, also those added later.
    var texts = [Self.header, tool, String(reflecting: options)]
    let digests = Parallel.map(files) { Blake2b.digest(of: $0.text) }
    for (file, digest) in zip(files, digests) { texts += [file.path, digest] }
    // The lengths make different lists of texts differ.
    key = Blake2b.digest(of: texts.map { "\($0.utf8.count):\($0)\n" }.joined())
  }

  /// Returns the file of the cache for a generated file.
  static func path(of output: String) -> String {
    let url = URL(fileURLWithPath: output)
    return url.deletingLastPathComponent().path + "/." + url.lastPathComponent + ".objectbox-cache"
  }

  /// Returns the answer; nil when the inputs have changed.
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

  /// Stores the answer for runs with the same inputs; does nothing when the file cannot be written.
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

  /// Removes the answer for a generated file.
  static func clear(for output: String) {
    try? FileManager.default.removeItem(atPath: path(of: output))
  }

  private static func digest(of text: String?) -> String {
    text.map { Blake2b.digest(of: $0) } ?? "none"
  }

  /// Returns nil for a file that cannot be read, in contrast to a missing one.
  private static func currentDigest(of path: String) -> String? {
    do {
      return digest(of: try SourceFinder.readTextIfPresent(path))
    } catch {
      return nil
    }
  }
}
