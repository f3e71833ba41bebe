extension String {
  /// The text in double quotes, with backslashes before characters that would end or break it.
  ///
  /// Swift literals and strings in model files have this form.
  var literal: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Sequence<String> {
  /// The texts in single quotes, separated by commas, for findings.
  var quotedList: String { map { "'\($0)'" }.joined(separator: ", ") }
}
