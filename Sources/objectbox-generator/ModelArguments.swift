/// The options and operands of a verb of `model`.
struct ModelArguments {
  typealias Fault = Arguments.Fault

  /// The values of each option in their order; a flag has an empty text.
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Reads the words; a value is the next word, or follows `=`.
  init(_ words: [String], of verb: ModelVerb) throws(Fault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word.count > 1 else {
        operands.append(word)
        continue
      }
      let (name, attached) = Arguments.split(word)
      guard let option = verb.allOptions.first(where: { $0.names.contains(name) }) else {
        throw Fault(text: "there is no option '\(name)'")
      }
      if option.value.isEmpty {
        if attached != nil { throw Fault(text: "option '\(name)' takes no value") }
        values[option.key, default: []].append("")
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw Fault(text: "option '\(name)' needs a value (\(option.value))")
      }
      guard option.choices.isEmpty || option.choices.contains(value) else {
        let list = option.choices.joined(separator: ", ")
        throw Fault(text: "'\(value)' is no value of option '\(name)'; use one of: \(list)")
      }
      values[option.key, default: []].append(value)
    }
    if has(ModelOption.help.key) { return }
    guard operands.count == verb.operands.count else {
      let wanted = verb.operands.isEmpty ? "none" : verb.operands.joined(separator: " ")
      let found = operands.isEmpty ? "none" : operands.joined(separator: " ")
      throw Fault(text: "the files to pass are: \(wanted); found: \(found)")
    }
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// All values of an option.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The last value of an option; nil when it is not given.
  func value(_ option: String) -> String? { values[option]?.last }
}
