/// One verb of `objectbox-generator model`: its names, its help, and what it does.
struct ModelVerb: Sendable {
  var name: String
  /// What it does, in half a line.
  var summary: String
  /// The files it takes, in their order.
  var operands: [String] = []
  var options: [ModelOption] = []
  /// What the help says besides: rules and exit statuses.
  var details: String
  var run: @Sendable (ModelArguments) throws -> ExitCode

  /// All verbs; parsing and help come from this list.
  static let all: [ModelVerb] = [check, diff, merge, installMergeDriver, diagram, schema]

  var allOptions: [ModelOption] { options + [.help] }

  /// How the verb is called.
  var usage: String {
    let words = ["objectbox-generator model", name] + operands
    return (words + (options.isEmpty ? [] : ["[OPTION ...]"])).joined(separator: " ")
  }

  /// The text of `model VERB --help`.
  var help: String {
    let titles = allOptions.map { option in
      option.names.joined(separator: ", ") + (option.value.isEmpty ? "" : " " + option.value)
    }
    let width = titles.map(\.count).max() ?? 0
    let lines = zip(titles, allOptions).map { title, option in
      "  " + title + String(repeating: " ", count: width - title.count + 2) + option.help
    }
    return """
      \(summary.prefix(1).uppercased() + summary.dropFirst()).

      usage: \(usage)

      \(lines.joined(separator: "\n"))

      \(details)
      """
  }
}
