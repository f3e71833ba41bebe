/// A fault of a command line.
package struct UsageFault: Error {
  package var text: String

  package init(text: String) {
    self.text = text
  }
}

/// The options and operands of a verb.
package struct CommandArguments {
  /// The values of each option in their order; a flag has an empty text.
  private var values: [String: [String]] = [:]
  package private(set) var operands: [String] = []

  /// Reads the words behind a verb; a value is the next word, or follows `=`.
  ///
  /// - Parameters:
  ///   - words: The words; those behind `--` are operands.
  ///   - options: The options of the verb, that of its help included.
  ///   - wanted: The operands of the verb in their order, such as `FILE`; `[FILE]` may be left out, and
  ///     `[FILE ...]` takes all that follow.
  /// - Throws: ``UsageFault`` for an option or a number of operands that the verb does not take.
  package init(
    _ words: [String],
    options: [CommandOption],
    operands wanted: [String]
  ) throws(UsageFault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word.count > 1 else {
        operands.append(word)
        continue
      }
      let (name, attached) = Self.split(word)
      guard let option = options.first(where: { $0.names.contains(name) }) else {
        throw UsageFault(text: "there is no option '\(name)'")
      }
      if option.value.isEmpty {
        if attached != nil { throw UsageFault(text: "option '\(name)' takes no value") }
        values[option.key, default: []].append("")
        continue
      }
      guard let value = attached ?? rest.popFirst() else {
        throw UsageFault(text: "option '\(name)' needs a value (\(option.value))")
      }
      guard option.choices.isEmpty || option.choices.contains(value) else {
        let list = option.choices.joined(separator: ", ")
        throw UsageFault(text: "'\(value)' is no value of option '\(name)'; use one of: \(list)")
      }
      values[option.key, default: []].append(value)
    }
    if has(CommandOption.help.key) { return }
    let least = wanted.count { !$0.hasPrefix("[") }
    let isOpen = wanted.last?.hasSuffix("...]") ?? false
    guard operands.count >= least, isOpen || operands.count <= wanted.count else {
      let wanted = wanted.isEmpty ? "none" : wanted.joined(separator: " ")
      let found = operands.isEmpty ? "none" : operands.joined(separator: " ")
      throw UsageFault(text: "the files to pass are: \(wanted); found: \(found)")
    }
  }

  /// Returns whether an option is given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// All values of an option.
  package func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The last value of an option; nil when it is not given.
  package func value(_ option: String) -> String? { values[option]?.last }

  /// Splits an option into its name and an attached value: `--name=value`, `-DNAME`.
  package static func split(_ word: String) -> (name: String, attached: String?) {
    if word.hasPrefix("-D"), word != "-D" { return ("-D", String(word.dropFirst(2))) }
    // By scalars: a value may begin with a combining mark, which is one character with the sign before it.
    let scalars = word.unicodeScalars
    guard word.hasPrefix("--"), let sign = scalars.firstIndex(of: "=") else { return (word, nil) }
    return (String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...]))
  }
}
