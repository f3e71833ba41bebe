/// Makes names of functions from names of tables, which may already have PostgreSQL's greatest length.
enum StableName {
  /// Returns the FNV-1a hash of a text in hexadecimal.
  static func hash(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
