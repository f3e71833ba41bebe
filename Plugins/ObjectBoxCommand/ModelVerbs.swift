import Foundation
import PackagePlugin

/// Runs the verbs of `model`: passes the sources and model files of targets to the tool.
struct ModelVerbs {
  let context: PluginContext
  let tool: GeneratorTool

  /// Runs a verb; words without a verb, and a verb with files, go to the tool unchanged.
  func run(_ words: [String]) throws {
    var extractor = ArgumentExtractor(words)
    let names = extractor.extractOption(named: "target")
    let rest = extractor.remainingArguments
    let asksForHelp = rest.contains { $0 == "--help" || $0 == "-h" }
    guard let verb = rest.first, !asksForHelp else { return try pass(rest) }
    let options = Array(rest.dropFirst())
    switch verb {
    case "check":
      try check(named: names, options)
    case "diagram", "schema":
      guard names.isEmpty, hasFile(options) else { return try export(verb, named: names, options) }
      try pass(rest)
    default:
      guard names.isEmpty else {
        throw PluginFault("'model \(verb)' works on files, not on targets; remove --target")
      }
      try pass(rest)
    }
  }

  private func targets(named names: [String]) throws -> [ChosenTarget] {
    // The verbs write no model, so a conflict of a named target does no harm.
    let chosen = try ChosenTarget.find(
      named: names,
      in: PackageModels(of: context.package),
      allowsConflicts: !names.isEmpty
    )
    if chosen.isEmpty {
      Diagnostics.remark("no target has a type annotated with `// objectbox: entity`")
    }
    return chosen
  }

  /// Checks every target before it fails, so one run reports all differences.
  private func check(named names: [String], _ options: [String]) throws {
    var status: Int32 = 0
    let manifest = ManifestText(of: context.package.directoryURL)
    for choice in try targets(named: names) {
      if let warning = manifest.warning(about: choice.target) { Diagnostics.warning(warning) }
      status = max(status, try tool.status(of: choice.checkArguments + options))
    }
    try GeneratorTool.refuse(status)
  }

  private func export(_ verb: String, named names: [String], _ options: [String]) throws {
    let found = try targets(named: names)
    // A target with an owner has the same model as its owner.
    let chosen = names.isEmpty ? found.filter { $0.owner == nil } : found
    let hasOutput = options.contains { $0 == "--output" || $0.hasPrefix("--output=") }
    if hasOutput, chosen.count > 1 {
      let list = chosen.map { "'\($0.target.name)'" }.joined(separator: ", ")
      throw PluginFault("one output cannot hold the models of \(list); choose one with --target")
    }
    for choice in chosen { try pass([verb, choice.model.url.path] + options) }
  }

  /// True when a word is neither an option nor its value.
  ///
  /// Every option of these verbs has a value.
  private func hasFile(_ words: [String]) -> Bool {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else { return true }
      if !word.contains("=") { _ = rest.popFirst() }
    }
    return false
  }

  private func pass(_ words: [String]) throws {
    try tool.run(["model"] + words)
  }
}
