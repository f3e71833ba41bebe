internal import Foundation

/// Stores a run's findings for later runs with the same inputs.
///
/// The answer counts only when the tool, the options, the sources and all other files that the run
/// read or wrote have the same bytes. A source with an unchanged ``FileStamp`` is not read for this
/// check. A damaged cache file counts as missing.
package struct RunCache {
  /// Findings and messages of a successful run, and the files that it read or wrote.
  package struct Answer: Sendable {
    package var diagnostics: [Diagnostic]
    package var messages: [String]
    /// Texts of all files except the sources, as read or written, by path; nil for a missing file.
    package var files: [String: String?]
  }

  private struct Record: Codable {
    var diagnostics: [Diagnostic]
    var messages: [String]
    /// Digests of the files, by path.
    var files: [String: String]
    /// Digest of the sources' stamps; nil when a source had changed just before the run.
    var stamps: String?
  }

  /// Version of the file layout.
  private static let header = "objectbox-generator cache 2"

  /// Path of the cache: a hidden file next to the generated file.
  ///
  /// SwiftPM and Xcode do not take it for a source.
  package let path: String
  /// The tool and the options.
  private let run: [String]
  /// Digest of the run and its sources' stamps; nil when the stamps may miss a change.
  private var stamps: String?
  /// Digest of the run and its sources' bytes.
  private var key = ""

  package init(_ options: GeneratorOptions, tool: String = ToolIdentity.current) {
    path = Self.path(of: options.outputFile)
    // The reflected description covers all options, also future ones.
    run = [Self.header, tool, String(reflecting: options)]
  }

  /// Notes the sources as a walk found them; `time` must be taken before the walk.
  mutating func note(_ files: [SourceWalk.File], at time: FileStamp.Time) {
    guard files.allSatisfy({ $0.stamp.isSettled(at: time) }) else { return }
    var bytes = Array(Self.joined(run).utf8)
    for file in files {
      var path = file.path
      // The length prefix makes different lists differ.
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
    // The length prefixes make different lists differ.
    texts.map { "\($0.utf8.count):\($0)\n" }.joined()
  }

  /// Returns the path of the cache for a generated file.
  static func path(of output: String) -> String {
    let url = URL(fileURLWithPath: output)
    return url.deletingLastPathComponent().path + "/." + url.lastPathComponent + ".objectbox-cache"
  }

  package typealias Findings = (diagnostics: [Diagnostic], messages: [String])

  /// Returns the answer if the sources' stamps are unchanged; nil when the sources may have
  /// changed.
  func answerWithoutReading() -> Findings? {
    guard let stamps, let (_, record) = kept(), record.stamps == stamps,
      record.files.allSatisfy({ Self.currentDigest(of: $0.key) == $0.value })
    else { return nil }
    return (record.diagnostics, record.messages)
  }

  /// Returns the answer if the sources' texts are unchanged; nil when an input has changed.
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

  /// Returns the key and record of the cache file; nil when it is missing or damaged.
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

  /// Stores the answer; does nothing when the file cannot be written.
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

  /// Removes the stored answer for a generated file.
  static func clear(for output: String) {
    try? FileManager.default.removeItem(atPath: path(of: output))
  }

  private static func digest(of text: String?) -> String {
    text.map { Blake2b.digest(of: $0) } ?? "none"
  }

  /// Returns nil for an unreadable file.
  ///
  /// A missing file has a digest.
  private static func currentDigest(of path: String) -> String? {
    do {
      return digest(of: try SourceFinder.readTextIfPresent(path))
    } catch {
      return nil
    }
  }
}
