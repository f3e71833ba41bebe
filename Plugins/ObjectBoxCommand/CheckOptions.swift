/// The options of an update that also apply to a check.
enum CheckOptions {
  /// Options with a value that change how sources are read.
  private static let valued: Set<String> = [
    "--exclude-sources", "--annotation-prefix", "-D", "--can-import", "--platform", "--c-header",
    "--c-include-dir", "--c-module",
  ]
  private static let flags: Set<String> = ["--quiet", "-q"]

  /// Returns the options that apply to a check; the remaining options only affect output.
  static func find(in words: [String]) -> [String] {
    var found: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
      // As in the compiler, both `-D NAME` and `-DNAME` are valid.
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
