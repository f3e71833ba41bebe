internal import Foundation
internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxModelTools

extension ModelVerb {
  static let diagram = ModelVerb(
    name: "diagram",
    summary: "draws the entities of a model and their relations",
    operands: ["MODEL"],
    options: [
      .format("mermaid (default), dot, or svg, which needs Graphviz", of: ModelDiagram.Format.self),
      .output("the diagram"),
    ],
    details: """
      ends with 0, 1 when a file cannot be read or Graphviz is missing, 3 when the model is broken
      """,
    run: diagram
  )

  static let schema = ModelVerb(
    name: "schema",
    summary: "writes the entities of a model as FlatBuffers or JSON Schema",
    operands: ["MODEL"],
    options: [
      .format("fbs or json-schema (draft 2020-12); required", of: ModelSchema.Format.self),
      .output("the schema"),
    ],
    details: """
      ends with 0, 1 when a file cannot be read, 3 when the model is broken or does not fit the format
      """,
    run: schema
  )

  private static func diagram(_ arguments: CommandArguments) throws -> GeneratorExitCode {
    let model = try CheckedModelFile(arguments.operands[0])
    let format = arguments.value("--format").flatMap(ModelDiagram.Format.init) ?? .mermaid
    let text = try ModelDiagram.text(of: model.document, as: format)
    try GeneratorConsole.write(text, to: arguments.value("--output"))
    return .success
  }

  private static func schema(_ arguments: CommandArguments) throws -> GeneratorExitCode {
    guard let format = arguments.value("--format").flatMap(ModelSchema.Format.init) else {
      let list = ModelSchema.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageFault(text: "option '--format' is missing; use one of: \(list)")
    }
    let model = try CheckedModelFile(arguments.operands[0])
    let title = URL(fileURLWithPath: model.path).deletingPathExtension().lastPathComponent
    let text = try ModelSchema.text(of: model.document, title: title, as: format)
    try GeneratorConsole.write(text, to: arguments.value("--output"))
    return .success
  }
}
