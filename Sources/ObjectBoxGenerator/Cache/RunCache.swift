internal import Foundation

/// The stored findings of a run, for later runs with the same inputs.
///
/// The answer counts only when the tool, the options, the sources and all other files that the run read
/// or wrote have the same bytes. Sources whose ``FileStamp`` is the same are not read to see that. A damaged
/// cache file counts as missing.
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
    /// The digest of the stamps of the sources; nil when a file had changed just before.
    var stamps: String?
  }

  /// The version of the file layout.
  private static let header = "objectbox-generator cache 2"

  /// A hidden file beside the generated one, which neither SwiftPM nor Xcode takes for a source.
  package let path: String
  /// The tool and the options.
  private let run: [String]
  /// The digest of the run and the stamps of its sources; nil when they do not tell of every change.
  private var stamps: String?
  /// The digest of the run and the bytes of its sources.
  private var key = ""

  package init(_ options: GeneratorOptions, tool: String = ToolIdentity.current) {
    path = Self.path(of: options.outputFile)
    // The description has all options, also those added later.
    run = [Self.header, tool, String(reflecting: options)]
  }

  /// Notes the sources as a walk found them, after the given time.
  mutating func note(_ files: [SourceWalk.File], at time: FileStamp.Time) {
    guard files.allSatisfy({ $0.stamp.isSettled(at: time) }) else { return }
    var bytes = Array(Self.joined(run).utf8)
    for file in files {
      var path = file.path
      // The length makes different lists differ.
      withUnsafeBytes(of: path.utf8.count) { bytes.append(contentsOf: $0) }
      path.withUTF8 { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: file.stamp) { bytes.append(contentsOf: $0) }
    }
    stamps = bytes.withUnsafeBytes(Blake2b.digest)
  }

  /// Notes the sources with their texts.
  package mutating func note(_ files: [SourceFile]) {
    let digests = Parallel.map(files) { Blake2b.digest(of: $0.text) }
    let texts = zip(files, digests).flatMap { [$0.path, $1] }
    key = Blake2b.digest(of: Self.joined(run + texts))
  }

  private static func joined(_ texts: [String]) -> String {
    // The lengths make different lists of texts differ.
    texts.map { "\($0.utf8.count):\($0)\n" }.joined()
  }

  /// Returns the file of the cache for a generated file.
  static func path(of output: String) -> String {
    let url = URL(fileURLWithPath: output)
    return url.deletingLastPathComponent().path + "/." + url.lastPathComponent + ".objectbox-cache"
  }

  package typealias Findings = (diagnostics: [Diagnostic], messages: [String])

  /// Returns the answer by the stamps of the sources; nil when they may have changed.
  func answerWithoutReading() -> Findings? {
    guard let stamps, let (_, record) = kept(), record.stamps == stamps,
      record.files.allSatisfy({ Self.currentDigest(of: $0.key) == $0.value })
    else { return nil }
    return (record.diagnostics, record.messages)
  }

  /// Returns the answer by the texts of the sources; nil when the inputs have changed.
  package func answer() -> Findings? {
    guard let kept = kept(), kept.key == key,
      kept.record.files.allSatisfy({ Self.currentDigest(of: $0.key) == $0.value })
    else { return nil }
    var record = kept.record
    if let stamps {
      record.stamps = stamps
      keep(record)
    }
    return (record.diagnostics, record.messages)
  }

  /// Returns the key and the record of the file; nil for a missing or damaged one.
  private func kept() -> (key: String, record: Record)? {
    let width = Blake2b.digestCount * 2
    guard let data = FileManager.default.contents(atPath: path), data.count > 2 * width else {
      return nil
    }
    let body = data.dropFirst(2 * width)
    let key = String(decoding: data.prefix(width), as: UTF8.self)
    guard
      String(decoding: data.dropFirst(width).prefix(width), as: UTF8.self)
        == Blake2b.digest(of: key + String(decoding: body, as: UTF8.self)),
      let record = try? JSONDecoder().decode(Record.self, from: body)
    else { return nil }
    return (key, record)
  }

  /// Stores the answer for runs with the same inputs; does nothing when the file cannot be written.
  package func keep(_ answer: Answer) {
    keep(
      Record(
        diagnostics: answer.diagnostics,
        messages: answer.messages,
        files: answer.files.mapValues(Self.digest),
        stamps: stamps
      )
    )
  }

  private func keep(_ record: Record) {
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
