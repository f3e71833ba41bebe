internal import Foundation

/// A comment that is an annotation with a misspelt prefix, such as `ObjectBox: unique`.
///
/// Only names of annotations and their values follow the prefix. This distinguishes it from prose
/// about ObjectBox.
package struct MisspeltPrefix: Hashable, Sendable {
  /// The prefix as written, with its colon.
  var text: String
  /// The prefix with the blanks after it.
  var span: SourceSpan
  /// The annotations that the comment names.
  var names: [String]
  /// True when the comment is hardly prose, so the fix is safe.
  var isCertain: Bool

  /// The parts of a comment with a misspelt prefix.
  struct Match {
    /// Number of bytes of the prefix with its colon.
    var prefixLength = 0
    /// Number of bytes before the first name.
    var length = 0
    var names: [String] = []
    var isCertain = false
  }

  private static let known = Annotation.ofTypes.union(Annotation.ofVariables)
  /// Names that a colon may follow.
  private static let namespaces = Annotation.namespaces.union(["begin", "file"])

  /// Finds a misspelt prefix.
  ///
  /// `body` is a comment without its opener and outer blanks.
  static func match(_ body: some Collection<UInt8>, prefix: String) -> Match? {
    let bytes = Array(body)
    let word = Array(prefix.utf8)
    guard bytes.count > word.count, !bytes.starts(with: word + [UInt8(ascii: ":")]),
      zip(bytes, word).allSatisfy({ lowercased($0) == lowercased($1) })
    else { return nil }
    var match = Match()
    var offset = word.count
    func skipBlanks() {
      while offset < bytes.count, SourceText.isBlank(bytes[offset]) { offset += 1 }
    }
    skipBlanks()
    guard offset < bytes.count else { return nil }
    let hasColon = bytes[offset] == UInt8(ascii: ":")
    if hasColon { offset += 1 }
    match.prefixLength = hasColon ? offset : word.count
    // Without a colon or a blank, a longer word begins like the prefix.
    guard hasColon || offset > word.count else { return nil }
    skipBlanks()
    match.length = offset
    let isSpelt = bytes.starts(with: word)
    guard let names = names(in: String(decoding: bytes[offset...], as: UTF8.self)) else {
      return nil
    }
    match.names = names
    match.isCertain = hasColon || isSpelt
    // "ObjectBox ID" is probably a title.
    return match.isCertain || names.allSatisfy(known.contains) ? match : nil
  }

  /// Returns the names in a list of annotations; nil for other texts.
  private static func names(in text: String) -> [String]? {
    let head = text.prefix { $0 != "=" && $0 != ":" }
    let names = head.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let folded = Set(known.map { $0.lowercased() })
    if head.endIndex < text.endIndex, text[head.endIndex] == ":" {
      return names.count == 1 && namespaces.contains(names[0]) ? names : nil
    }
    return names.allSatisfy { folded.contains($0.lowercased()) } ? names : nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns the finding about this comment on a declaration.
  func finding(prefix: String, on element: String) -> Diagnostic {
    let fix = FixIt(
      "replace '\(text)' by '\(prefix):'",
      edits: [FixIt.Edit(span, replacement: prefix + ": ")],
      isSafe: isCertain
    )
    let place = SourceSpan(position: span.position, length: text.utf8.count)
    return Diagnostic(.misspelt(self, prefix: prefix, on: element), at: place, fixIts: [fix])
  }
}

extension SourceBytes {
  /// Returns whether a comment line begins with a misspelt prefix of annotations.
  ///
  /// For speed, searches for the last letter of the prefix in either case with `memchr`, then
  /// compares the bytes before it.
  package func mayMisspell(_ prefix: String) -> Bool {
    guard let last = prefix.utf8.last, let first = prefix.utf8.first else { return false }
    let before = prefix.utf8.count - 1
    for letter in Set([last | 0x20, last & ~0x20, last]) {
      var offset = before
      while offset < count, let found = memchr(start + offset, Int32(letter), count - offset) {
        let begin = UnsafeRawPointer(found) - UnsafeRawPointer(start) - before
        offset = begin + before + 1
        if begin > 0, (self[begin] ^ first) & ~0x20 == 0, isComment(from: begin, prefix) {
          return true
        }
      }
    }
    return false
  }

  private func isComment(from begin: Int, _ prefix: String) -> Bool {
    guard prefix.withCString({ strncasecmp(start + begin, $0, strlen($0)) }) == 0 else {
      return false
    }
    var opener = begin - 1
    while opener > 0, SourceText.isBlank(self[opener]) { opener -= 1 }
    guard self[opener] == UInt8(ascii: "/") || self[opener] == UInt8(ascii: "*") else {
      return false
    }
    var bytes: [UInt8] = []
    var offset = begin
    while offset < count, ![0x0A, 0x0D].contains(self[offset]),
      !(self[offset] == UInt8(ascii: "*") && self[offset + 1] == UInt8(ascii: "/"))
    {
      bytes.append(self[offset])
      offset += 1
    }
    while let last = bytes.last, SourceText.isBlank(last) { bytes.removeLast() }
    return MisspeltPrefix.match(bytes, prefix: prefix) != nil
  }
}

extension DiagnosticMessage {
  static func misspelt(_ comment: MisspeltPrefix, prefix: String, on element: String) -> Self {
    warning(
      "'\(comment.text)' is not the prefix of annotations, so \(comment.names.quotedList) has no effect on \(element); write "
        + "`\(prefix):`, in this spelling"
    )
  }
}
