/// The signs that a source matters by itself, of which perhaps more are found than there are, never fewer.
///
/// They are annotations, perhaps with a misspelt prefix, the word `Entity` and the markers of merge conflicts.
enum SourceMarks {
  /// Returns whether a source has one.
  static func isIn(_ text: String, _ annotationPrefix: String) -> Bool {
    SourceBytes.of(text) { offsets(in: $0, annotationPrefix)?.isEmpty != true }
  }

  /// Returns the offsets of the marks, in no order; nil when one may be anywhere.
  static func offsets(in bytes: SourceBytes, _ annotationPrefix: String) -> [Int]? {
    if bytes.mayMisspell(annotationPrefix) { return nil }
    return bytes.offsets(of: annotationPrefix + ":") + bytes.ends(ofWord: "Entity")
      + bytes.offsets(of: "<<<<<<< ")
  }
}
