/// Finds the marks by which a source matters regardless of others.
///
/// Marks are annotations, also with a misspelt prefix, the word `Entity` and the markers of merge
/// conflicts. The search may find too many, but never too few.
enum SourceMarks {
  /// Returns whether a source contains a mark.
  static func isIn(_ text: String, _ annotationPrefix: String) -> Bool {
    SourceBytes.of(text) { offsets(in: $0, annotationPrefix)?.isEmpty != true }
  }

  /// Returns the offsets of the marks, in no particular order; nil when a mark may be anywhere.
  static func offsets(in bytes: SourceBytes, _ annotationPrefix: String) -> [Int]? {
    if bytes.mayMisspell(annotationPrefix) { return nil }
    return bytes.offsets(of: annotationPrefix + ":") + bytes.ends(ofWord: "Entity")
      + bytes.offsets(of: "<<<<<<< ")
  }
}
