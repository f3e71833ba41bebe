/// The options of an update that also count when a target is only checked.
enum CheckOptions {
  /// Options with a value that decide how sources are read.
  private static let valued: Set<String> = [
    "--exclude-sources", "--annotation-prefix", "-D", "--can-import", "--platform", "--c-header",
    "--c-include-dir", "--c-module",
  ]
  private static let flags: Set<String> = ["--quiet", "-q"]

  /// Returns those options of an update; the others say what to write.
  static func find(in words: [String]) -> [String] {
    var found: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
      // As for the compiler, `-D` takes its value with or without a blank.
      let isDefinition = word.hasPrefix("-D") && word != "-D"
      if flags.contains(word) || isDefinition {
        found.append(word)
      } else if valued.contains(name) {
        found.append(word)
        if name == word, let value = rest.popFirst() { found.append(value) }
      }
    }
    return found
  }
}
