/// One option of a verb.
package struct CommandOption: OptionText {
  package var title: String
  package var help: String
  /// Allowed values; empty when every value is allowed.
  package var choices: [String] = []

  /// Makes an option.
  ///
  /// - Parameters:
  ///   - title: The names, and the word for the value.
  ///   - help: The option's line in the help.
  ///   - choices: Allowed values; empty when every value is allowed.
  package init(_ title: String, _ help: String, choices: [String] = []) {
    self.title = title
    self.help = help
    self.choices = choices
  }

  /// Name under which ``CommandArguments`` keeps the values.
  package var key: String { names.first ?? "" }

  package static let help = CommandOption("--help, -h", "print this help")

  /// Makes the option `--format`, whose value is a case of an enumeration.
  package static func format<Format: CaseIterable & RawRepresentable<String>>(
    _ help: String,
    of type: Format.Type
  ) -> CommandOption {
    CommandOption("--format WORD", help, choices: Format.allCases.map(\.rawValue))
  }
}
