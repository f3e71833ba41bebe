internal import Foundation
internal import ObjectBoxGenerator

/// The command line tool: options in, findings on standard error, an exit status out.
@main
enum Main {
  private static let version = "0.1.0"

  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ words: [String]) -> ExitCode {
    if words.first == "model" { return ModelCommand.run(Array(words.dropFirst())) }
    let arguments: Arguments
    do {
      arguments = try Arguments(words)
    } catch {
      return fail("error: \(error.text); see objectbox-generator --help", .unusable)
    }
    if arguments.asksForHelp {
      print(Arguments.help)
      return .success
    }
    if arguments.asksForVersion {
      print(version)
      return .success
    }
    guard !arguments.generator.sources.isEmpty else {
      return fail(
        "error: there is nothing to read; pass a file or folder with --sources",
        .noSources
      )
    }
    do {
      let outcome = try Generator(arguments.generator).run()
      return report(outcome, arguments)
    } catch {
      return fail("error: \(error)", error is FileFault ? .unusable : .findings)
    }
  }

  private static func report(_ outcome: Generator.Outcome, _ arguments: Arguments) -> ExitCode {
    for finding in outcome.diagnostics where finding.isError || !arguments.isQuiet {
      Console.tell(finding.description)
    }
    if arguments.isVerbose || (!arguments.isQuiet && !arguments.generator.isLocked) {
      for message in outcome.messages { print("note: \(message)") }
    }
    return outcome.hasErrors ? .findings : .success
  }

  private static func fail(_ text: String, _ code: ExitCode) -> ExitCode {
    Console.tell(text)
    return code
  }
}
