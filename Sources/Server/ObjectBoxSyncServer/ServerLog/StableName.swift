internal import ObjectBoxCluster

/// Makes names of functions from names of tables, which may already have PostgreSQL's greatest length.
enum StableName {
  /// Returns the FNV-1a hash of a text in hexadecimal.
  static func hash(of text: String) -> String {
    String(text.utf8.stableDigest, radix: 16)
  }
}
