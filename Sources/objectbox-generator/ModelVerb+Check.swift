internal import ObjectBoxGenerator

extension ModelVerb {
  static let check = ModelVerb(
    name: "check",
    summary: "tells whether sources and model agree, and writes nothing",
    options: [
      ModelOption(
        names: ["--sources"],
        value: "PATH",
        help: "file or folder with Swift sources; repeatable"
      ),
      ModelOption(
        names: ["--exclude-sources"],
        value: "PATH",
        help: "file or folder to leave out; repeatable"
      ),
      ModelOption(
        names: ["--model-json"],
        value: "FILE",
        help: "the model file; default model.json"
      ),
      ModelOption(
        names: ["--annotation-prefix"],
        value: "WORD",
        help: "the word before the colon in annotations; default objectbox"
      ),
      ModelOption(
        names: ["--update-command"],
        value: "TEXT",
        help: "the command to name that brings the model up to date"
      ),
      ModelOption(names: ["--quiet", "-q"], help: "print errors only"),
    ],
    details: """
      ends with 0 when they agree, 1 when they differ or a path cannot be read, 2 without sources, 3 when \
      the sources or the model have an error; each difference goes to standard error with its place
      """,
    run: check
  )

  private static func check(_ arguments: ModelArguments) throws -> ExitCode {
    var options = Generator.Options()
    options.sources = arguments.all("--sources")
    options.excludedSources = arguments.all("--exclude-sources")
    options.modelPath = arguments.value("--model-json") ?? options.modelPath
    options.annotationPrefix = arguments.value("--annotation-prefix") ?? options.annotationPrefix
    options.updateCommand = arguments.value("--update-command") ?? options.updateCommand
    guard !options.sources.isEmpty else {
      Console.tell("error: there is nothing to read; pass a file or folder with --sources")
      return .noSources
    }
    let outcome = try ModelCheck.run(options)
    let isQuiet = arguments.has("--quiet")
    for finding in outcome.diagnostics where finding.isError || !isQuiet {
      Console.tell(finding.description)
    }
    if outcome.isDisagreement { return .disagreement }
    if outcome.hasErrors { return .findings }
    if !isQuiet {
      print("note: sources and '\(options.modelPath)' agree: \(outcome.entityCount) entities")
    }
    return .success
  }
}
