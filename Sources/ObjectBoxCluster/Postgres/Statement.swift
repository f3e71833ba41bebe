internal import ObjectBoxJSON

/// One statement with the values of its parameters.
struct Statement: Sendable {
  /// SQL with parameters `$1`, `$2` and so on; values are never part of it.
  var sql: String
  var parameters = Parameters()
  /// Makes the content of a `COPY … FROM STDIN (FORMAT binary)`; nil for other statements.
  ///
  /// It appends a part of the content to a buffer, and returns false after the last part. The index is that of the part.
  var content: (@Sendable (_ part: Int, _ bytes: inout [UInt8]) throws -> Bool)?
  /// True to let the server keep its plan for the connection; false for texts that come once.
  var isPrepared = true
  /// True for a read of a few rows by their key, which may share a connection with those of other tasks.
  var isShort = false

  /// Makes a statement without parameters that comes once.
  init(once sql: String) {
    self.sql = sql
    isPrepared = false
  }

  /// Makes a COPY of the content that a body makes.
  init(
    copying sql: String,
    _ content: @escaping @Sendable (_ part: Int, _ bytes: inout [UInt8]) throws -> Bool
  ) {
    self.init(once: sql)
    self.content = content
  }

  /// Makes a COPY of content.
  init(copying sql: String, _ bytes: [UInt8]) {
    self.init(copying: sql) { part, buffer in
      let first = part << 16
      buffer += bytes[first..<min(first + 1 << 16, bytes.count)]
      return first + 1 << 16 < bytes.count
    }
  }

  init(_ sql: String, _ parameters: Parameters = Parameters()) {
    self.sql = sql
    self.parameters = parameters
  }

  /// Makes a statement with parameters that a body appends.
  init(_ sql: String, _ parameters: (inout Parameters) -> Void) {
    self.sql = sql
    parameters(&self.parameters)
  }
}

extension String {
  /// The text as a name in SQL, such as `"Person"`.
  var quotedName: String { "\"" + replacingBytes(of: "\"", with: "\"\"") + "\"" }

  /// The text as a constant in SQL, for statements that take no parameters.
  var quotedText: String {
    let doubled = replacingBytes(of: "'", with: "''")
    return utf8.contains(UInt8(ascii: "\\"))
      ? " E'" + doubled.replacingBytes(of: "\\", with: "\\\\") + "'" : "'" + doubled + "'"
  }
}
