internal import Foundation
internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

extension ModelVerb {
  static let merge = ModelVerb(
    name: "merge",
    summary: "merges two models that came from one by their UIDs; a merge driver for git",
    operands: ["BASE", "OURS", "THEIRS"],
    options: [
      CommandOption("--output FILE", "write the merged model there instead of to OURS"),
      CommandOption("--path NAME", "the name of the file in findings"),
    ],
    details: """
      every UID stays; when both sides gave the same ID to new elements, the one of THEIRS gets the next; \
      an empty BASE stands for a missing one

      ends with 0 for a merged model, 1 for conflicts or a file that cannot be read, 3 when a model is \
      broken; unless it ends with 0, no file is written
      """,
    run: merge
  )

  static let installMergeDriver = ModelVerb(
    name: "install-merge-driver",
    summary: "lets git merge model files by their UIDs in the repository of the current folder",
    options: [
      CommandOption("--command PATH", "what git runs; default this tool where it stands now")
    ],
    details: """
      sets merge.objectbox-model in the configuration of this clone, and adds a line to .gitattributes, \
      which is to be committed; a second run changes nothing

      ends with 0, or with 1 without git or outside of a repository
      """,
    run: installMergeDriver
  )

  private static func merge(_ arguments: CommandArguments) throws -> GeneratorExitCode {
    let paths = arguments.operands
    let name = arguments.value("--path")
    let base = try CheckedModelFile(
      paths[0],
      shownPath: name.map { $0 + " (base)" },
      isAbsentWhenEmpty: true
    )
    let ours = try CheckedModelFile(paths[1], shownPath: name)
    let theirs = try CheckedModelFile(paths[2], shownPath: name.map { $0 + " (theirs)" })
    let result = ModelMerge.merge(
      base: base.document,
      ours: ours.document,
      theirs: theirs.document,
      places: ours.places
    )
    guard let model = result.model else {
      for finding in result.diagnostics { GeneratorConsole.tell(finding.description) }
      return .disagreement
    }
    try CheckedModelFile.write(model.text, to: arguments.value("--output") ?? paths[1])
    for finding in result.diagnostics { print(finding.description) }
    return .success
  }

  private static func installMergeDriver(_ arguments: CommandArguments) throws -> GeneratorExitCode
  {
    let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let messages = try MergeDriver.install(command: arguments.value("--command") ?? own)
    for message in messages { print("note: \(message)") }
    return .success
  }
}
