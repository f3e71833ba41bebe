/// An error in a command line.
package struct UsageFault: Error {
  package var text: String

  package init(text: String) {
    self.text = text
  }

  /// Makes the error for an unknown verb, with the most similar one or all.
  ///
  /// - Parameters:
  ///   - name: The word in place of the verb.
  ///   - names: The names of all verbs.
  ///   - group: The words before the verb; empty for none.
  package init(noVerb name: String, among names: [String], of group: String = "") {
    let advice = EditDistance.advice(for: name, in: Set(names))
    let full = group.isEmpty ? name : group + " " + name
    text =
      "there is no verb '\(full)'"
      + (advice.isEmpty ? "; use one of: \(names.joined(separator: ", "))" : advice)
  }

  /// The message and the command that explains more.
  ///
  /// - Parameter help: A command line that prints a help.
  /// - Returns: The line for the user.
  package func line(see help: String) -> String {
    text + (text.hasSuffix("?") ? " see " : "; see ") + help
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
  /// - Throws: ``UsageFault`` for an unknown option, a missing or wrong value, a wrong number of
  ///   operands, and an empty operand.
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
        throw UsageFault(text: Self.unknown(option: name, among: options.flatMap(\.names)))
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
    // Only a condition may be empty: it selects all.
    for (operand, name) in zip(operands, wanted) where operand.isEmpty && name != "[CONDITION]" {
      throw UsageFault(text: "\(name) is '', which is empty; pass a path or a name")
    }
  }

  /// Returns whether an option is given.
  package func has(_ option: String) -> Bool { values[option] != nil }

  /// Returns all values of an option.
  package func all(_ option: String) -> [String] { values[option] ?? [] }

  /// Returns the last value of an option; nil when the option is missing.
  package func value(_ option: String) -> String? { values[option]?.last }

  /// Returns the message about an unknown option, with the most similar known one.
  package static func unknown(option name: String, among known: [String]) -> String {
    let words = Set(known.filter { $0.hasPrefix("--") })
    return "there is no option '\(name)'" + EditDistance.advice(for: name, in: words)
  }

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
