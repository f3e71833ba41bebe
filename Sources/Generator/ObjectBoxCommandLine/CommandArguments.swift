/// An error in a command line.
package struct UsageFault: Error {
  package var text: String

  package init(text: String) {
    self.text = text
  }
}

/// The parsed options and operands of a verb.
package struct CommandArguments {
  /// Values of each option, in order; a flag has an empty text.
  private var values: [String: [String]] = [:]
  package private(set) var operands: [String] = []

  /// Parses the words after a verb.
  ///
  /// An option's value is the next word or follows `=`.
  ///
  /// - Parameters:
  ///   - words: The words; words after `--` are operands.
  ///   - options: The options of the verb, including its help.
  ///   - wanted: Names of the verb's operands, in order, such as `FILE`. `[FILE]` is optional, and
  ///     `[FILE ...]` takes all remaining operands.
  /// - Throws: ``UsageFault`` for an unknown option, a missing or wrong value, or a wrong number of
  ///   operands.
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
      // A text may be empty, such as a separator; an empty path would stand for a folder.
      if value.isEmpty, ["FILE", "PATH"].contains(option.value) {
        throw UsageFault(
          text: "option '\(name)' has the value '', which is empty; pass a \(option.value)"
        )
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

  /// Returns all values of an option.
  package func all(_ option: String) -> [String] { values[option] ?? [] }

  /// Returns the last value of an option; nil when the option is missing.
  package func value(_ option: String) -> String? { values[option]?.last }

  /// Splits a word into an option's name and its attached value, as in `--name=value` and `-DNAME`.
  package static func split(_ word: String) -> (name: String, attached: String?) {
    if word.hasPrefix("-D"), word != "-D" { return ("-D", String(word.dropFirst(2))) }
    // By scalars: a value may begin with a combining mark, which forms one character with the `=`
    // before it.
    let scalars = word.unicodeScalars
    guard word.hasPrefix("--"), let sign = scalars.firstIndex(of: "=") else { return (word, nil) }
    return (String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...]))
  }
}
