internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

extension ModelVerb {
  static let diff = ModelVerb(
    name: "diff",
    summary: "tells how two models differ, and what each difference does to stored data",
    operands: ["OLD", "NEW"],
    options: [
      .format("text (default) or json", of: DifferenceReport.Format.self),
      .output("the report"),
    ],
    details: """
      elements are the same when their UIDs are; the data is that of a store which was written with OLD and \
      is opened with NEW

      ends with 0, also when the models differ, 1 when a file cannot be read, 3 when a model is broken
      """,
    run: diff
  )

  private static func diff(_ arguments: CommandArguments) throws -> GeneratorExitCode {
    let old = try CheckedModelFile(arguments.operands[0])
    let new = try CheckedModelFile(arguments.operands[1])
    let format = arguments.value("--format").flatMap(DifferenceReport.Format.init) ?? .text
    let differences = ModelComparison.differences(from: old.document, to: new.document)
    try GeneratorConsole.write(
      DifferenceReport.text(differences, as: format),
      to: arguments.value("--output")
    )
    return .success
  }
}
