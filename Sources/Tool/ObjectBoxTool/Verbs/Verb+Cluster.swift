internal import Foundation
internal import ObjectBoxCluster
internal import ObjectBoxCommandLine

extension Verb {
  static let cluster = Verb(
    name: "cluster",
    summary: "tells how opening a PostgreSQL database under a model would change its schema",
    operands: ["plan", "ADDRESS"],
    options: [
      CommandOption("--model FILE", "the model file of the program; default model.json"),
      DatabaseAddress.schemaOption,
      CommandOption(
        "--older",
        "plan for a model that a newer one has replaced, as 'acceptsOlderModel' of the program does"
      ),
    ],
    details: """
      writes the statements that opening runs, in one transaction, to standard output; nothing is changed, and an \
      empty database stays empty. ADDRESS is postgresql://USER@HOST/DATABASE. Values decide whether some statements \
      succeed, such as a new unique property. Parameters of nearest-neighbour indexes are in the code of programs only

      ends with 0, also when there is nothing to do, and 1 when the model does not fit
      """,
    examples: [
      "cluster plan postgresql://db1/app --model model.json",
      "cluster plan postgresql://db1/app --schema notes",
    ],
    run: cluster
  )

  private static func cluster(_ arguments: CommandArguments) throws -> ExitCode {
    guard arguments.operands[0] == "plan" else {
      throw UsageFault(noVerb: arguments.operands[0], among: ["plan"], of: "cluster")
    }
    let address = arguments.operands[1]
    guard DatabaseAddress.isOne(address) else {
      throw UsageFault(text: "the address of a database begins with postgresql://")
    }
    var configuration = DatabaseAddress.configuration(address, arguments)
    configuration.acceptsOlderModel = arguments.has("--older")
    let file = URL(fileURLWithPath: arguments.value("--model") ?? "model.json")
    let plan = try Waiting.run { [configuration] in
      try await Cluster.plan(modelJSON: file, configuration: configuration)
    }
    try Console.write(plan.description)
    if plan.isEmpty { Console.tell("the schema is that of the model") }
    return .success
  }
}
