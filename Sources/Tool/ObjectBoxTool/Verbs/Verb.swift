internal import ObjectBoxCommandLine

/// One verb of the tool: its name, its help and its action.
struct Verb: Sendable {
  var name: String
  /// The action, in half a line.
  var summary: String
  /// The operands in order, such as `STORE`; `[FILE]` is optional.
  var operands: [String] = []
  var options: [CommandOption] = []
  /// Whether all words are operands, for another program, except a first `--help`.
  var passesWords = false
  /// Rules and exit statuses, for the help.
  var details: String
  /// Command lines without the tool's name.
  var examples: [String]
  var run: @Sendable (CommandArguments) throws -> ExitCode

  /// All verbs; parsing and help come from this list.
  static let all: [Verb] = [
    info, schema, stats, query, browse, watch, verify, salvage, backup, compact, dump, load,
    importing, export, copy, changeKey, cluster, syncServer, syncStatus, initialize, generate,
    completion, manual,
  ]

  /// The options of the verb, those of the key of its store, and the help.
  var allOptions: [CommandOption] {
    options + (opensStore ? StoreKey.own.options : []) + [.help]
  }

  /// Whether the first operand is a store.
  private var opensStore: Bool { ["STORE", "FROM"].contains(operands.first) }

  /// Returns the number given for an option; nil without the option.
  ///
  /// - Throws: ``UsageFault`` unless it is a number in the range.
  static func number(
    _ arguments: CommandArguments,
    _ option: String,
    _ range: ClosedRange<Int>
  ) throws -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageFault(
        text:
          "'\(text)' is no value of option '\(option)'; use a whole number from \(range.lowerBound)"
      )
    }
    return number
  }

  /// The text of `VERB --help`.
  var help: String {
    let words = ["objectbox", name] + operands + (allOptions.count == 1 ? [] : ["[OPTION ...]"])
    return """
      \(summary.prefix(1).uppercased() + summary.dropFirst()).

      usage: \(words.joined(separator: " "))

      \(HelpTable.text(allOptions))

      \(details)

      examples:
      \(examples.map { "  objectbox \($0)" }.joined(separator: "\n"))
      """
  }
}

/// The format of a report.
enum ReportFormat: String, CaseIterable {
  /// For people.
  case text
  /// One JSON object.
  case json

  static let option = CommandOption.format("text (default) or json, one object", of: Self.self)

  init(_ arguments: CommandArguments) {
    self = arguments.value(Self.option.key).flatMap(Self.init) ?? .text
  }
}
