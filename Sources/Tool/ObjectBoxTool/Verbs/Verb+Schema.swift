internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic
internal import ObjectBoxJSON

extension Verb {
  static let schema = Verb(
    name: "schema",
    summary:
      "tells the entities, properties, indexes and relations of a store, or writes its model file",
    operands: ["STORE"],
    options: [
      CommandOption.format("text (default), or json, a model file", of: ReportFormat.self),
      DatabaseAddress.schemaOption,
    ],
    details: """
      behind a name stand its ID and UID. json is a model file (model.json) with the IDs and UIDs of the store, by \
      which a program whose model file was lost opens it again; the diagrams and schemas of 'objectbox-generator \
      model' can be made of it. STORE may be the address of a database as well, postgresql://USER@HOST/DATABASE

      ends with 0, or 1 when the store cannot be read
      """,
    examples: [
      "schema notes", "schema notes --format json >model.json",
      "schema notes --format json | jq -r '.entities[].name'",
    ],
    run: schema
  )

  private static func schema(_ arguments: CommandArguments) throws -> ExitCode {
    let source = try ObjectSource(arguments)
    defer { source.close() }
    guard ReportFormat(arguments) == .json else {
      try Console.write(text(source.schema).printable)
      return .success
    }
    var writer = JSONWriter()
    source.schema.writeModelJSON(to: &writer)
    try Console.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
    return .success
  }

  private static func text(_ schema: StoreSchema) -> String {
    var parts = schema.entities.map { entity in
      "\(entity.name) (\(entity.identity.text))\n\(entity.propertyLines)"
    }
    var relations = ConsoleTable(["relation", "from", "to"], numbers: [])
    for entity in schema.entities {
      for relation in entity.relations {
        relations.add(
          [relation.title, entity.name, schema.name(ofEntity: relation.target.id)]
        )
      }
    }
    if schema.entities.contains(where: { !$0.relations.isEmpty }) {
      parts.append("standalone relations\n" + relations.text)
    }
    return parts.joined(separator: "\n")
  }
}
