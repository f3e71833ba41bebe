/// One option of a verb of `model`.
struct ModelOption: Sendable {
  var names: [String]
  /// The word for the value in the help; empty for flags.
  var value = ""
  var help: String
  /// The values that are allowed; empty for any.
  var choices: [String] = []

  /// The name that ``ModelArguments`` keeps the values under.
  var key: String { names.first ?? "" }

  static let help = ModelOption(names: ["--help", "-h"], help: "print this help")

  static func output(_ what: String) -> ModelOption {
    ModelOption(
      names: ["--output"],
      value: "FILE",
      help: "write \(what) there instead of to standard output"
    )
  }
}
