/// One option of a verb.
package struct CommandOption: OptionText {
  package var title: String
  package var help: String
  /// The allowed values; empty for any.
  package var choices: [String] = []

  /// Makes an option.
  ///
  /// - Parameters:
  ///   - title: The names, and the word for the value.
  ///   - help: The line of the help.
  ///   - choices: The allowed values; empty for any.
  package init(_ title: String, _ help: String, choices: [String] = []) {
    self.title = title
    self.help = help
    self.choices = choices
  }

  /// The name that ``CommandArguments`` keeps the values under.
  package var key: String { names.first ?? "" }

  package static let help = CommandOption("--help, -h", "print this help")

  /// An option for a value out of the cases of an enumeration.
  package static func format<Format: CaseIterable & RawRepresentable<String>>(
    _ help: String,
    of type: Format.Type
  ) -> CommandOption {
    CommandOption("--format WORD", help, choices: Format.allCases.map(\.rawValue))
  }
}
