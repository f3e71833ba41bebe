/// One verb of `objectbox-generator model`: its name, its help and its action.
struct ModelVerb: Sendable {
  var name: String
  /// The action in half a line.
  var summary: String
  /// The files it takes, in their order.
  var operands: [String] = []
  var options: [ModelOption] = []
  /// Rules and exit statuses, for the help.
  var details: String
  var run: @Sendable (ModelArguments) throws -> ExitCode

  /// All verbs; parsing and help come from this list.
  static let all: [ModelVerb] = [check, diff, merge, installMergeDriver, diagram, schema]

  var allOptions: [ModelOption] { options + [.help] }

  /// The command line of the verb.
  var usage: String {
    let words = ["objectbox-generator model", name] + operands
    return (words + (options.isEmpty ? [] : ["[OPTION ...]"])).joined(separator: " ")
  }

  /// The text of `model VERB --help`.
  var help: String {
    """
    \(summary.prefix(1).uppercased() + summary.dropFirst()).

    usage: \(usage)

    \(HelpTable.text(allOptions))

    \(details)
    """
  }
}

/// One option of a verb of `model`.
struct ModelOption: OptionText {
  var title: String
  var help: String
  /// The allowed values; empty for any.
  var choices: [String] = []

  init(_ title: String, _ help: String, choices: [String] = []) {
    self.title = title
    self.help = help
    self.choices = choices
  }

  /// The name that ``ModelArguments`` keeps the values under.
  var key: String { names.first ?? "" }

  static let help = ModelOption("--help, -h", "print this help")

  static func output(_ text: String) -> ModelOption {
    ModelOption("--output FILE", "write \(text) there instead of to standard output")
  }

  /// The format of the output, of which each kind has its own choices.
  static func format<Format: CaseIterable & RawRepresentable<String>>(
    _ help: String,
    of type: Format.Type
  ) -> ModelOption {
    ModelOption("--format WORD", help, choices: Format.allCases.map(\.rawValue))
  }
}
