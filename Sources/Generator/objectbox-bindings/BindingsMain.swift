internal import Foundation
internal import ObjectBoxGenerator
internal import ObjectBoxSwiftReader

/// The program that the build plugin runs: makes the bindings of a target, and never writes a
/// model.
///
/// It has only the code that builds need, since each clean build compiles it. Its findings and exit
/// statuses are the same as in `objectbox-generator`.
@main
enum BindingsMain {
  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) -> Int32 {
    var options: GeneratorOptions
    do {
      options = try BuildArguments(words).generator
    } catch {
      return fail("\(error.text); see objectbox-generator --help", .unusable)
    }
    options.isLocked = true
    guard !options.sources.isEmpty else {
      return fail("there is nothing to read; pass a file or folder with --sources", .noSources)
    }
    do {
      let outcome = try Generator(options, reader: SourceParser()).run()
      for finding in outcome.diagnostics { tell(finding) }
      return (outcome.hasErrors ? GeneratorExitCode.findings : .success).rawValue
    } catch {
      return fail("\(error)", GeneratorExitCode(of: error))
    }
  }

  private static func fail(_ text: String, _ code: GeneratorExitCode) -> Int32 {
    tell(Diagnostic(DiagnosticMessage(.error, text), at: nil))
    return code.rawValue
  }

  private static func tell(_ finding: Diagnostic) {
    FileHandle.standardError.write(Data((finding.description + "\n").utf8))
  }
}
