/// One statement with the values of its parameters.
struct Statement: Sendable {
  /// SQL with parameters `$1`, `$2` and so on; values are never part of it.
  var sql: String
  var parameters = Parameters()
  /// True to let the server keep its plan for the connection; false for texts that come once.
  var isPrepared = true

  /// Makes a statement without parameters that comes once.
  init(once sql: String) {
    self.sql = sql
    isPrepared = false
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
  var quotedName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

  /// The text as a constant in SQL, for statements that take no parameters.
  var quotedText: String {
    contains("\\")
      ? " E'" + replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
      : "'" + replacing("'", with: "''") + "'"
  }
}
