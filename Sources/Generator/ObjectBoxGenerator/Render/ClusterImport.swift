/// Determines whether a module uses clusters.
///
/// Generated code can extend `Cluster` only if its module depends on `ObjectBoxCluster`. An import
/// in one of the sources shows that.
enum ClusterImport {
  private static let text = "import ObjectBoxCluster"

  /// Returns whether a source contains the import as a statement of its own.
  ///
  /// The import starts a line or follows a semicolon. Attributes and access modifiers may precede
  /// it.
  static func isIn(_ sources: [SourceFile]) -> Bool {
    sources.contains { source in
      SourceBytes.of(source.text) { bytes in
        bytes.offsets(of: text).contains { offset in
          let end = offset + text.utf8.count
          return !SourceBytes.isASCIIWord(bytes[end]) && isStatement(at: offset, in: bytes)
        }
      }
    }
  }

  /// Returns whether only words and attributes precede an offset in its line, so it is not within a
  /// comment.
  private static func isStatement(at offset: Int, in bytes: SourceBytes) -> Bool {
    var place = offset - 1
    while place >= 0, bytes[place] != UInt8(ascii: "\n"), bytes[place] != UInt8(ascii: ";") {
      let byte = bytes[place]
      let isPartOfImport =
        SourceBytes.isASCIIWord(byte) || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
      if !isPartOfImport { return false }
      place -= 1
    }
    return true
  }
}
