internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools
internal import ObjectBoxSwiftReader

extension ModelVerb {
  /// Options of an ordinary run that concern reading.
  private static let reading = [
    "--sources", "--exclude-sources", "--model-json", "--annotation-prefix", "--update-command",
    "--entities-of", "-D", "--can-import", "--platform", "--c-header", "--c-include-dir",
    "--c-module",
  ].compactMap { name in
    Option.all.first { $0.names.contains(name) }.map {
      CommandOption($0.title, $0.help)
    }
  }

  static let check = ModelVerb(
    name: "check",
    summary: "tells whether sources and model agree, and writes nothing",
    options: reading + [CommandOption("--quiet, -q", "print errors only")],
    details: """
      ends with 0 when they agree, 1 when they differ or a path cannot be read, 2 without sources, 3 when \
      the sources or the model have an error; each difference goes to standard error with its place
      """,
    run: check
  )

  private static func check(_ arguments: CommandArguments) throws -> GeneratorExitCode {
    let words = reading.flatMap { option in
      arguments.all(option.key).flatMap { [option.key, $0] }
    }
    let options = try Arguments(words).generator
    guard !options.sources.isEmpty else {
      GeneratorConsole.tell("error: there is nothing to read; pass a file or folder with --sources")
      return .noSources
    }
    let outcome = try ModelCheck.run(options, reader: SourceParser())
    let isQuiet = arguments.has("--quiet")
    for finding in outcome.diagnostics where finding.isError || !isQuiet {
      GeneratorConsole.tell(finding.description)
    }
    if outcome.isDisagreement { return .disagreement }
    if outcome.hasErrors { return .findings }
    if !isQuiet {
      let count = outcome.entityCount.counted("entity", "entities")
      print("note: sources and '\(options.modelPath)' agree: \(count)")
    }
    return .success
  }
}
