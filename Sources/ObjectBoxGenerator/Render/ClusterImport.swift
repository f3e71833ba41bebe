/// Finds out whether a module uses clusters: generated code can only extend `Cluster` where the module depends on
/// `ObjectBoxCluster`, which an import in a source tells.
enum ClusterImport {
  private static let text = "import ObjectBoxCluster"

  /// Returns whether a source has the import at the beginning of a line, perhaps after attributes and words of
  /// access, or behind a semicolon.
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

  /// Returns whether only words and attributes stand before an offset in its line, and no comment begins there.
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
