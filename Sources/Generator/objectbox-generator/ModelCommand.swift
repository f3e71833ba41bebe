internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

/// The command `objectbox-generator model`, which runs a verb.
enum ModelCommand {
  static func run(_ words: [String]) -> GeneratorExitCode {
    guard let name = words.first else {
      return fail("a verb is missing; use one of: \(names)", see: "model --help")
    }
    if CommandOption.help.names.contains(name) {
      print(help)
      return .success
    }
    guard let verb = ModelVerb.all.first(where: { $0.name == name }) else {
      let fault = UsageFault(noVerb: name, among: ModelVerb.all.map(\.name), of: "model")
      return fail(fault.text, see: "model --help")
    }
    let arguments: CommandArguments
    do {
      arguments = try CommandArguments(
        Array(words.dropFirst()),
        options: verb.allOptions,
        operands: verb.operands
      )
    } catch {
      return fail(error.text, see: "model \(name) --help")
    }
    if arguments.has(CommandOption.help.key) {
      print(verb.help)
      return .success
    }
    do {
      return try verb.run(arguments)
    } catch let error as CheckedModelFile.Broken {
      for finding in error.diagnostics { GeneratorConsole.tell(finding.description) }
      return .findings
    } catch let error as UsageFault {
      return fail(error.text, see: "model \(name) --help")
    } catch {
      GeneratorConsole.tell("error: \(error)")
      return error is ModelSchema.Fault || error is MustacheError ? .findings : .unusable
    }
  }

  private static var names: String { ModelVerb.all.map(\.name).joined(separator: ", ") }

  private static func fail(_ text: String, see help: String) -> GeneratorExitCode {
    let line = UsageFault(text: text).line(see: "objectbox-generator \(help)")
    GeneratorConsole.tell("error: \(line)")
    return .unusable
  }

  /// The text of `model --help`.
  private static var help: String {
    """
    Works on model files.

    usage: objectbox-generator model VERB [FILE ...] [OPTION ...]

    \(HelpTable.text(ModelVerb.all.map { ($0.name, $0.summary) }))

    objectbox-generator model VERB --help tells the options of a verb
    """
  }
}
