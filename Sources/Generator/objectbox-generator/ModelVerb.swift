internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator

/// One verb of `objectbox-generator model`: its name, its help and its action.
struct ModelVerb: Sendable {
  var name: String
  /// A short description of the action.
  var summary: String
  /// Names of the files that it takes, in order.
  var operands: [String] = []
  var options: [CommandOption] = []
  /// Rules and exit statuses, for the help.
  var details: String
  var run: @Sendable (CommandArguments) throws -> GeneratorExitCode

  /// All verbs; parsing and help use this list.
  static let all: [ModelVerb] = [check, diff, merge, installMergeDriver, diagram, schema]

  var allOptions: [CommandOption] { options + [.help] }

  /// The verb's command line.
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

extension CommandOption {
  /// Makes the option for the output file.
  static func output(_ text: String) -> CommandOption {
    CommandOption("--output FILE", "write \(text) there instead of to standard output")
  }
}
