internal import Foundation
internal import ObjectBoxCommandLine

extension Verb {
  static let generate = Verb(
    name: "generate",
    summary: "runs the package's generator: short for the command of Swift packages",
    operands: ["[WORD ...]"],
    passesWords: true,
    details: """
      runs 'swift package --allow-writing-to-package-directory objectbox-generator WORD ...' in the current folder: \
      without words it writes model.json, and with 'model check', 'model diff' and the other words of that command it \
      does what they say. '--' before the words is left out. 'objectbox generate -- --help' lists them

      ends with the status of that command, or 1 when 'swift' is not found
      """,
    examples: ["generate", "generate --target App", "generate model check"],
    run: generate
  )

  private static func generate(_ arguments: CommandArguments) throws -> ExitCode {
    let words =
      ["swift", "package", "--allow-writing-to-package-directory", "objectbox-generator"]
      + arguments.operands
    var pointers = words.map { strdup($0) } + [nil]
    defer { for case let pointer? in pointers { free(pointer) } }
    // The command takes this process's place, with its terminal, signals and status.
    execvp("swift", &pointers)
    throw SystemFault("cannot run 'swift', which must be in a folder of PATH")
  }
}
