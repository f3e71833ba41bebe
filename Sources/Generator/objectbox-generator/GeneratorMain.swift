internal import Foundation
internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools
internal import ObjectBoxSwiftReader

/// The command-line tool.
@main
enum GeneratorMain {
  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ words: [String]) -> GeneratorExitCode {
    if words.first == "model" { return ModelCommand.run(Array(words.dropFirst())) }
    let arguments: Arguments
    do {
      arguments = try Arguments(words)
    } catch {
      let line = UsageFault(text: error.text).line(see: "objectbox-generator --help")
      FindingsOutput(nil, isQuiet: false).fail(line)
      return .unusable
    }
    let output = FindingsOutput(arguments.form, isQuiet: arguments.isQuiet)
    if arguments.asksForHelp {
      print(Arguments.help)
      return .success
    }
    if arguments.asksForVersion {
      print(ProductVersion.text)
      return .success
    }
    guard !arguments.generator.sources.isEmpty else {
      output.fail("there is nothing to read; pass a file or folder with --sources")
      return .noSources
    }
    if arguments.isWatching {
      Watch.run(arguments.generator, output) { _ = generate(arguments, output) }
    }
    return generate(arguments, output)
  }

  private static func generate(_ arguments: Arguments, _ output: FindingsOutput)
    -> GeneratorExitCode
  {
    let options = arguments.generator
    // The build plugin itself writes outside of the sources.
    if !options.refusesOtherBindings, let finding = CompiledOutput.finding(for: options.outputFile)
    {
      output.write([finding], files: [])
      return .findings
    }
    do {
      let generator = Generator(options, reader: SourceParser()) { options, files in
        NearMisses(options).find(in: files)
      }
      let outcome = try arguments.appliesFixes ? generator.runAfterFixes() : generator.run()
      output.write(outcome.diagnostics, files: outcome.files)
      if arguments.isVerbose || (!arguments.isQuiet && !options.isLocked) {
        output.tell(outcome.messages)
      }
      return outcome.hasErrors ? .findings : .success
    } catch {
      output.fail("\(error)")
      return GeneratorExitCode(of: error)
    }
  }
}
