internal import ObjectBox
internal import ObjectBoxJSON

/// Writes parts of conditions as people write them.
enum ConditionText {
  /// A name in backticks, which may then have any characters.
  static func name(_ name: String) -> String {
    "`" + name.replacingBytes(of: "`", with: "``") + "`"
  }

  /// A text in quotes.
  static func text(_ text: String) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    return "\"\(String(quoted))\""
  }
}
