internal import ObjectBoxJSON

/// A statement and the values of its parameters.
package struct Statement: Sendable {
  /// SQL with parameters `$1`, `$2` and so on; it never contains values.
  package var sql: String
  package var parameters = Parameters()
  /// Creates the content of a `COPY … FROM STDIN (FORMAT binary)`; nil for other statements.
  ///
  /// Appends the part with the given index to a buffer, and returns false after the last part.
  var content: (@Sendable (_ part: Int, _ bytes: inout [UInt8]) throws -> Bool)?
  /// True to let the server keep the statement's plan for the connection; false for SQL that is
  /// used once.
  package var isPrepared = true
  /// True for a short read by key, which may share a connection with other tasks.
  var isShort = false

  /// Creates a statement without parameters that is used once.
  package init(once sql: String) {
    self.sql = sql
    isPrepared = false
  }

  /// Creates a COPY whose content a body makes.
  init(
    copying sql: String,
    _ content: @escaping @Sendable (_ part: Int, _ bytes: inout [UInt8]) throws -> Bool
  ) {
    self.init(once: sql)
    self.content = content
  }

  /// Creates a COPY of content.
  init(copying sql: String, _ bytes: [UInt8]) {
    self.init(copying: sql) { part, buffer in
      let first = part << 16
      buffer += bytes[first..<min(first + 1 << 16, bytes.count)]
      return first + 1 << 16 < bytes.count
    }
  }

  package init(_ sql: String, _ parameters: Parameters = Parameters()) {
    self.sql = sql
    self.parameters = parameters
  }

  /// Creates a statement whose parameters a body appends.
  package init(_ sql: String, _ parameters: (inout Parameters) -> Void) {
    self.sql = sql
    parameters(&self.parameters)
  }
}

extension String {
  /// The text as an SQL identifier, such as `"Person"`.
  package var quotedName: String { "\"" + replacingBytes(of: "\"", with: "\"\"") + "\"" }

  /// The text as an SQL literal, for statements without parameters.
  package var quotedText: String {
    let doubled = replacingBytes(of: "'", with: "''")
    return utf8.contains(UInt8(ascii: "\\"))
      ? " E'" + doubled.replacingBytes(of: "\\", with: "\\\\") + "'" : "'" + doubled + "'"
  }
}
