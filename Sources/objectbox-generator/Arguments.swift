internal import ObjectBoxGenerator

/// What the command line asks for.
struct Arguments {
  var generator = Generator.Options()
  var isQuiet = false
  var isVerbose = false
  var asksForHelp = false
  var asksForVersion = false
  /// C modules as they were given, `NAME=DIR`.
  var cModules: [String] = []

  /// What is wrong with a command line.
  struct Fault: Error {
    var text: String
  }

  /// Reads the words behind the tool's name; a value is the next word, or follows `=`.
  init(_ words: [String]) throws(Fault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = word.hasPrefix("--") ? String(parts[0]) : word
      var attached = word.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
      guard let option = Option.all.first(where: { $0.names.contains(name) }) else {
        throw Fault(
          text: word.hasPrefix("-")
            ? "there is no option '\(name)'" : "'\(word)' is no option; pass paths with --sources"
        )
      }
      func value() throws(Fault) -> String {
        guard let text = attached ?? rest.popFirst() else {
          throw Fault(text: "option '\(name)' needs a value (\(option.value))")
        }
        attached = nil
        return text
      }
      switch option.effect {
      case .flag(let set): set(&self)
      case .value(let set): set(&self, try value())
      case .ignored: break
      case .refused(let advice):
        throw Fault(text: "option '\(name)' is not supported; \(advice)")
      }
      if attached != nil { throw Fault(text: "option '\(name)' takes no value") }
    }
    for text in cModules {
      guard let module = CHeaders.Module(text) else {
        throw Fault(text: "the C module '\(text)' does not look like NAME=DIR")
      }
      generator.cHeaders.modules.append(module)
    }
    guard ["internal", "package", "public"].contains(generator.visibility) else {
      throw Fault(
        text: "the visibility '\(generator.visibility)' is none of internal, package and public"
      )
    }
  }

  /// The text of `--help`.
  static var help: String {
    let listed = Option.all.filter { !$0.help.isEmpty }
    let titles = listed.map { option in
      option.names.joined(separator: ", ") + (option.value.isEmpty ? "" : " " + option.value)
    }
    let width = titles.map(\.count).max() ?? 0
    let lines = zip(titles, listed).map { title, option in
      "  " + title + String(repeating: " ", count: width - title.count + 2) + option.help
    }
    return """
      Reads annotated Swift sources, keeps stable IDs in a model file, and writes Swift bindings.

      usage: objectbox-generator --sources PATH [--model-json FILE] [--output PATH] [OPTION ...]

      \(lines.joined(separator: "\n"))

      examples:
        objectbox-generator --sources Sources/App --model-json model.json \
      --output Sources/App/Generated
        objectbox-generator --sources Sources/App --model-json model.json --output out --locked

      ends with 0 for success, 1 for a path or option that cannot be used, 2 without sources, 3 when the \
      sources or the model have an error; findings go to standard error
      """
  }
}
