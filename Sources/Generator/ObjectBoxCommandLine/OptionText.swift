/// The title and help of an option.
package protocol OptionText: Sendable {
  /// Names, and the word for the value, such as "--quiet, -q" or "--output PATH".
  var title: String { get }
  /// Line in the help; empty for an option that the help does not list.
  var help: String { get }
}

extension OptionText {
  /// The names.
  package var names: [String] {
    title.split { ", ".contains($0) }.filter { $0.hasPrefix("-") }.map(String.init)
  }

  /// The word for the value; empty for flags.
  package var value: String {
    title.split(separator: " ").last { !$0.hasPrefix("-") }.map(String.init) ?? ""
  }
}

/// Formats options or verbs for a help text, in two columns.
package enum HelpTable {
  /// Returns a line for each row.
  package static func text(_ rows: [(title: String, help: String)]) -> String {
    let width = rows.map(\.title.count).max() ?? 0
    return rows.map { row in
      "  " + row.title + String(repeating: " ", count: width - row.title.count + 2) + row.help
    }.joined(separator: "\n")
  }

  /// Returns a line for each option that has a help text.
  package static func text(_ options: [some OptionText]) -> String {
    text(options.filter { !$0.help.isEmpty }.map { ($0.title, $0.help) })
  }
}
