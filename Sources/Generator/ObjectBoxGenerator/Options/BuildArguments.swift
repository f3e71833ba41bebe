/// The values of the options that the build plugin passes.
///
/// `objectbox-generator` has these options too, since an installed one serves builds.
package struct BuildArguments: Sendable {
  package var generator = GeneratorOptions()
  /// C modules as written, `NAME=DIR`.
  package var cModules: [String] = []

  /// An error in a command line.
  package struct Fault: Error {
    package var text: String
  }

  package init() {}

  /// Parses the words of the build plugin, each value in a word of its own.
  package init(_ words: [String]) throws(Fault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let option = BuildOption.all.first(where: { $0.name == word }) else {
        throw Fault(
          text: "there is no option '\(word)' for builds; objectbox-generator has all options"
        )
      }
      switch option.effect {
      case .flag(let set): set(&self)
      case .value(let set):
        guard let value = rest.popFirst() else {
          throw Fault(text: "option '\(word)' needs a value (\(option.value ?? ""))")
        }
        if value.isEmpty {
          throw Fault(text: BuildOption.fault(ofEmpty: word, option.value ?? ""))
        }
        set(&self, value)
      }
    }
    try check()
  }

  /// Checks the values, and reads the C modules.
  package mutating func check() throws(Fault) {
    for name in generator.conditions.defined.sorted() {
      let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      guard isName, !name.isEmpty, name.first?.isNumber == false else {
        throw Fault(text: "'\(name)' is no name of a condition; -D takes a name without a value")
      }
    }
    if let platform = generator.conditions.platform, !BuildConditions.platforms.contains(platform) {
      let known = BuildConditions.platforms.sorted().joined(separator: ", ")
      throw Fault(text: "there is no platform '\(platform)'; the known ones are \(known)")
    }
    for text in cModules {
      guard let module = CHeaders.Module(text) else {
        throw Fault(text: "the C module '\(text)' does not look like NAME=DIR")
      }
      generator.cHeaders.modules.append(module)
    }
    guard AccessLevel(rawValue: generator.visibility) != nil else {
      throw Fault(
        text: "the visibility '\(generator.visibility)' is none of internal, package and public"
      )
    }
  }
}
